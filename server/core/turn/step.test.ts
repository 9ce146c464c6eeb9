import { describe, expect, it } from 'vitest';
import { STEP_LIMIT_TEXT } from '@/server/core/prompt/wording';
import type { ReplyPart } from './model-call';
import { stepTurn } from './step';
import {
  begin,
  breaks,
  calls,
  collect,
  end,
  far,
  last,
  near,
  ran,
  says,
  sceneOf,
  tell,
  trouble,
  types,
  usage,
  waiting,
} from './step-play';

describe('a turn', () => {
  it('contract 15: the first one keeps the prompt just before it starts', () => {
    const play = begin(waiting());
    expect(types(play, 'message.user')).toEqual(['prompt.kept', 'turn.started']);
    const second = begin(tell(play, says('Hi.')).log.queues('more'), { turnId: '01J000000000000000000000T1' });
    expect(types(second, 'message.user')).toEqual(['turn.started']);
  });

  it('T3: a whole reply is appended under the id it streamed with, then the turn ends', () => {
    const play = begin(waiting());
    const call = last(play);
    tell(play, says('Hi.'));
    const [reply, ended] = play.log.events().slice(-2);
    expect(call?.do === 'call' && call.messageId).toBe(reply?.id);
    expect(reply).toMatchObject({
      type: 'message.assistant',
      parts: [{ type: 'text', text: 'Hi.' }],
      end: 'stop',
      usage,
      step: 0,
    });
    expect(ended).toMatchObject({ type: 'turn.ended', outcome: 'finished', code: null, steps: 1 });
    expect(last(play)).toEqual({ do: 'done', outcome: 'finished' });
    expect(play.log.log().violations).toEqual([]);
  });

  it('case-B04: an end without a word is a failure that says so, never an empty message', () => {
    const play = begin(waiting());
    tell(play, says(' ', { natural: false, trouble: trouble('incomplete', { code: 'empty' }) }));
    expect(types(play, 'turn.started')).toEqual(['turn.ended']);
    expect(play.log.events().at(-1)).toMatchObject({ outcome: 'failed', code: 'provider_incomplete' });
  });

  it('case-D02: a stream that ended without an end is incomplete: the turn ends, its text is kept', () => {
    const play = begin(waiting());
    tell(play, { type: 'replied', reply: collect([{ type: 'text', part: 0, text: 'Half a' }]), ms: 4 });
    const [reply, ended] = play.log.events().slice(-2);
    expect(reply).toMatchObject({ type: 'message.assistant', end: 'error', parts: [{ text: 'Half a' }] });
    expect(ended).toMatchObject({ type: 'turn.ended', outcome: 'failed', code: 'provider_incomplete' });
    expect(last(play)).toEqual({ do: 'done', outcome: 'failed' });
  });

  it('case-D09: a real output limit is cut off, not an overflow', () => {
    const play = begin(waiting());
    tell(play, says('Half a', { end: 'length', rawEnd: 'length', natural: false }));
    expect(play.log.events().at(-2)).toMatchObject({ type: 'message.assistant', end: 'length' });
    expect(play.log.events().at(-1)).toMatchObject({ outcome: 'failed', code: 'provider_incomplete' });
  });

  it('case-D02: the text of a reply that broke off is kept, its calls are neither run nor stored', () => {
    const play = begin(waiting(), { chain: [near] });
    const half: ReplyPart[] = [
      { type: 'text', part: 0, text: 'The port is 74' },
      { type: 'tool_call', part: 1, callId: 'c1', name: 'read_file', args: {}, argsError: null },
      end({ end: 'error', rawEnd: 'weird', natural: false, trouble: trouble('incomplete') }),
    ];
    tell(play, { type: 'replied', reply: collect(half), ms: 1 });
    expect(play.log.events().at(-2)).toMatchObject({ end: 'error', parts: [{ type: 'text', text: 'The port is 74' }] });
    expect(play.log.log().violations).toEqual([]);
  });

  it('T3: the step limit withdraws the tools and asks for one last reply', () => {
    const play = begin(waiting(), { maxSteps: 1 });
    tell(play, calls('read_file'));
    tell(play, ran('c1'));
    const call = last(play);
    expect(call?.do === 'call' && call.request.toolChoice).toBe('none');
    expect(JSON.stringify(call)).toContain(STEP_LIMIT_TEXT);
    tell(play, says('So far so good.'));
    expect(play.log.events().at(-1)).toMatchObject({ outcome: 'finished', code: 'step_limit', steps: 2 });
  });

  it('T3: calls in that last reply are not run, its text is kept', () => {
    const play = begin(waiting(), { maxSteps: 1 });
    tell(play, calls('read_file'));
    tell(play, ran('c1'));
    tell(play, calls('read_file'));
    expect(types(play, 'tool.result')).toEqual(['turn.ended']);
    expect(play.log.events().at(-1)).toMatchObject({ outcome: 'finished', code: 'step_limit' });
  });
});

