import { describe, expect, it } from 'vitest';
import { type Message, messageSchema } from '@/server/contract/message';
import { aLog } from './log-builder';
import { foldEvents } from './log-state';
import { foldSession } from './session-state';
import { projectTranscript } from './transcript';
import { takePage } from './transcript-page';

type Story = ReturnType<typeof aLog>;

function transcriptOf(story: Story): readonly Message[] {
  const messages = projectTranscript(story.state(), story.log());
  for (const message of messages) messageSchema.parse(message);
  return messages;
}

const outline = (messages: readonly Message[]) =>
  messages.map(({ role, parts }) => {
    const [part] = parts;
    return `${role}${part?.type === 'text' ? ` ${part.text.split('\n')[0]}` : ''}`;
  });

const callOf = (messages: readonly Message[], callId: string) =>
  messages.flatMap(({ parts }) => [...parts]).find((part) => part.type === 'tool_call' && part.callId === callId);

describe('the transcript', () => {
  it('contract 17: shows items at their points, queued messages last with their own line', () => {
    const story = aLog().says('one').calls('read_file', { path: 'a' }, 'text').queues('later').replies('1');
    const messages = transcriptOf(story);
    expect(outline(messages)).toEqual(['user one', 'assistant', 'tool', 'assistant 1', 'user later']);
    expect(messages[0]?.seq).toBe(story.item(1).point);
    expect(messages.at(-1)).toMatchObject({
      metadata: { queued: true, number: null },
      seq: story.state().queue[0]?.seq,
    });
  });

  it('C16, contract 11: a boundary stands right after the item its summary_through names, undone ones too', () => {
    const story = aLog().says('one').replies('1').says('two').replies('2').compacts({ covers: 2, text: 'S1' });
    expect(outline(transcriptOf(story))).toEqual(['user one', 'assistant 1', 'summary S1', 'user two', 'assistant 2']);
    expect(transcriptOf(story)[2]).toMatchObject({
      metadata: {
        summary_through: story.itemId(2),
        inForce: true,
        trigger: 'manual',
        attempts: 1,
        counts: { user: 1, assistant: 1, tool: 0, summaries: 0 },
      },
    });
    story.undoesCheckpoint();
    expect(transcriptOf(story)[2]).toMatchObject({
      role: 'summary',
      metadata: { inForce: false, reverted: { by: 'ada' } },
    });
  });

  it('contract 11: a trim stands after the item that was newest then, lifted or not', () => {
    const story = aLog().says('one').calls('read', {}, 'a').replies('1').trims({ 3: 'stub' }).says('two').replies('2');
    expect(outline(transcriptOf(story))[4]).toBe('trim');
    expect(transcriptOf(story.untrims())[4]).toMatchObject({
      metadata: { items: [story.itemId(3)], lifted: { why: 'room' } },
    });
  });

  it('T3, T4: a turn that did not simply finish says why, where it ended', () => {
    const story = aLog().says('one').fails('provider_network').says('two').replies('2');
    const messages = transcriptOf(story);
    expect(outline(messages)).toEqual(['user one', 'note It ended with provider_network.', 'user two', 'assistant 2']);
    expect(messages[1]).toMatchObject({
      metadata: { kind: 'turn_ended', turn: { outcome: 'failed', code: 'provider_network' } },
    });
  });

  it('shows notes where they stand and sends them to nobody', () => {
    const story = aLog()
      .says('one')
      .append('note', { kind: 'failover', text: 'Went on with another model.' })
      .replies('1');
    expect(outline(transcriptOf(story))).toEqual(['user one', 'note Went on with another model.', 'assistant 1']);
    expect(story.state().items).toHaveLength(2);
  });

  it('says of each call what became of it', () => {
    const story = aLog()
      .says('go')
      .batch([
        { name: 'a', result: 'fine' },
        { name: 'b', result: 'Error: no', options: { isError: true } },
        { name: 'c', result: 'The person did not allow this.', options: { why: 'denied' } },
        { name: 'd', result: null },
      ]);
    const stateOf = (callId: string) => callOf(transcriptOf(story), callId);
    expect(stateOf('call_1')).toMatchObject({ state: 'done' });
    expect(stateOf('call_2')).toMatchObject({ state: 'failed' });
    expect(stateOf('call_3')).toMatchObject({ state: 'denied' });
    expect(stateOf('call_4')).toMatchObject({ state: 'announced' });
    story.append('tool.started', { callId: 'call_4', name: 'd' });
    expect(stateOf('call_4')).toMatchObject({ state: 'running' });
    expect(callOf(transcriptOf(story.forks(3)), 'call_4')).toMatchObject({ state: 'none' });
  });

  it('contract 14: a call that waits shows what the person is asked, and a repeated call id means its own message', () => {
    const argsHash = 'a'.repeat(64);
    const story = aLog()
      .says('go')
      .batch([{ name: 'write_file', callId: 'call_0' }])
      .batch([{ name: 'write_file', callId: 'call_0', result: null }]);
    story
      .append('approval.asked', { callId: 'call_0', name: 'write_file', argsHash, preview: '+ line' })
      .parks(['call_0']);
    const calls = transcriptOf(story).flatMap(({ parts }) => parts.filter((part) => part.type === 'tool_call'));
    expect(calls).toMatchObject([{ state: 'done' }, { state: 'waiting_approval', preview: '+ line' }]);
  });

  it('M1: a masked result is marked with what the model noted', () => {
    const story = aLog().says('one').calls('read', {}, 'long').masks(3, 'only the first line matters').replies('1');
    expect(transcriptOf(story)[2]?.parts[0]).toMatchObject({
      output: 'long',
      bytes: 4,
      masked: true,
      maskNote: 'only the first line matters',
    });
  });

  it('contract 2: a subagent is marked under its call', () => {
    const story = aLog().says('go').calls('delegate', { task: 'x' }, null);
    const main = story.branch;
    const child = story.delegates('call_1').says('x').replies('found').branch;
    expect(callOf(transcriptOf(story.on(main)), 'call_1')).toMatchObject({ subagent: { sessionId: child } });
  });

  it('N2: a reply of the practice model says so; a partial reply keeps how it ended', () => {
    const story = aLog()
      .says('one')
      .replies('1', { simulated: true })
      .says('two')
      .thinks([{ type: 'text', text: 'half' }], { end: 'interrupted' });
    const [, first, , second] = transcriptOf(story.ends('interrupted'));
    expect(first).toMatchObject({ metadata: { simulated: true } });
    expect(second).toMatchObject({ metadata: { end: 'interrupted' } });
  });

  it('contract 17: items with others at their place name them, after an edit and after another try', () => {
    const story = aLog().says('one').replies('1').says('two').replies('2');
    const old = story.itemId(3);
    story.reverts(2).says('TWO').replies('2b');
    expect(transcriptOf(story)[2]?.metadata).toMatchObject({ alternatives: { index: 1, ids: [old, story.itemId(3)] } });
    expect(transcriptOf(story)[1]?.metadata).not.toHaveProperty('alternatives');
    story.reverts(3).continues().replies('2c');
    expect(transcriptOf(story)[3]?.metadata).toMatchObject({ alternatives: { index: 1 } });
  });

  it('contract 5: an event that broke a rule, and a line of a newer version, are drawn as unreadable', () => {
    const story = aLog()
      .says('one')
      .replies('1')
      .append('plan.set', { items: [], after: aLog().says('x').itemId(1) });
    story.appendsNewer({ prev: story.state().head });
    const notes = transcriptOf(story).filter(({ role }) => role === 'note');
    expect(notes).toMatchObject([
      { metadata: { kind: 'unreadable', data: { rule: 'plan_binding' } } },
      { metadata: { kind: 'unreadable', data: { type: 'future.thing' } } },
    ]);
  });

  it('L6: a place where a line is lost is shown', () => {
    const story = aLog().says('one').replies('1').says('two').replies('2');
    const lost = story.events().findLast((event) => event.type === 'message.assistant');
    const log = foldEvents(story.events().filter((event) => event !== lost));
    const messages = projectTranscript(foldSession(log, story.branch), log);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'note']);
    for (const message of messages) messageSchema.parse(message);
  });
});

