import type { ModelMessage } from 'ai';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ViewArtifact, ViewMessage } from '@/server/core/projection/view-message';
import type { ModelRequest, ProviderKind } from '@/server/ports/model';
import { toConnection } from './connection';
import { resolveTarget, type Target } from './target';
import { toRequest, userSays } from './testing/ask';
import { toMessages } from './to-messages';

const KINDS: readonly ProviderKind[] = ['openai-compatible', 'openai', 'anthropic', 'google', 'embedded'];

function target(kind: ProviderKind, more: Partial<Target> = {}): Target {
  const connection = toConnection({ id: 'p', kind, baseUrl: 'http://127.0.0.1:1/v1' });
  return { ...resolveTarget(connection, { id: 'm', learnt: {} }), ...more };
}

function translate(
  kind: ProviderKind,
  entries: readonly ViewMessage[],
  more: Partial<Target> & { request?: Partial<ModelRequest> } = {},
): ModelMessage[] {
  const { request, ...switches } = more;
  return toMessages(toRequest({ model: { provider: 'p', model: 'm' }, entries, ...request }), target(kind, switches))
    .messages;
}

const shape = (messages: readonly ModelMessage[]) => messages.map((message) => message.role);
const partsOf = (message: ModelMessage | undefined) => (Array.isArray(message?.content) ? message.content : []);

function says(text: string): ViewMessage {
  return { role: 'assistant', parts: [{ type: 'text', text }] };
}
function calls(...ids: string[]): ViewMessage {
  return {
    role: 'assistant',
    parts: ids.map((callId) => ({ type: 'tool_call', callId, name: 'clock', args: { c: callId }, artifacts: [] })),
  };
}
function answers(...ids: string[]): ViewMessage {
  return {
    role: 'tool',
    results: ids.map((callId) => ({
      callId,
      name: 'clock',
      text: `<tool_result tool="clock">\n${callId}\n</tool_result>`,
      isError: false,
    })),
  };
}

/** What strict servers ask of a message list; the first fault, or null. */
function findFault(messages: readonly ModelMessage[], { kind, strictAfterTool }: Target): string | null {
  if (messages[0]?.role !== 'user') return 'does not begin with the user';
  const seen = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const before = messages[index - 1];
    const parts = partsOf(message);
    if (parts.length === 0) return 'empty message';
    if (kind !== 'openai' && before?.role === message.role) return `two ${message.role} messages in a row`;
    if (strictAfterTool && before?.role === 'tool' && message.role === 'user') return 'user right after results';
    const ids = parts.flatMap((part) =>
      part.type === 'tool-call' || part.type === 'tool-result' ? [part.toolCallId] : [],
    );
    if (message.role === 'tool') {
      const asked = partsOf(before).flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : []));
      if (asked.join() !== ids.join()) return 'results do not answer the calls before them, in order';
    } else if (ids.length > 0) {
      if (messages[index + 1]?.role !== 'tool') return 'calls without results';
      if (ids.some((id) => seen.has(id)) || new Set(ids).size < ids.length) return 'a call id twice';
      for (const id of ids) seen.add(id);
    }
    for (const part of parts) if (part.type === 'text' && part.text.trim() === '') return 'empty text';
    const sent = JSON.stringify(message);
    if (/\\ud[89a-f]/i.test(sent) || sent.includes('\\u0000')) return 'ill-formed text';
  }
  return null;
}

