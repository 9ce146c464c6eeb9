import { describe, expect, it } from 'vitest';
import { collectReply, NO_REPLY } from './collect-reply';

const call = (part: number, callId: string) =>
  ({ type: 'tool_call', part, callId, name: 'list_files', args: {}, argsError: null }) as const;

describe('a reply as it comes together', () => {
  it('T3: calls that share an id are told apart, in the message and in what is run', () => {
    const given = [call(0, 'same'), call(1, 'same'), call(2, 'other'), call(3, 'same_2'), call(4, 'same')];
    const reply = given.reduce(collectReply, NO_REPLY);
    const ids = ['same', 'same_2', 'other', 'same_2_2', 'same_3'];
    expect(reply.calls.map(({ callId }) => callId)).toEqual(ids);
    expect(reply.parts.map((part) => part.type === 'tool_call' && part.callId)).toEqual(ids);
  });
});
