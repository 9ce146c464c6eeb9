import { describe, expect, it } from 'vitest';
import type { ModelInfo } from '@/server/contract/provider';
import { modelById } from './model-by-id';
import { stateOfModel } from './model-state';

const model = (changes: Partial<ModelInfo> = {}): ModelInfo => ({
  provider: 'anthropic',
  model: 'sonnet-x',
  label: 'sonnet-x',
  providerName: 'Anthropic',
  kind: 'anthropic',
  windowTokens: 200_000,
  windowSource: 'known',
  maxOutputTokens: null,
  price: null,
  vision: false,
  state: 'ready',
  simulated: false,
  budgetBytes: 400_000,
  budgetPassedOver: false,
  ...changes,
});

describe('the state of a summarisation model (ux 12)', () => {
  it('names what keeps it from writing before how it writes', () => {
    const states = [
      undefined,
      model({ state: 'key_missing', windowTokens: 8_000 }),
      model({ state: 'paused' }),
      model({ simulated: true, windowTokens: 8_000 }),
      model({ windowTokens: 8_000 }),
      model({ windowTokens: null }),
    ].map((info) => stateOfModel(info).text);
    expect(states).toEqual([
      'Not connected',
      'Key missing',
      'Paused after failures',
      'Not an AI; writes in segments',
      'Small window: writes in segments',
      'Ready',
    ]);
  });
});

describe('a model by id', () => {
  const two = [model(), model({ provider: 'openrouter' })];

  it('is cut at the provider it names, and only there', () => {
    expect(modelById('openrouter/meta/llama-3:free', two)).toEqual({
      provider: 'openrouter',
      model: 'meta/llama-3:free',
    });
    expect(modelById('meta/llama-3', two)).toBeNull();
    expect(modelById('meta/llama-3', [model()])).toEqual({ provider: 'anthropic', model: 'meta/llama-3' });
  });

  it('S3: is never auto, never blank, never the practice model', () => {
    expect(modelById('auto', [model()])).toBeNull();
    expect(modelById('  ', [model()])).toBeNull();
    expect(modelById('rules-2', [model({ provider: 'practice', simulated: true })])).toBeNull();
  });
});
