import { describe, expect, it } from 'vitest';
import { readTurnLedger } from './ledger';
import { begin, breaks, calls, last, longTalk, near, type Play, ran, says, tell, types } from './step-play';

describe('before a model call', () => {
  const commits = (play: Play, covers: number) => {
    play.log.compacts({ covers, trigger: 'auto' });
    tell(play, { type: 'compacted', outcome: 'committed', reason: null });
  };

  it('C1: over the trigger it compacts first, the message being answered counted', () => {
    const play = begin(longTalk(18), {}, 20_000);
    expect(last(play)).toEqual({ do: 'compact', trigger: 'auto' });
    commits(play, 16);
    expect(last(play)?.do).toBe('call');
    expect(begin(longTalk(14), {}, 20_000).commands.at(-1)?.do).toBe('call');
  });

  it('C10: after a failed one the trim serves, and no other is tried in this turn', () => {
    const play = begin(longTalk(24), {}, 20_000);
    play.log.triesToCompact('failed', 'auto');
    tell(play, { type: 'compacted', outcome: 'failed', reason: 'auth' });
    expect(types(play, 'compaction.ended')).toEqual(['view.trimmed']);
    expect(last(play)?.do).toBe('call');
    tell(play, calls('read_file'));
    tell(play, ran('c1', 'y'.repeat(4_000)));
    expect(play.commands.filter((command) => command.do === 'compact')).toHaveLength(1);
    expect(last(play)?.do).toBe('call');

    const next = begin(tell(play, says('Done.')).log.queues('more'), { turnId: '01J000000000000000000000T1' }, 20_000);
    expect(last(next)).toEqual({ do: 'compact', trigger: 'auto' });
  });

  it('C1: with automatic compaction off only the room trims (B4)', () => {
    const play = begin(longTalk(24), { autoCompaction: false }, 20_000);
    expect(play.commands.filter((command) => command.do === 'compact')).toEqual([]);
    expect(types(play, 'turn.started')).toEqual(['view.trimmed']);
    const call = last(play);
    expect(call?.do === 'call' && call.request.measureBytes).toBeLessThanOrEqual(20_000);
  });

  it('C10: the third refill in a row ends automatic compaction for the turn and says why', () => {
    let budget = 20_000;
    const play = begin(longTalk(18), {}, () => budget);
    for (let round = 1; round <= 3; round += 1) {
      expect(last(play)).toEqual({ do: 'compact', trigger: 'auto' });
      budget = 200_000;
      commits(play, play.log.state().items.length - 1);
      tell(play, calls('read_file'));
      budget = 3_000;
      tell(play, ran('c1', 'z'.repeat(4_000)));
    }
    expect(play.log.events().some((event) => event.type === 'note' && event.kind === 'refill_stop')).toBe(true);
    expect(last(play)?.do).toBe('call');
    expect(play.commands.filter((command) => command.do === 'compact')).toHaveLength(3);
  });

  it('B2: nothing to compact against a floor too big is said once, with its parts', () => {
    const play = begin(longTalk(18), {}, 20_000);
    tell(play, { type: 'compacted', outcome: 'nothing', reason: 'floor_too_big' });
    tell(play, calls('read_file'));
    tell(play, ran('c1', 'y'.repeat(3_000)));
    const notices = play.commands.filter((command) => command.do === 'notice');
    expect(notices).toMatchObject([{ code: 'floor_too_large', data: { parts: expect.any(Array) } }]);
    expect(play.commands.filter((command) => command.do === 'compact')).toHaveLength(1);
  });

  it('C10: a real overflow compacts once a turn, then trims to the low mark for one more call, then fails', () => {
    const play = begin(longTalk(10), {}, 100_000);
    tell(play, breaks('context', '', { reportedWindowTokens: 4_096 }));
    expect(last(play)).toEqual({ do: 'compact', trigger: 'overflow' });
    play.log.triesToCompact('failed', 'manual');
    tell(play, { type: 'compacted', outcome: 'failed', reason: 'network' });
    expect(play.log.events().at(-1)?.type).toBe('view.trimmed');
    expect(last(play)?.do).toBe('call');
    tell(play, breaks('context', ''));
    expect(play.log.events().at(-1)).toMatchObject({ outcome: 'failed', code: 'provider_context' });
    expect(play.log.events().some((event) => event.type === 'note' && event.kind === 'window')).toBe(true);
  });

  it('case-D09: after a successful recovery the same call is made once more', () => {
    const play = begin(longTalk(10), {}, 100_000);
    tell(play, breaks('context', ''));
    commits(play, 8);
    expect(last(play)?.do).toBe('call');
    tell(play, says('There.'));
    expect(play.log.events().at(-1)).toMatchObject({ outcome: 'finished' });
  });

  it('contract 11: a trim is lifted at turn entry when the model changed and all fits again', () => {
    const log = longTalk(8);
    log.trims({ 1: 'drop' });
    const same = begin(log, { chain: [{ provider: 'practice', model: 'rules-1' }] });
    expect(types(same, 'turn.started')).toEqual([]);
    const changed = begin(tell(same, says('ok')).log.queues('again'), { turnId: '01J000000000000000000000T1' });
    expect(types(changed, 'turn.started')).toEqual(['view.untrimmed']);
    expect(last(changed)?.do).toBe('call');
  });

  it('C10: a yes that resumes the turn is no fresh attempt', () => {
    const log = longTalk(24).startsQueued().triesToCompact('failed', 'auto').calls('write_file', {}, null);
    log.parks(['call_1']);
    const { turnId } = log.state().openTurn ?? { turnId: '' };
    expect(readTurnLedger(log.state())).toMatchObject({ deferred: true });
    log.append('turn.started', { turnId, messageId: null, why: 'approval', model: near, promptId: promptOf(log) });
    expect(readTurnLedger(log.state())).toMatchObject({ deferred: true, overflowUsed: false });
  });

  it('C10: refills of a turn go on counting where a yes takes it up, perhaps after a restart', () => {
    const log = longTalk(18).startsQueued();
    for (let round = 0; round < 3; round += 1)
      log.compacts({ trigger: 'auto' }).calls('read_file', {}, 'z'.repeat(4_000));
    log.parks([]);
    const { turnId } = log.state().openTurn ?? { turnId: '' };
    expect(readTurnLedger(log.state())).toMatchObject({ refills: 2, repliesSinceCommit: 1 });
    const play = begin(log, { turnId, messageId: null, why: 'approval' }, 3_000);
    expect(play.commands.filter((command) => command.do === 'compact')).toEqual([]);
    expect(types(play, 'turn.started')).toContain('note');
    expect(readTurnLedger(log.state()).refillStopped).toBe(true);
  });

  it('C10: one that a person stopped is not begun anew where a yes takes the turn up', () => {
    const log = longTalk(24).startsQueued().triesToCompact('cancelled', 'auto').calls('read_file');
    log.parks([]);
    const { turnId } = log.state().openTurn ?? { turnId: '' };
    const play = begin(log, { turnId, messageId: null, why: 'approval' }, 20_000);
    expect(readTurnLedger(log.state())).toMatchObject({ stopped: true, deferred: false });
    expect(play.commands.filter((command) => command.do === 'compact')).toEqual([]);
  });

  it('C10: recovery from a real overflow is spent for the whole turn, whoever takes it up again', () => {
    const log = longTalk(10).startsQueued().triesToCompact('failed', 'overflow').calls('read_file').parks([]);
    const { turnId } = log.state().openTurn ?? { turnId: '' };
    const play = begin(log, { turnId, messageId: null, why: 'approval' });
    tell(play, breaks('context', ''));
    expect(play.commands.filter((command) => command.do === 'compact')).toEqual([]);
    expect(types(play, 'turn.started')).toEqual(['view.trimmed']);
  });
});

const promptOf = (log: ReturnType<typeof longTalk>) => log.state().keptPrompt?.id ?? '';
