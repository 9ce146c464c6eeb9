import { describe, expect, it } from 'vitest';
import { createProviderSchema } from '@/server/contract/provider';
import { guessProvider, knownForms } from './guess-provider';

describe('a pasted key (ux 14)', () => {
  it('is told by its form, the special form before the general one', () => {
    const ids = ['sk-ant-api03-x', ' sk-or-v1-x', 'sk-proj-x', 'sk-x', 'AIzaSyx', 'gsk_x', 'xai-x', 'hello'].map(
      (key) => guessProvider(key)?.id ?? null,
    );
    expect(ids).toEqual(['anthropic', 'openrouter', 'openai', 'openai', 'google', 'groq', 'xai', null]);
  });

  it('makes a provider the API accepts as it is', () => {
    for (const form of knownForms) {
      expect(createProviderSchema.safeParse({ ...form, apiKey: 'k' }).success, form.id).toBe(true);
    }
  });
});