const anyText = fc.oneof(
  fc.constantFrom('', ' \n', 'hello', '\ud83d', 'a\u0000b', '🚀'),
  fc.string({ unit: 'binary', maxLength: 12 }),
);
const anyId = fc.constantFrom('c1', 'c2', 'c3', 'tool:1/ü', 'x'.repeat(80));
const anyArtifacts: fc.Arbitrary<ViewArtifact[]> = fc.array(
  fc.record({
    provider: fc.constantFrom('p', 'q'),
    model: fc.constantFrom('m', 'n'),
    kind: fc.constantFrom('thinking', 'thought_signature', 'encrypted_reasoning'),
    data: fc.constantFrom(
      '{"signature":"S"}',
      '{"thoughtSignature":"T"}',
      '{"itemId":"rs","reasoningEncryptedContent":"E"}',
      'no json',
    ),
  }),
  { maxLength: 2 },
);
const anyArgs = fc.oneof(
  fc.constantFrom<unknown>(null, 'text', 7, ['a'], { a: '\ud83d' }),
  fc.dictionary(fc.string({ maxLength: 4 }), anyText, { maxKeys: 2 }),
);
const anyEntry: fc.Arbitrary<ViewMessage> = fc.oneof(
  fc.record({
    role: fc.constant('user' as const),
    parts: fc.array(fc.record({ type: fc.constant('text' as const), text: anyText }), { maxLength: 3 }),
  }),
  fc.record({
    role: fc.constant('assistant' as const),
    parts: fc.array(
      fc.oneof(
        fc.record({ type: fc.constant('text' as const), text: anyText, artifacts: anyArtifacts }),
        fc.record({ type: fc.constant('reasoning' as const), text: anyText, artifacts: anyArtifacts }),
        fc.record({
          type: fc.constant('tool_call' as const),
          callId: anyId,
          name: fc.constant('clock'),
          args: anyArgs,
          artifacts: anyArtifacts,
        }),
      ),
      { maxLength: 4 },
    ),
  }),
  fc.record({
    role: fc.constant('tool' as const),
    results: fc.array(fc.record({ callId: anyId, name: fc.constant('clock'), text: anyText, isError: fc.boolean() }), {
      maxLength: 3,
    }),
  }),
);

describe('G3: whatever happened to a view, the request is legal', () => {
  it.each(KINDS.flatMap((kind) => [[kind, false] as const, [kind, true] as const]))(
    'law pairing, %s, strict %s',
    (kind, strictAfterTool) => {
      fc.assert(
        fc.property(fc.array(anyEntry, { maxLength: 12 }), (entries) => {
          const to = target(kind, { strictAfterTool });
          const request = toRequest({ model: to.ref, entries, turnFrom: 2 });
          const messages = toMessages(request, to).messages;
          // A view of nothing yields the opening text alone.
          expect(findFault(messages, to)).toBeNull();
        }),
        { numRuns: 300 },
      );
    },
  );

  it('law prefix: a longer view never changes how its beginning is sent', () => {
    fc.assert(
      fc.property(fc.array(anyEntry, { minLength: 1, maxLength: 8 }), (entries) => {
        const closed: ViewMessage[] = [...entries, userSays('a'), says('b')];
        const short = translate('anthropic', closed);
        const long = translate('anthropic', [...closed, userSays('c'), calls('c1'), answers('c1')]);
        expect(long.slice(0, short.length)).toEqual(short);
      }),
      { numRuns: 200 },
    );
  });
});

describe('contract-10: roles', () => {
  it('case-B03: summary and message are one user message, for openai two', () => {
    const entries = [userSays('<summary>'), userSays('next'), says('a'), says('b')];
    expect(shape(translate('anthropic', entries))).toEqual(['user', 'assistant']);
    expect(shape(translate('openai', entries))).toEqual(['user', 'user', 'assistant', 'assistant']);
    expect(partsOf(translate('openai-compatible', entries)[0])).toEqual([{ type: 'text', text: '<summary>\n\nnext' }]);
  });

  it('the first message is the user’s', () => {
    expect(translate('google', [says('Hello.')])[0]).toEqual({
      role: 'user',
      content: [{ type: 'text', text: '[The conversation begins here.]' }],
    });
  });

  it('results, then user: an assistant line between for those who refuse it', () => {
    const entries = [userSays('go'), calls('c1'), answers('c1'), userSays('next')];
    expect(shape(translate('openai-compatible', entries))).toEqual(['user', 'assistant', 'tool', 'user']);
    const strict = translate('openai-compatible', entries, { strictAfterTool: true });
    expect(partsOf(strict[3])).toEqual([{ type: 'text', text: '(continued)' }]);
  });
});

