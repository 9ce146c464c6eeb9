import { describe, expect, it } from 'vitest';
import { defaultSettings, settingsSchema } from './settings';
import { settingsFrom, settingsToStore } from './settings-stored';

const pathsOf = (stored: unknown) => settingsFrom(stored).refused.map(({ path }) => path.join('.'));

describe('settings as they are stored', () => {
  it('contract 19: come whole from nothing, and from any stored part', () => {
    expect(settingsFrom({})).toEqual({ settings: defaultSettings, refused: [] });
    expect(settingsFrom({ turns: { max_steps: 7 } }).settings.turns).toEqual({ max_steps: 7, stall_seconds: 120 });
  });

  it('contract 19: one value out of range costs that field alone, and is named', () => {
    const stored = {
      context_budget: 100_000,
      compaction: { trigger_ratio: 7, preview: true },
      routing: { auto_chain: [{ provider: 'openai', model: 'auto' }], summarization_models: [] },
      models: { 'x/y': { window: 0, max_output: 400 }, 'no key': { window: 5 } },
      turns: 3,
      colours: 'dark',
    };
    const { settings } = settingsFrom(stored);
    expect(settings.context_budget).toBe(100_000);
    expect(settings.compaction).toEqual({ ...defaultSettings.compaction, preview: true });
    expect(settings.models).toEqual({ 'x/y': { context_budget: null, window: null, max_output: 400 } });
    expect(settings.turns).toEqual(defaultSettings.turns);
    expect(settingsSchema.parse(settings)).toEqual(settings);
    expect([...pathsOf(stored)].sort()).toEqual([
      'colours',
      'compaction.trigger_ratio',
      'models.no key',
      'models.x/y.window',
      'routing.auto_chain',
      'turns',
    ]);
  });

  it.each([null, [], 'settings', 3])('%j is no settings: all by default, and it is said', (stored) => {
    expect(settingsFrom(stored)).toMatchObject({ settings: defaultSettings, refused: [{ path: [] }] });
  });

  it('rel-X20: a key that would reach a prototype is passed over like any other', () => {
    const stored: unknown = JSON.parse('{"compaction":{"__proto__":{"auto":false},"preview":true}}');
    expect(settingsFrom(stored).settings.compaction).toEqual({ ...defaultSettings.compaction, preview: true });
    expect(pathsOf(stored)).toEqual(['compaction.__proto__']);
  });

  it('contract 19: a refused value stays stored until somebody chooses another', () => {
    const stored = { compaction: { trigger_ratio: 7 }, colours: 'dark' };
    const { settings, refused } = settingsFrom(stored);
    const after = settingsToStore(settings, { stored, refused, patch: { compaction: { auto: false } } });
    expect(after).toMatchObject({ compaction: { trigger_ratio: 7, preset: 'roomy' }, colours: 'dark' });
    const chosen = settingsToStore(settings, { stored, refused, patch: { compaction: { trigger_ratio: 0.8 } } });
    expect(chosen).toMatchObject({ compaction: { trigger_ratio: 0.85 }, colours: 'dark' });
    expect(settingsToStore(settings, { stored: 'x', refused: settingsFrom('x').refused, patch: {} })).toEqual(settings);
  });
});
