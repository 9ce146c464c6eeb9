import { describe, expect, it } from 'vitest';
import { defaultSettings } from '@/server/contract/settings';
import type { SettingsStore } from '@/server/ports/stores';
import { createSettings } from './settings';

/** A store that holds what another version, or a hand, put there. */
function aStore(value: unknown): SettingsStore & { readonly held: () => unknown } {
  let row = { revision: 1, value };
  return {
    read: () => row,
    held: () => row.value,
    write: (revision, next) => {
      if (row.revision !== revision) return false;
      row = { revision: revision + 1, value: next };
      return true;
    },
  };
}

describe('settings in use', () => {
  it('contract 19: one stored value that is not allowed resets nothing else, is named, and is not overwritten', () => {
    const store = aStore({ ...defaultSettings, context_budget: 90_000, turns: { max_steps: 0, stall_seconds: 60 } });
    const settings = createSettings(store, () => []);
    expect(settings.current()).toMatchObject({ context_budget: 90_000, turns: { max_steps: 50, stall_seconds: 60 } });
    expect(settings.read().notes.map(({ path }) => path)).toEqual(['turns.max_steps']);

    const after = settings.patch({ revision: 1, settings: { compaction: { preview: true } } });
    expect(after.settings).toMatchObject({ context_budget: 90_000, compaction: { preview: true } });
    expect(after.notes.map(({ path }) => path)).toEqual(['turns.max_steps']);
    expect(store.held()).toMatchObject({ turns: { max_steps: 0, stall_seconds: 60 } });

    expect(settings.patch({ revision: 2, settings: { turns: { max_steps: 20 } } }).notes).toEqual([]);
    expect(store.held()).toMatchObject({ turns: { max_steps: 20 } });
  });

  it('contract 19: a patch made from an older revision is a conflict', () => {
    const settings = createSettings(aStore({}), () => []);
    expect(() => settings.patch({ revision: 0, settings: {} })).toThrow(
      expect.objectContaining({ code: 'conflict', details: { revision: 1 } }),
    );
  });
});