describe('contract-10: calls and results', () => {
  it('case-B02: three results in one message, in the order of the calls, a missing one said to be none', () => {
    const messages = translate('google', [userSays('time'), calls('g1', 'g2', 'g3'), answers('g2'), answers('g1')]);
    expect(
      partsOf(messages[2]).map((part) => (part.type === 'tool-result' ? [part.toolCallId, part.output] : null)),
    ).toEqual([
      ['g1', { type: 'text', value: '<tool_result tool="clock">\ng1\n</tool_result>' }],
      ['g2', { type: 'text', value: '<tool_result tool="clock">\ng2\n</tool_result>' }],
      [
        'g3',
        {
          type: 'text',
          value:
            '<tool_result tool="clock" state="none">\nNo result: this branch of the conversation ends before one.\n</tool_result>',
        },
      ],
    ]);
  });

  it('case-B01: a result without its call is quoted text', () => {
    const messages = translate('anthropic', [answers('lost'), userSays('ok')]);
    expect(shape(messages)).toEqual(['user']);
    expect(partsOf(messages[0])[0]).toMatchObject({
      type: 'text',
      text: '<tool_result tool="clock">\nlost\n</tool_result>',
    });
  });

  it.each(['openai-compatible', 'openai', 'anthropic', 'google'] as const)(
    'case-B09: what a person said beside a result stays, and the result whose call is gone is quoted: %s',
    (kind) => {
      const messages = translate(kind, [answers('lost'), userSays('and never push to main')]);
      expect(new Set(shape(messages))).toEqual(new Set(['user']));
      const said = JSON.stringify(messages);
      expect(said).toContain('and never push to main');
      expect(said).toContain('lost');
      expect(said).not.toContain('tool-result');
    },
  );

  it('ids change only where the alphabet demands, always alike, on both sides', () => {
    const [, call, result] = translate('anthropic', [
      userSays('go'),
      calls('functions.clock:0'),
      answers('functions.clock:0'),
    ]);
    const ids = [...partsOf(call), ...partsOf(result)].map((part) =>
      part.type === 'tool-call' || part.type === 'tool-result' ? part.toolCallId : '',
    );
    expect(ids[0]).toMatch(/^call_[0-9a-f]{24}$/);
    expect(ids[1]).toBe(ids[0]);
    expect(
      JSON.stringify(translate('google', [userSays('go'), calls('functions.clock:0'), answers('functions.clock:0')])),
    ).toContain('functions.clock:0');
  });

  it('case-B10: arguments are an object, whatever the model wrote', () => {
    const entry: ViewMessage = {
      role: 'assistant',
      parts: [{ type: 'tool_call', callId: 'c', name: 'ls', args: 'just text', artifacts: [] }],
    };
    expect(partsOf(translate('anthropic', [userSays('go'), entry])[1])[0]).toMatchObject({
      input: { value: 'just text' },
    });
  });

  it('an error is marked as one', () => {
    const failed: ViewMessage = {
      role: 'tool',
      results: [{ callId: 'c1', name: 'clock', text: 'Error: no', isError: true }],
    };
    expect(partsOf(translate('anthropic', [userSays('go'), calls('c1'), failed])[2])[0]).toMatchObject({
      output: { type: 'error-text', value: 'Error: no' },
    });
  });
});

describe('contract-10: texts', () => {
  it('case-B04: a reply of reasoning alone, or of nothing, is no message', () => {
    const messages = translate('anthropic', [
      userSays('make dir'),
      { role: 'assistant', parts: [{ type: 'reasoning', text: 'done I think', artifacts: [] }] },
      says('  '),
      userSays('now?'),
    ]);
    expect(shape(messages)).toEqual(['user']);
    expect(partsOf(messages[0]).map((part) => (part.type === 'text' ? part.text : ''))).toEqual(['make dir', 'now?']);
  });

  it('case-B07: half a character and NUL become U+FFFD', () => {
    expect(JSON.stringify(translate('openai', [userSays('status \ud83d\u0000')]))).toContain('status \uFFFD\uFFFD');
  });

  it('case-B08: without vision, or above the limit, the oldest images are named instead', () => {
    const image = (name: string) => ({
      type: 'image' as const,
      sha256: name,
      mediaType: 'image/png',
      bytes: 81_000,
      width: 640,
      height: 480,
      name,
      item: 9,
    });
    const entries: ViewMessage[] = [{ role: 'user', parts: [image('a.png'), image('b.png')] }];
    const request = { imageData: () => 'AAAA' };
    expect(partsOf(translate('openai-compatible', entries, { request })[0])).toEqual([
      {
        type: 'text',
        text: '[Image left out: a.png, 640×480, 81 kB, item 9]\n\n[Image left out: b.png, 640×480, 81 kB, item 9]',
      },
    ]);
    const limited = translate('anthropic', entries, { request, imageLimitBytes: 120_000 });
    expect(partsOf(limited[0]).map((part) => part.type)).toEqual(['text', 'image']);
    const large = { ...image('large.png'), bytes: 3_940_000 };
    const mixed: ViewMessage[] = [{ role: 'user', parts: [image('a.png'), large, image('b.png')] }];
    expect(partsOf(translate('anthropic', mixed, { request })[0]).map((part) => part.type)).toEqual([
      'image',
      'text',
      'image',
    ]);
  });
});

