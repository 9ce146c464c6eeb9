import { describe, expect, it } from 'vitest';
import { AppError } from '@/server/contract/error';
import {
  defaultSettings,
  type PatchSettings,
  type SettingsAnswer,
  type SettingsPatch,
} from '@/server/contract/settings';
import { mergeSettings } from '@/server/contract/settings-merge';
import { type SettingsIo, saveSettings, touchedPaths } from './save-settings';

const answer = (revision: number, patch: SettingsPatch = {}): SettingsAnswer => ({
  revision,
  settings: mergeSettings(defaultSettings, patch),
  notes: [],
});

/** A server that holds `held` and refuses every other revision, as the real one does. */
function serverWith(held: SettingsAnswer): SettingsIo & { readonly sent: PatchSettings[] } {
  let now = held;
  const sent: PatchSettings[] = [];
  return {
    sent,
    fetch: async () => now,
    send: async (body) => {
      sent.push(body);
      if (body.revision !== now.revision) throw new AppError('conflict', 'The settings moved.');
      now = { ...now, revision: now.revision + 1, settings: mergeSettings(now.settings, body.settings) };
      return now;
    },
  };
}

describe('saving a setting with its revision', () => {
  it('writes from the revision it was made from', async () => {
    const server = serverWith(answer(7));
    const saved = await saveSettings(server, answer(7), { compaction: { auto: false } });
    expect([saved.outcome, saved.answer.revision, saved.answer.settings.compaction.auto]).toEqual(['saved', 8, false]);
  });

  it('writes again from the fresh revision when somebody changed something else', async () => {
    const server = serverWith(answer(9, { compaction: { trigger_ratio: 0.7 } }));
    const saved = await saveSettings(server, answer(7), { compaction: { auto: false } });
    expect(saved.outcome).toBe('saved');
    expect(server.sent.map((body) => body.revision)).toEqual([7, 9]);
    expect(saved.answer.settings.compaction).toMatchObject({ auto: false, trigger_ratio: 0.7 });
  });

  it('S1: asks when the same list was changed in another window, and writes nothing', async () => {
    const theirs = { routing: { summarization_models: [{ provider: 'anthropic', model: 'haiku-x' }] } };
    const server = serverWith(answer(9, theirs));
    const ours = { routing: { summarization_models: [{ provider: 'openai', model: 'gpt-x' }] } };
    const saved = await saveSettings(server, answer(7), ours);
    expect(saved.outcome).toBe('conflict');
    expect(saved.answer.settings.routing).toEqual({ ...theirs.routing, auto_chain: [] });
    expect(server.sent).toHaveLength(1);
  });

  it('throws any other refusal as it is, and gives up on a revision that never rests', async () => {
    const refuse = (code: 'invalid_request' | 'conflict'): SettingsIo => ({
      fetch: async () => answer(9),
      send: async () => {
        throw new AppError(code, 'No.');
      },
    });
    const patch = { compaction: { auto: false } };
    await expect(saveSettings(refuse('invalid_request'), answer(7), patch)).rejects.toMatchObject({
      code: 'invalid_request',
    });
    await expect(saveSettings(refuse('conflict'), answer(7), patch)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('touches lists and values, not the objects around them', () => {
    expect(touchedPaths({ routing: { auto_chain: [] }, context_budget: null })).toEqual([
      ['routing', 'auto_chain'],
      ['context_budget'],
    ]);
  });
});
