import { describe, expect, it } from 'vitest';
import { compactionsAnswerSchema } from '@/server/contract/compactions';
import { recovers } from '@/server/core/map-reduce/play-segments';
import { aLog, type LogBuilder } from '@/server/core/projection/log-builder';
import { foldEvents } from '@/server/core/projection/log-state';
import { foldSession } from '@/server/core/projection/session-state';
import { toLedger } from './ledger';

const ledgerOf = (log: LogBuilder, isAuto = true) => toLedger(log.state(), log.log(), { isAuto });

/** A running turn whose automatic compaction failed, then this many replies with a call each. */
function failing(replies: number): LogBuilder {
  const log = aLog().says('one').replies('first').says('two').triesToCompact('failed', 'auto');
  for (let count = 0; count < replies; count += 1) log.calls('read_file');
  return log;
}

describe('the ledger of every attempt (X3, C10)', () => {
  it('a failure defers: the calls that were made without another attempt have a row of their own', () => {
    const { compactions, guards } = ledgerOf(failing(3));
    expect(compactions.map(({ outcome, deferral }) => [outcome, deferral?.calls ?? null])).toEqual([
      ['failed', null],
      ['deferred', 2],
    ]);
    const [failed, deferred] = compactions;
    expect(deferred).toMatchObject({ deferral: { after: failed?.compactionId }, attempts: [], reason: 'test' });
    expect(deferred?.compactionId).not.toBe(failed?.compactionId);
    expect(guards).toMatchObject({ state: 'deferred', deferredBy: failed?.compactionId, deferredCalls: 2 });
  });

  it('the call that the failed compaction was made for defers nothing', () => {
    expect(ledgerOf(failing(1)).compactions.map(({ outcome }) => outcome)).toEqual(['failed']);
  });

  it('C10: the next message is a fresh attempt; failures in a row are counted over turns, a summary ends them', () => {
    const log = failing(1).replies('done');
    expect(ledgerOf(log).guards).toMatchObject({ state: 'ready', failuresInARow: 1 });
    log.says('three').triesToCompact('rejected', 'auto').replies('done');
    const counted = ledgerOf(log).compactions.filter(({ outcome }) => outcome !== 'deferred');
    expect(counted.map(({ counters }) => counters.failuresInARow)).toEqual([1, 2]);
    log.says('four').compacts({ trigger: 'manual' });
    expect(ledgerOf(log).guards).toMatchObject({ state: 'ready', failuresInARow: 0, deferredBy: null });
  });

  it('a request of a person that fails is no failure of the automatic ones; a stopped one says who holds it back', () => {
    const log = aLog().says('one').replies('first').triesToCompact('failed', 'manual').says('two');
    expect(ledgerOf(log).guards).toMatchObject({ state: 'ready', failuresInARow: 0 });
    log.triesToCompact('cancelled', 'auto');
    expect(ledgerOf(log).guards.state).toBe('stopped');
    expect(ledgerOf(log, false).guards.state).toBe('off');
  });

  it('C10: refills are counted as they come, and the third is said', () => {
    const log = aLog().says('one').replies('first').says('two');
    for (let round = 0; round < 3; round += 1) log.compacts({ trigger: 'auto' }).calls('read_file');
    const { compactions, guards } = ledgerOf(log);
    expect(compactions.map(({ counters }) => counters.refills)).toEqual([0, 1, 2]);
    expect(guards).toMatchObject({ state: 'ready', refills: 2, refillLimit: 3 });
    log.append('note', { kind: 'refill_stop', text: 'It rests.' });
    expect(ledgerOf(log).guards).toMatchObject({ state: 'refill_stopped', refills: 3 });
  });

  it('C10: three replies between a commit and the next are no refill', () => {
    const log = aLog().says('one').replies('first').says('two').compacts({ trigger: 'auto' });
    log.calls('read_file').calls('read_file').calls('read_file').compacts({ trigger: 'auto' });
    expect(ledgerOf(log).compactions.map(({ counters }) => counters.refills)).toEqual([0, 0]);
  });

  it('C10: two replies between them are one', () => {
    const log = aLog().says('one').replies('first').says('two').compacts({ trigger: 'auto' });
    log.calls('read_file').calls('read_file').compacts({ trigger: 'auto' });
    expect(ledgerOf(log).compactions.map(({ counters }) => counters.refills)).toEqual([0, 1]);
  });

  it('C10, case-C06: one that a server left open when it went down is no failure of the summariser', () => {
    const log = aLog().says('one').replies('first').says('two').triesToCompact(undefined, 'auto');
    expect(ledgerOf(recovers(log)).guards).toMatchObject({ state: 'deferred', failuresInARow: 0 });
  });

  it('X5: a summary that was taken back says when, by its undo and by a rollback, and not while it is in force', () => {
    const log = aLog().says('one').replies('first').says('two').replies('second').compacts();
    const revertedOf = () => ledgerOf(log).compactions.map(({ reverted }) => reverted);
    expect(revertedOf()).toEqual([null]);
    const { checkpoint, head } = log.state();
    log.append('checkpoint.reverted', { checkpointId: checkpoint?.event.id ?? '', by: 'ada' });
    expect(revertedOf()).toEqual([{ at: log.events().at(-1)?.at }]);
    // Back at the line before the undo it is in force again.
    log.append('head.reverted', { to: head, item: null, from: log.state().head, by: 'ada' });
    expect(revertedOf()).toEqual([null]);
    const undoes = checkpoint?.event.id ?? '';
    log.append('head.restored', { to: checkpoint?.event.prev ?? 0, undoes, by: 'ada' });
    expect(revertedOf()).toEqual([{ at: log.events().at(-1)?.at }]);
    expect(compactionsAnswerSchema.parse(ledgerOf(log))).toEqual(ledgerOf(log));
  });

  it('L1: it is the same read anew from the lines, and passes its own schema', () => {
    const log = failing(3).replies('done').says('three').compacts({ trigger: 'auto' });
    const state = foldEvents(log.events());
    const again = toLedger(foldSession(state, log.state().branch), state);
    expect(again).toEqual(ledgerOf(log));
    expect(compactionsAnswerSchema.parse(again)).toEqual(again);
  });
});
