import { describe, expect, it } from 'vitest';
import { modelById } from './model-by-id';
import { stateOfModel } from './model-state';
import { aModelInfo } from './testing/a-model-info';

describe('the state of a summarisation model (ux 12)', () => {
  it('names what keeps it from writing before how it writes', () => {
    const states = [
      undefined,
      aModelInfo({ state: 'key_missing', windowTokens: 8_000 }),
      aModelInfo({ state: 'paused' }),
      aModelInfo({ simulated: true, windowTokens: 8_000 }),
      aModelInfo({ windowTokens: 8_000 }),
      aModelInfo({ windowTokens: null }),
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
  const two = [aModelInfo(), aModelInfo({ provider: 'openrouter' })];

  it('is cut at the provider it names, and only there', () => {
    expect(modelById('openrouter/meta/llama-3:free', two)).toEqual({
      provider: 'openrouter',
      model: 'meta/llama-3:free',
    });
    expect(modelById('meta/llama-3', two)).toBeNull();
    expect(modelById('meta/llama-3', [aModelInfo()])).toEqual({ provider: 'anthropic', model: 'meta/llama-3' });
  });

  it('S3: is never auto, never blank, never the practice model', () => {
    expect(modelById('auto', [aModelInfo()])).toBeNull();
    expect(modelById('  ', [aModelInfo()])).toBeNull();
    expect(modelById('rules-2', [aModelInfo({ provider: 'practice', simulated: true })])).toBeNull();
  });
});