describe('troubles of a model call', () => {
  it('contract 10, C9: tried again with the partial text dropped, then the next model, said in the transcript (G2)', () => {
    const play = begin(waiting());
    for (let tries = 0; tries < 2; tries += 1) {
      tell(play, breaks('rate_limit'));
      expect(last(play)).toEqual({ do: 'wait', ms: 1_000 });
      tell(play, { type: 'waited' });
    }
    tell(play, breaks('rate_limit'));
    const call = last(play);
    expect(call?.do === 'call' && call.model).toEqual(far);
    tell(play, says('Hi from far.'));
    expect(types(play, 'turn.started')).toEqual(['note', 'note', 'note', 'message.assistant', 'turn.ended']);
    expect(play.log.events().findLast((event) => event.type === 'note')).toMatchObject({
      kind: 'failover',
      text: 'near is limiting requests. Continuing with big-2.',
    });
    expect(play.log.events().at(-2)).toMatchObject({ model: far });
    expect(play.commands.filter((command) => command.do === 'reset')).toHaveLength(3);
  });

  it('contract 10: a refusal ends the turn; the last partial of a spent chain is kept', () => {
    const refused = begin(waiting());
    tell(refused, says('', { end: 'refusal', rawEnd: 'refusal', natural: false, trouble: trouble('refusal') }));
    expect(refused.log.events().at(-1)).toMatchObject({ outcome: 'failed', code: 'provider_refusal' });
    const spent = begin(waiting(), { chain: [near] });
    tell(spent, breaks('auth', 'part of it', { status: 401 }));
    expect(spent.log.events().at(-2)).toMatchObject({ end: 'error', parts: [{ text: 'part of it' }] });
    expect(spent.log.events().at(-1)).toMatchObject({ code: 'provider_auth', detail: { status: 401 } });
  });

  it('T3: stop keeps what was said, answers what ran, and ends the turn from anywhere', () => {
    const speaking = begin(waiting());
    tell(speaking, {
      type: 'stopped',
      why: 'cancelled',
      reply: collect([{ type: 'text', part: 0, text: 'I was' }]),
      ms: 9,
    });
    expect(speaking.log.events().at(-2)).toMatchObject({ end: 'cancelled', parts: [{ text: 'I was' }] });
    expect(speaking.log.events().at(-1)).toMatchObject({ outcome: 'cancelled', code: 'cancelled' });

    const running = begin(waiting());
    tell(running, calls('read_file', 'read_file'));
    tell(running, ran('c2', 'two'));
    tell(running, { type: 'stopped', why: 'interrupted', reply: null, ms: 0 });
    const results = running.log.events().flatMap((event) => (event.type === 'tool.result' ? [event.why] : []));
    expect(results).toEqual(['interrupted', 'ran']);
    expect(running.log.log().violations).toEqual([]);
    expect(stepTurn(running.machine, { type: 'waited' }, sceneOf(running.log, near, 'step', 9_000)).commands).toEqual(
      [],
    );
  });
});
