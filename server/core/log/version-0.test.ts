import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { appendToLog, foldLog } from '@/server/core/projection/log-state';
import { NO_PROMPT, projectView } from '@/server/core/projection/model-view';
import { findUnpaired } from '@/server/core/projection/model-view-pairing';
import { foldSession } from '@/server/core/projection/session-state';
import type { LogState } from '@/server/core/projection/state-shape';
import { planFork } from '@/server/core/travel/plan-fork';
import { planRevert } from '@/server/core/travel/plan-revert';
import { planRollback } from '@/server/core/travel/plan-rollback';
import { checkLog } from './check-log';
import { prepareDraft } from './encode-line-draft';
import { type NewEvent, stampEvents } from './new-event';
import { finishScan, scanChunk, startScan } from './scan-log';

/** Written by hand: lines without `v`, `c` and `seq`, `plan.set` without `after` (contract 1, 5). */
const bytes = readFileSync(fileURLToPath(new URL('fixtures/version-0.jsonl', import.meta.url)));

const read = (file: Uint8Array) => {
  const { state, records } = scanChunk(startScan(), file);
  return [...records, ...finishScan(state).records];
};
const log = foldLog(read(bytes));
const stateOf = (of: LogState, branch = log.logId) => foldSession(of, branch);
const planOf = (of: LogState, branch?: string) => stateOf(of, branch).plan?.items.map(({ status }) => status) ?? null;

/** The log with these events more, as today's writer would append them. */
function append(to: LogState, events: readonly NewEvent[], opens?: { branch: string; head: number }): LogState {
  const { branch, head } = opens ?? stateOf(to);
  let made = to.newestSeq;
  const nextId = () => {
    made += 1;
    return `01K1${String(made).padStart(22, '0')}`;
  };
  return stampEvents(events, { branch, logId: to.logId, head, at: '2026-01-01T00:00:00.000Z', nextId }).reduce(
    (state, draft) => {
      const prepared = prepareDraft(draft);
      if (prepared.kind === 'refused') throw new TypeError(prepared.why);
      const { prev } = draft;
      const link = typeof prev === 'object' && prev !== null ? (state.byId.get(prev.id)?.seq ?? null) : (prev ?? null);
      return appendToLog(state, prepared.draft.place({ seq: state.newestSeq + 1, prev: link }).event);
    },
    to,
  );
}

const eventsOf = (plan: ReturnType<typeof planRevert>) => (plan.ok ? plan.events : expect.fail(plan.text));
const revertTo = (of: LogState, itemId: string | null) =>
  append(of, eventsOf(planRevert({ log: of, state: stateOf(of), itemId, by: 'owner' })));

describe('a log of version 0', () => {
  it('contract 1: is whole: nothing is damage, every line has the number it stands on', () => {
    const records = read(bytes);
    expect(records.map(({ kind }) => kind)).toEqual(records.map(() => 'event'));
    expect(checkLog(records).violations).toEqual([]);
    const state = stateOf(log);
    expect(state.items.map(({ event }) => event.type)).toEqual([
      'message.user',
      'message.assistant',
      'tool.result',
      'message.assistant',
      'message.user',
      'message.assistant',
    ]);
    expect(findUnpaired(projectView({ state, prompt: NO_PROMPT, model: null, moment: 'entry' }))).toEqual([]);
  });

  it('L5: a plan without a binding is used at its head', () => {
    expect(planOf(log)).toEqual(['done']);
  });

  it('L5: it is not guessed for an earlier selection: not after a revert, not on a fork, at any item', () => {
    for (const { id } of stateOf(log).items) {
      expect(planOf(revertTo(log, id)), id).toBeNull();
      const fork = planFork(log, stateOf(log), id);
      if (!fork.ok) throw new TypeError(fork.text);
      const branch = '01K00000000000000000000099';
      expect(planOf(append(log, [fork.opened], { branch, head: fork.head }), branch), id).toBeNull();
    }
  });

  it('L5: a rollback restores the exact prior one, without a binding too', () => {
    const reverted = revertTo(log, stateOf(log).items[1]?.id ?? '');
    const back = append(reverted, eventsOf(planRollback(reverted, stateOf(reverted), 'owner')));
    expect(planOf(back)).toEqual(['done']);
  });

  it('L5: a return to the very head it was left at is no selection of an earlier item: it is used there again', () => {
    const left = stateOf(log).path.at(-1)?.id ?? '';
    const reverted = revertTo(log, stateOf(log).items[1]?.id ?? '');
    expect(planOf(revertTo(reverted, left))).toEqual(['done']);
    // At its newest item alone it is a selection, and from a place left in between nothing is guessed either.
    expect(planOf(revertTo(reverted, stateOf(log).items.at(-1)?.id ?? ''))).toBeNull();
    const again = revertTo(
      revertTo(reverted, stateOf(log).items[0]?.id ?? ''),
      stateOf(reverted).path.at(-1)?.id ?? '',
    );
    expect(planOf(again)).toBeNull();
  });

  it('L5: a bound plan set later is resolved at every item from there on, beside the older ones', () => {
    const newest = stateOf(log).items.at(-1)?.id ?? null;
    const items = [{ id: 'p2', text: 'write it', status: 'pending' as const }];
    const bound = append(log, [{ type: 'plan.set', items, by: 'person', after: newest }]);
    expect(planOf(bound)).toEqual(['pending']);
    expect(planOf(revertTo(bound, newest))).toBeNull();
  });

  it('R5: staging of older versions is kept and read, and breaks no rule', () => {
    const lines = [
      `{"id":"01K00000000000000000000050","branch":"${log.logId}","at":"2025-06-01T09:00:00.000Z","type":"staging.buffer","text":"half a summary"}`,
      `{"id":"01K00000000000000000000051","branch":"${log.logId}","at":"2025-06-01T09:00:01.000Z","type":"staging.map","compactionId":"01K00000000000000000000060","version":1,"text":"bytes 0 to 400","from":0,"to":400}`,
    ];
    const records = read(Buffer.concat([bytes, Buffer.from(`${lines.join('\n')}\n`)]));
    expect(checkLog(records).violations).toEqual([]);
    expect(stateOf(foldLog(records)).compactions.map(({ type }) => type)).toEqual(['staging.buffer', 'staging.map']);
  });
});