describe('pages of a transcript', () => {
  const story = aLog().says('1').replies('2').says('3').replies('4').says('5').replies('6');
  const messages = projectTranscript(story.state(), story.log());
  const page = (request: { before?: string; after?: string; limit: number }) => {
    const { messages: taken, hasBefore, hasAfter } = takePage(messages, request);
    return [taken.map(({ parts }) => (parts[0]?.type === 'text' ? parts[0].text : '')).join(''), hasBefore, hasAfter];
  };

  it('the newest page comes without an anchor', () => {
    expect(page({ limit: 2 })).toEqual(['56', true, false]);
    expect(page({ limit: 100 })).toEqual(['123456', false, false]);
  });

  it('pages go back and forth from any message', () => {
    expect(page({ before: story.itemId(5), limit: 3 })).toEqual(['234', true, true]);
    expect(page({ after: story.itemId(1), limit: 2 })).toEqual(['23', true, true]);
    expect(page({ after: story.itemId(4), limit: 9 })).toEqual(['56', true, false]);
  });

  it('a message that is not there any more is said to be none', () => {
    expect(() => takePage(messages, { after: 'gone', limit: 1 })).toThrow('not part of this conversation');
  });

  it('a long output may come clipped at a whole character, and says so', () => {
    const long = aLog().says('go').calls('read', {}, 'äöü').replies('1');
    const all = projectTranscript(long.state(), long.log());
    expect(takePage(all, { limit: 9, clipBytes: 3 }).messages[2]?.parts[0]).toMatchObject({
      output: 'ä',
      clipped: true,
      bytes: 6,
    });
    expect(takePage(all, { limit: 9, clipBytes: 6 }).messages[2]?.parts[0]).not.toHaveProperty('clipped');
  });
});
