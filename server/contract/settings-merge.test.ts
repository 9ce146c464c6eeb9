import { describe, expect, it } from 'vitest';
import { defaultSettings, settingsSchema } from './settings';
import { mergeSettings, parseSettingsPatch } from './settings-merge';

const patchOf = (input: unknown) => {
  const result = parseSettingsPatch(input);
  return result.ok ? result.patch : expect.fail(`refused: ${JSON.stringify(result.problems)}`);
};
const problemsOf = (input: unknown) => {
  const result = parseSettingsPatch(input);
  return result.ok ? expect.fail('must be refused') : result.problems.map((problem) => problem.path);
};
const haiku = { provider: 'anthropic', model: 'haiku-x' };
const qwen = { provider: 'ollama', model: 'qwen3:32b' };

describe('settings by default', () => {
  it('are settings themselves', () => {
    expect(settingsSchema.parse(defaultSettings)).toEqual(defaultSettings);
  });
});

describe('a patch', () => {
  it('changes what it names and leaves the rest', () => {
    const merged = mergeSettings(defaultSettings, patchOf({ compaction: { preset: 'thrifty', preview: true } }));
    expect(merged.compaction).toEqual({ ...defaultSettings.compaction, preset: 'thrifty', preview: true });
    expect(merged.turns).toEqual(defaultSettings.turns);
    expect(defaultSettings.compaction.preset).toBe('roomy');
  });

  it('S2: replaces an ordered list as a whole', () => {
    const one = mergeSettings(defaultSettings, patchOf({ routing: { summarization_models: [haiku, qwen] } }));
    const two = mergeSettings(one, patchOf({ routing: { summarization_models: [qwen] } }));
    expect(two.routing).toEqual({ summarization_models: [qwen], auto_chain: [] });
  });

  it('merges one model at a time and removes it with null', () => {
    const one = mergeSettings(defaultSettings, patchOf({ models: { 'ollama/a/b:7b': { window: 32_000 } } }));
    const two = mergeSettings(one, patchOf({ models: { 'ollama/a/b:7b': { context_budget: 50_000 } } }));
    expect(two.models).toEqual({ 'ollama/a/b:7b': { window: 32_000, context_budget: 50_000, max_output: null } });
    expect(mergeSettings(two, patchOf({ models: { 'ollama/a/b:7b': null } })).models).toEqual({});
  });

  it('takes null as a value where null is one', () => {
    const chosen = mergeSettings(defaultSettings, patchOf({ context_budget: 100_000 }));
    expect(mergeSettings(chosen, patchOf({ context_budget: null })).context_budget).toBeNull();
    expect(mergeSettings(chosen, patchOf({})).context_budget).toBe(100_000);
  });

  it('after a patch the settings are whole and in range', () => {
    const merged = mergeSettings(defaultSettings, patchOf({ models: { 'x/y': {} }, cache: { anthropic_ttl: 'off' } }));
    expect(settingsSchema.parse(merged)).toEqual(merged);
  });
});

describe('a patch that is refused', () => {
  it.each(['__proto__', 'constructor', 'prototype'])('rel-X20: %s anywhere, and nothing is polluted', (key) => {
    for (const text of [
      `{"${key}":{"polluted":true}}`,
      `{"models":{"${key}":{"window":1}}}`,
      `{"compaction":{"${key}":{"auto":false}}}`,
      `{"models":{"x/y":{"${key}":1}}}`,
    ]) {
      expect(problemsOf(JSON.parse(text))).toHaveLength(1);
    }
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  it('names an unknown key, at the top and inside', () => {
    expect(problemsOf({ colour: 'red' })).toEqual(['']);
    expect(problemsOf({ compaction: { speed: 1 } })).toEqual(['compaction']);
  });

  it('S2, S3: a list holds no auto, no model twice, and at most 16', () => {
    const list = (summarization_models: unknown[]) => ({ routing: { summarization_models } });
    expect(problemsOf(list([{ provider: 'auto', model: 'auto' }]))).toContain(
      'routing.summarization_models.0.provider',
    );
    expect(problemsOf(list([{ provider: 'openai', model: 'auto' }]))).toEqual(['routing.summarization_models.0.model']);
    expect(problemsOf(list([haiku, qwen, haiku]))).toEqual(['routing.summarization_models']);
    expect(problemsOf(list(Array.from({ length: 17 }, (_, n) => ({ provider: 'p', model: `m${n}` }))))).toHaveLength(1);
  });

  it('is no object', () => {
    for (const input of [null, [], 'settings', 3]) expect(problemsOf(input)).toHaveLength(1);
  });
});

/** Contract 19, row by row: the smallest and largest value allowed, and one step beyond each. */
const ranges: [path: string, low: number, high: number, step: number][] = [
  ['context_budget', 2_000, 4_000_000, 1],
  ['compaction.trigger_ratio', 0.5, 0.95, 0.001],
  ['compaction.tail_ratio', 0, 0.4, 0.001],
  ['compaction.low_mark_ratio', 0.3, 0.8, 0.001],
  ['compaction.content_tries', 1, 4, 1],
  ['compaction.min_source_bytes', 200, 100_000, 1],
  ['carry_over.bound_bytes', 0, 65_536, 1],
  ['tools.result_cap_bytes', 1_024, 1_048_576, 1],
  ['tools.recall_cap_bytes', 1_024, 1_048_576, 1],
  ['turns.max_steps', 1, 500, 1],
  ['turns.stall_seconds', 10, 1_800, 1],
  ['requests.tries', 1, 6, 1],
  ['requests.retry_after_max_seconds', 1, 600, 1],
  ['subagents.max_depth', 0, 3, 1],
  ['subagents.max_running', 1, 8, 1],
  ['trash.keep_days', 1, 365, 1],
];

describe('ranges of contract 19', () => {
  it.each(ranges)('%s from %d to %d', (path, low, high, step) => {
    const at = (value: unknown) => path.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
    for (const inside of [low, high]) expect(parseSettingsPatch(at(inside)).ok).toBe(true);
    for (const outside of [low - step, high + step, Number.NaN, `${low}`])
      expect(problemsOf(at(outside))).toEqual([path]);
  });

  it('instructions of 4,000 bytes, not characters', () => {
    expect(parseSettingsPatch({ compaction: { instructions: 'ä'.repeat(2_000) } }).ok).toBe(true);
    expect(problemsOf({ compaction: { instructions: 'ä'.repeat(2_001) } })).toEqual(['compaction.instructions']);
  });
});