describe('G1: reasoning goes back to its maker, byte-identical, or nowhere', () => {
  const signed = (provider: string, model: string): ViewMessage => ({
    role: 'assistant',
    parts: [
      {
        type: 'reasoning',
        text: 'because …',
        artifacts: [{ provider, model, kind: 'thinking', data: '{"signature":"c2ln"}' }],
      },
      { type: 'tool_call', callId: 'c1', name: 'ls', args: {}, artifacts: [] },
    ],
  });

  it('case-B05: the same provider and model get it whole', () => {
    const [, message] = translate('anthropic', [userSays('q'), signed('p', 'm'), answers('c1')]);
    expect(partsOf(message)[0]).toEqual({
      type: 'reasoning',
      text: 'because …',
      providerOptions: { anthropic: { signature: 'c2ln' } },
    });
  });

  it('half a character in it can be neither sent nor mended, so it stays away', () => {
    const entry: ViewMessage = {
      role: 'assistant',
      parts: [
        {
          type: 'reasoning',
          text: 'x\ud83d',
          artifacts: [{ provider: 'p', model: 'm', kind: 'thinking', data: '{"signature":"S"}' }],
        },
        { type: 'text', text: 'y' },
      ],
    };
    expect(partsOf(translate('anthropic', [userSays('q'), entry])[1])).toEqual([{ type: 'text', text: 'y' }]);
  });

  it.each([
    ['another provider', 'q', 'm'],
    ['another model', 'p', 'n'],
  ])('%s does not', (_name, provider, model) => {
    expect(
      JSON.stringify(translate('anthropic', [userSays('q'), signed(provider, model), answers('c1')])),
    ).not.toContain('because');
  });

  it('case-B06: reasoning that nothing follows, or without its encrypted text, is not sent', () => {
    const reasoning = (data: string): ViewMessage => ({
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: '', artifacts: [{ provider: 'p', model: 'm', kind: 'encrypted_reasoning', data }] },
        { type: 'text', text: 'ans' },
      ],
    });
    const whole = reasoning('{"itemId":"rs_2","reasoningEncryptedContent":"yy"}');
    expect(JSON.stringify(translate('openai', [userSays('q'), whole]))).toContain('"reasoningEncryptedContent":"yy"');
    expect(JSON.stringify(translate('openai', [userSays('q'), reasoning('{"itemId":"rs_2"}')]))).not.toContain('rs_2');
    const lone: ViewMessage = { role: 'assistant', parts: whole.role === 'assistant' ? whole.parts.slice(0, 1) : [] };
    expect(shape(translate('openai', [userSays('q'), lone, userSays('hello?')]))).toEqual(['user', 'user']);
  });

  it('Anthropic may not think where another model began the running turn', () => {
    const mayThink = (maker: ViewMessage, turnFrom: number) =>
      toMessages(
        toRequest({ model: { provider: 'p', model: 'm' }, entries: [userSays('q'), maker, answers('c1')], turnFrom }),
        target('anthropic'),
      ).mayThink;
    expect(mayThink(signed('p', 'm'), 0)).toBe(true);
    expect(mayThink(signed('q', 'x'), 0)).toBe(false);
    expect(mayThink(signed('q', 'x'), 3)).toBe(true);
  });
});

describe('contract-10: cache marks', () => {
  it('stand on the last part of the entry before the plan block, for Anthropic alone', () => {
    const entries = [userSays('q'), userSays('<plan>')];
    const marked = translate('anthropic', entries, { request: { cacheAfter: 0 } });
    expect(partsOf(marked[0])).toEqual([
      { type: 'text', text: 'q', providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } },
      { type: 'text', text: '<plan>' },
    ]);
    expect(JSON.stringify(translate('anthropic', entries, { cacheTtl: '1h', request: { cacheAfter: 0 } }))).toContain(
      '"ttl":"1h"',
    );
    expect(
      JSON.stringify(translate('anthropic', entries, { cacheTtl: 'off', request: { cacheAfter: 0 } })),
    ).not.toContain('cacheControl');
    expect(JSON.stringify(translate('google', entries, { request: { cacheAfter: 0 } }))).not.toContain('cacheControl');
  });
});
