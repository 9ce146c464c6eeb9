import { describe, expect, it } from 'vitest';
import { type Message, messageSchema } from './message';
import { messagesQuerySchema, postMessageSchema } from './messages-api';
import { streamEventSchema } from './stream';

const id = (n: number) => `01J${String(n).padStart(23, '0')}`;
const at = '2026-03-01T14:02:00.000Z';
const base = (n: number) => ({ id: id(n), seq: n, at });
const usage = { input: 900, output: 40, cachedRead: null, cachedWrite: null, reasoning: null };
const model = { provider: 'practice', model: 'rules-1' };

const question: Message = {
  ...base(4),
  role: 'user',
  parts: [{ type: 'text', text: 'read notes.md' }],
  metadata: {
    number: 1,
    turnId: id(90),
    bytes: 176,
    clientMessageId: 'c-1',
    kind: 'person',
    by: 'owner',
    queued: false,
  },
};
const call: Message = {
  ...base(6),
  role: 'assistant',
  parts: [
    { type: 'reasoning', text: 'A file.' },
    { type: 'tool_call', callId: 'call_9', name: 'read_file', args: { path: 'notes.md' }, state: 'done' },
    {
      type: 'tool_call',
      callId: 'call_10',
      name: 'delegate',
      args: {},
      state: 'running',
      subagent: { sessionId: id(70) },
    },
  ],
  metadata: {
    number: 2,
    turnId: id(90),
    bytes: 300,
    step: 0,
    model,
    end: 'tool_calls',
    rawEnd: null,
    usage,
    ms: 12,
    simulated: true,
  },
};
const result: Message = {
  ...base(7),
  role: 'tool',
  parts: [
    {
      type: 'tool_result',
      callId: 'call_9',
      name: 'read_file',
      output: '# Notes',
      isError: false,
      bytes: 7,
      masked: false,
    },
  ],
  metadata: { number: 3, turnId: id(90), bytes: 167, callId: 'call_9', why: 'ran', ms: 3, cap: null, viewBytes: 167 },
};
const summary: Message = {
  ...base(20),
  role: 'summary',
  parts: [{ type: 'text', text: '## Objective\nRead the notes.' }],
  metadata: {
    summary_through: id(7),
    covers: { from: id(4), through: id(7), items: 3, bytes: 643 },
    bytes: 310,
    model,
    usage,
    trigger: 'manual',
    method: 'one_shot',
    carryOver: { kept: [], dropped: [{ id: id(9), bytes: 5_000, reason: 'bound' }] },
    stale: ['src/a.ts'],
    promptRecomposed: true,
    checks: [{ name: 'sections', ok: true, value: 8 }],
    compactionId: id(18),
    sourceBytes: 643,
    counts: { user: 1, assistant: 1, tool: 1, summaries: 0 },
    span: { from: at, through: at },
    edited: false,
    imported: false,
    inForce: true,
  },
};
const tally = { count: 0, bytes: 0 };
const trim: Message = {
  ...base(22),
  role: 'trim',
  parts: [],
  metadata: {
    kinds: { results: { count: 2, bytes: 900 }, trips: tally, replies: tally, messages: tally },
    before: 9_000,
    after: 4_000,
    room: 8_000,
    items: [],
  },
};
const ended: Message = {
  ...base(23),
  role: 'note',
  parts: [{ type: 'text', text: 'The key for OpenAI was refused.' }],
  metadata: {
    kind: 'turn_ended',
    turnId: id(91),
    data: null,
    turn: { outcome: 'failed', code: 'provider_auth', detail: null, steps: 1 },
  },
};

describe('a message', () => {
  it.each([question, call, result, summary, trim, ended])('reads back as it is: $role', (message) => {
    expect(messageSchema.parse(message)).toEqual(message);
  });

  it('has the metadata of its role and no other', () => {
    expect(messageSchema.safeParse({ ...question, role: 'summary' }).success).toBe(false);
    expect(messageSchema.safeParse({ ...summary, role: 'user' }).success).toBe(false);
    expect(messageSchema.safeParse({ ...question, role: 'system' }).success).toBe(false);
  });

  it('C12: a summary without the message it stands in for is none', () => {
    const { summary_through: _gone, ...metadata } = summary.metadata;
    expect(messageSchema.safeParse({ ...summary, metadata }).success).toBe(false);
  });
});

describe('sending', () => {
  const body = { text: 'hello', clientMessageId: 'c-1' };

  it('takes text of a megabyte of bytes, not of characters', () => {
    expect(postMessageSchema.safeParse({ ...body, text: 'a'.repeat(1_000_000) }).success).toBe(true);
    expect(postMessageSchema.safeParse({ ...body, text: '€'.repeat(333_334) }).success).toBe(false);
  });

  it('refuses a blank message, unless something is attached', () => {
    expect(postMessageSchema.safeParse({ ...body, text: ' \n' }).success).toBe(false);
    expect(postMessageSchema.safeParse({ ...body, text: '', attachments: [{ sha256: 'a'.repeat(64) }] }).success).toBe(
      true,
    );
  });

  it('L7: wants an id of the client, refuses one it cannot keep, and unknown fields', () => {
    expect(postMessageSchema.safeParse({ text: 'hello' }).success).toBe(false);
    expect(postMessageSchema.safeParse({ ...body, clientMessageId: 'x'.repeat(101) }).success).toBe(false);
    expect(postMessageSchema.safeParse({ ...body, role: 'system' }).success).toBe(false);
  });
});

describe('reading a page', () => {
  it('has one anchor, and a bounded size', () => {
    expect(messagesQuerySchema.parse({ limit: '20', before: id(4) })).toEqual({ limit: 20, before: id(4) });
    expect(messagesQuerySchema.parse({})).toEqual({ limit: 100 });
    for (const query of [
      { before: id(1), after: id(2) },
      { limit: '501' },
      { limit: '0' },
      { limit: 'all' },
      { before: '../x' },
    ]) {
      expect(messagesQuerySchema.safeParse(query).success).toBe(false);
    }
  });
});

describe('the stream', () => {
  it('carries a durable message with the session it belongs to', () => {
    const event = { event: 'chat.message', data: { ...summary, sessionId: id(1) } };
    expect(streamEventSchema.parse(event)).toEqual(event);
    expect(streamEventSchema.safeParse({ event: 'chat.message', data: summary }).success).toBe(false);
  });

  it('is a closed list of events with the data of each', () => {
    expect(streamEventSchema.options.map((option) => option.shape.event.value).sort()).toEqual([
      'chat.approval',
      'chat.compacted',
      'chat.compacting',
      'chat.delta',
      'chat.message',
      'chat.notice',
      'chat.plan',
      'chat.queue',
      'chat.reset',
      'chat.turn',
      'prompt.behind',
      'session.updated',
    ]);
    expect(streamEventSchema.safeParse({ event: 'chat.other', data: {} }).success).toBe(false);
    expect(streamEventSchema.safeParse({ event: 'chat.reset', data: { sessionId: id(1) } }).success).toBe(false);
  });
});
