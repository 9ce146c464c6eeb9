import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '@/server/contract/events/event';
import { isSamePrompt, judgeBehind } from './behind';
import { composePrompt, type PromptSkill, type PromptSources } from './compose';

const id = (n: number) => `01J0000000000000000000000${n}`;
const ledger: PromptSkill = { id: id(2), name: 'Ledger', version: 2, instructions: 'Accounts.' };
const mail: PromptSkill = { id: id(3), name: 'Mail', version: 1, instructions: 'Be kind.' };

function compose(fields: Partial<PromptSources> = {}) {
  return composePrompt({
    application: 'You work here.',
    agent: { id: id(1), version: 4, instructions: 'Help.' },
    skills: [ledger],
    memories: [],
    tools: [{ name: 'recall', description: 'Reads back.', inputSchema: { type: 'object' } }],
    ...fields,
  });
}

function kept(fields: Partial<PromptSources> = {}): StoredEvent<'prompt.kept'> {
  const envelope = { v: 1, seq: 3, id: id(9), branch: id(8), at: '2026-01-01T00:00:00.000Z', prev: 2 };
  return { ...envelope, type: 'prompt.kept', ...compose(fields), why: 'first' };
}

describe('behind (P3, P4)', () => {
  it('P3: what would be composed now is what is kept: current', () => {
    expect(judgeBehind(kept(), compose())).toEqual({
      current: true,
      composedAt: '2026-01-01T00:00:00.000Z',
      instructionsChanged: false,
      memoriesChanged: false,
      toolsChanged: false,
      agentRemoved: false,
      skills: [],
      kept: { agentVersion: 4, skills: [{ id: id(2), name: 'Ledger', version: 2 }] },
      wouldBe: { agentVersion: 4, skills: [{ id: id(2), name: 'Ledger', version: 2 }] },
      hash: null,
    });
  });

  it('contract 15: nothing is behind before the first turn', () => {
    expect(judgeBehind(null, compose())).toMatchObject({ current: true, composedAt: null, hash: null });
  });

  it('P4: a skill published anew, one added and one removed are each named', () => {
    const newer = { ...ledger, version: 3, instructions: 'Accounts and tax.' };
    expect(judgeBehind(kept(), compose({ skills: [newer] })).skills).toEqual([
      { id: id(2), name: 'Ledger', change: 'newer', from: 2, to: 3 },
    ]);
    expect(judgeBehind(kept(), compose({ skills: [ledger, mail] })).skills).toEqual([
      { id: id(3), name: 'Mail', change: 'added', from: null, to: 1 },
    ]);
    expect(judgeBehind(kept(), compose({ skills: [] }))).toMatchObject({
      current: false,
      instructionsChanged: false,
      skills: [{ id: id(2), name: 'Ledger', change: 'removed', from: 2, to: null }],
    });
  });

  it('P4: edited instructions alone; memories alone; tools alone', () => {
    const edited = compose({ agent: { id: id(1), version: 5, instructions: 'Help more.' } });
    const none = {
      current: false,
      instructionsChanged: false,
      memoriesChanged: false,
      toolsChanged: false,
      skills: [],
    };
    expect(judgeBehind(kept(), edited)).toMatchObject({ ...none, instructionsChanged: true });
    const remembered = compose({ memories: [{ id: id(5), text: 'Off on Thursdays.' }] });
    expect(judgeBehind(kept(), remembered)).toMatchObject({ ...none, memoriesChanged: true });
    expect(judgeBehind(kept(), compose({ tools: [] }))).toMatchObject({ ...none, toolsChanged: true });
  });

  it('ux 8: a version that changed nothing a model reads is behind, with nothing to name', () => {
    const noted = compose({ agent: { id: id(1), version: 5, instructions: 'Help.' } });
    expect(judgeBehind(kept(), noted)).toMatchObject({ current: false, instructionsChanged: false, skills: [] });
  });

  it('contract 15: a deleted agent keeps its copy and leaves nothing to catch up with', () => {
    const status = judgeBehind(kept(), null);
    expect(status).toMatchObject({ current: true, agentRemoved: true, wouldBe: { agentVersion: 4 } });
    expect(status.hash).not.toBeNull();
  });

  it('ux 8: dismissed stays dismissed until the next version, whatever else happens', () => {
    const at = (version: number) => compose({ skills: [{ ...ledger, version }] });
    expect(judgeBehind(kept(), at(3)).hash).toBe(judgeBehind(kept({ skills: [mail] }), at(3)).hash);
    expect(judgeBehind(kept(), at(3)).hash).not.toBe(judgeBehind(kept(), at(4)).hash);
  });

  it('P1: a new wording of the application makes nothing behind, but is taken up at the next compaction', () => {
    const reworded = compose({ application: 'You work here now.' });
    expect(judgeBehind(kept(), reworded).current).toBe(true);
    expect(isSamePrompt(kept(), reworded)).toBe(false);
    expect(isSamePrompt(kept(), compose())).toBe(true);
  });
});
