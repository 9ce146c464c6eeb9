import { describe, expect, it } from 'vitest';
import type { NewEvent } from '@/server/core/log/new-event';
import { decideApproval } from './approvals';
import { begin, calls, last, ran, tell, types, waiting } from './step-play';

describe('tools of a turn', () => {
  it('contract 4: results stand in the order of the calls, each as soon as all before it are there', () => {
    const play = begin(waiting());
    tell(play, calls('read_file', 'read_file', 'read_file'));
    expect(last(play)).toMatchObject({ do: 'run', calls: [{ callId: 'c1' }, { callId: 'c2' }, { callId: 'c3' }] });
    tell(play, ran('c2', 'two'));
    expect(types(play, 'message.assistant')).toEqual([]);
    tell(play, ran('c1', 'one'));
    expect(types(play, 'message.assistant')).toEqual(['tool.result', 'tool.result']);
    tell(play, ran('c3', 'three'));
    const results = play.log.events().flatMap((event) => (event.type === 'tool.result' ? [event.parts] : []));
    expect(results.flat()).toMatchObject([{ text: 'one' }, { text: 'two' }, { text: 'three' }]);
    expect(last(play)?.do).toBe('call');
    expect(play.log.log().violations).toEqual([]);
  });

  it('L5: a plan set by a tool stands before its result and after the newest item', () => {
    const play = begin(waiting());
    tell(play, calls('read_file', 'read_file'));
    const plan: NewEvent = {
      type: 'plan.set',
      items: [{ id: '1', text: 'a', status: 'active' }],
      by: 'model',
      callId: 'c2',
    };
    tell(play, ran('c2', 'planned', { events: [plan] }));
    tell(play, ran('c1'));
    expect(types(play, 'message.assistant')).toEqual(['tool.result', 'plan.set', 'tool.result']);
    const [first, set] = play.log.events().slice(-3);
    expect(set).toMatchObject({ type: 'plan.set', after: first?.id });
    expect(play.log.log().violations).toEqual([]);
  });

  it('M4: a long result is capped for the view from its first appearance; the log keeps it whole', () => {
    const play = begin(waiting(), {}, 20_000);
    tell(play, calls('read_file'));
    tell(play, ran('c1', 'x'.repeat(9_000)));
    const event = play.log.events().findLast((line) => line.type === 'tool.result');
    expect(event).toMatchObject({ parts: [{ text: 'x'.repeat(9_000) }] });
    expect(event?.type === 'tool.result' && event.cap).toMatchObject({ headBytes: expect.any(Number) });
    expect(event?.type === 'tool.result' && (event.viewBytes ?? 0)).toBeLessThan(3_600);
  });

  it('T3: unknown tools and broken arguments are answered, not run, and end nothing', () => {
    const play = begin(waiting());
    tell(play, calls('no_such_tool', ['read_file', 'Unexpected end.']));
    const results = play.log.events().flatMap((event) => (event.type === 'tool.result' ? [event] : []));
    expect(results.map((event) => [event.why, event.isError])).toEqual([
      ['unknown_tool', true],
      ['invalid_arguments', true],
    ]);
    expect(last(play)?.do).toBe('call');
  });

  it('T2: a tool that asks parks the turn; the yes takes it up where it stood', () => {
    const play = begin(waiting());
    tell(play, calls('read_file', 'write_file', 'read_file'));
    expect(last(play)).toMatchObject({ do: 'run', calls: [{ callId: 'c1' }] });
    tell(play, ran('c1'));
    expect(types(play, 'message.assistant')).toEqual(['approval.asked', 'tool.result', 'turn.parked']);
    expect(last(play)).toEqual({ do: 'done', outcome: 'parked' });

    const asked = play.log.events().findLast((event) => event.type === 'approval.asked');
    if (asked?.type !== 'approval.asked') throw new TypeError('not asked');
    play.log.append('approval.decided', { callId: 'c2', argsHash: asked.argsHash, decision: 'approve', by: 'ada' });
    const resumed = begin(play.log, { why: 'approval', messageId: null });
    expect(last(resumed)).toMatchObject({ do: 'run', calls: [{ callId: 'c2' }, { callId: 'c3' }] });
    expect(types(resumed, 'turn.started')).toEqual(['tool.started']);
    tell(resumed, ran('c3'));
    tell(resumed, ran('c2'));
    expect(last(resumed)?.do).toBe('call');
    expect(resumed.log.log().violations).toEqual([]);
  });

  it('T2: a no is a result, and a yes for the conversation is not asked again', () => {
    const play = begin(waiting());
    tell(play, calls('write_file'));
    const asked = play.log.events().findLast((event) => event.type === 'approval.asked');
    if (asked?.type !== 'approval.asked') throw new TypeError('not asked');
    const decided = { callId: 'c1', argsHash: asked.argsHash, by: 'ada' } as const;
    play.log.append('approval.decided', { ...decided, decision: 'deny' });
    const resumed = begin(play.log, { why: 'approval', messageId: null });
    const denied = play.log.events().findLast((event) => event.type === 'tool.result');
    expect(denied).toMatchObject({ why: 'denied', parts: [{ text: 'The person did not allow this.' }] });

    tell(resumed, calls('write_file'));
    const again = play.log.events().findLast((event) => event.type === 'approval.asked');
    if (again?.type !== 'approval.asked') throw new TypeError('not asked');
    play.log.append('approval.decided', {
      ...decided,
      argsHash: again.argsHash,
      decision: 'approve',
      scope: 'conversation',
    });
    const third = begin(play.log, { why: 'approval', messageId: null });
    tell(third, ran('c1'));
    tell(third, calls('write_file'));
    expect(last(third)).toMatchObject({ do: 'run', calls: [{ callId: 'c1' }] });
  });

  it('T2: a yes to other arguments, or to an older call of the same id, is no yes', () => {
    const play = begin(waiting());
    tell(play, calls('write_file'));
    const asked = play.log.events().findLast((event) => event.type === 'approval.asked');
    if (asked?.type !== 'approval.asked') throw new TypeError('not asked');
    const yes = { callId: 'c1', decision: 'approve', by: 'ada' } as const;
    const policy = { approval: 'ask', effects: true } as const;
    const call = { type: 'tool_call', part: 0, callId: 'c1', name: 'write_file', args: {}, argsError: null } as const;
    play.log.append('approval.decided', { ...yes, argsHash: asked.argsHash });
    const decide = (argsHash: string) => decideApproval(play.log.state(), { call, policy, argsHash });
    expect(decide(asked.argsHash)).toBe('run');
    expect(decide('0'.repeat(64))).toBe('ask');
    play.log.answers('c1', 'written').calls('write_file', {}, null);
    expect(decide(asked.argsHash)).toBe('ask');
    expect(decideApproval(play.log.state(), { call, policy: { ...policy, approval: 'deny' }, argsHash: '' })).toBe(
      'deny',
    );
  });
});
