import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '@/server/contract/events/event';
import { aLog, type LogBuilder } from '@/server/core/projection/log-builder';
import { stateLinesOf } from '@/server/core/projection/log-state-path';
import type { LogState, SessionState } from '@/server/core/projection/state-shape';
import { countDeferredCalls, foldGuards, NO_GUARDS } from '@/server/core/turn/guards';
import { readLedgerGuards } from './ledger-guards';

/** What it promises to say: every line of the branch folded, one after the other. */
function foldAll({ branch }: SessionState, log: LogState): ReturnType<typeof readLedgerGuards> {
  const state = log.branches.get(branch);
  const counters = new Map();
  const deferrals = new Map();
  const ends = new Map<string, StoredEvent<'compaction.ended'>>();
  let now = NO_GUARDS;
  for (const event of state ? stateLinesOf(log, state) : []) {
    now = foldGuards(now, event);
    if (event.type === 'compaction.ended') ends.set(event.compactionId, event);
    if (event.type === 'compaction.started' || event.type === 'compaction.ended')
      counters.set(event.compactionId, { failuresInARow: now.failuresInARow, refills: now.refills });
    const calls = event.type === 'message.assistant' ? countDeferredCalls(now) : 0;
    const ended = calls === 0 ? undefined : ends.get(now.deferredBy ?? '');
    if (ended) deferrals.set(ended.compactionId, { ended, calls, seq: event.seq, at: event.at });
  }
  return { now, counters, deferrals };
}

const STEPS: readonly ((story: LogBuilder) => unknown)[] = [
  (story) => story.says('one'),
  (story) => story.calls('read_file'),
  (story) => story.calls('read_file'),
  (story) => story.replies('done'),
  (story) => story.triesToCompact('failed', 'auto'),
  (story) => story.triesToCompact('rejected', 'overflow'),
  (story) => story.triesToCompact('cancelled', 'auto'),
  (story) => story.triesToCompact('failed', 'manual'),
  (story) => story.compacts({ trigger: 'auto' }),
  (story) => story.append('note', { kind: 'refill_stop', text: 'It rests.' }),
  (story) => {
    const open = story.state().openTurn;
    if (open === null) return;
    const { turnId, model, promptId } = open;
    story.append('turn.started', { turnId, messageId: null, why: 'approval', model, promptId });
  },
];

describe('the guards of the ledger (C10)', () => {
  it('C10: read from few lines they are what folding each line says, 400 random talks (law)', () => {
    let deferred = 0;
    fc.assert(
      fc.property(fc.array(fc.nat(STEPS.length - 1), { minLength: 4, maxLength: 40 }), (steps) => {
        const story = aLog().says('first').replies('reply').says('second');
        for (const step of steps) STEPS[step]?.(story);
        const read = readLedgerGuards(story.state(), story.log());
        expect(read).toEqual(foldAll(story.state(), story.log()));
        deferred += read.deferrals.size;
      }),
      { numRuns: 400 },
    );
    expect(deferred).toBeGreaterThan(0);
  });
});
