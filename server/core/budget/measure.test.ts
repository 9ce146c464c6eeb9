import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type {
  ViewAssistantMessage,
  ViewMessage,
  ViewToolMessage,
  ViewUserMessage,
} from '@/server/core/projection/view-message';
import { jsonStringBytes, utf8Bytes } from './json-bytes';
import { BYTES_A_PART, BYTES_AN_IMAGE, measureMessage } from './measure';

/** What each protocol puts on the wire for an entry, written from their references; image data left out. */
const WIRES = { openAiChat, anthropic, google } as const;

describe('the measure of an entry (contract 7)', () => {
  it('B1: a text counts as a JSON string plus 160', () => {
    const text = 'say "hi"\n';
    expect(measureMessage({ role: 'user', parts: [{ type: 'text', text }] })).toBe(
      utf8Bytes('"say \\"hi\\"\\n"') + 160,
    );
  });

  it('case-A10: a CJK character counts its three bytes, an astral one its four', () => {
    expect(jsonStringBytes('請🔥')).toBe(2 + 3 + 4);
  });

  it('B1: a call counts its name and its arguments as a JSON string inside JSON', () => {
    const call = { type: 'tool_call' as const, callId: 'c1', name: 'ls', args: { path: 'a"b' }, artifacts: [] };
    const args = JSON.stringify(JSON.stringify({ path: 'a"b' }));
    expect(measureMessage({ role: 'assistant', parts: [call] })).toBe(
      BYTES_A_PART + utf8Bytes('"ls"') + utf8Bytes(args),
    );
  });

  it('case-B08: an image counts 6,400 whatever its file size', () => {
    const image = {
      type: 'image' as const,
      sha256: 'a',
      mediaType: 'image/png',
      width: 1,
      height: 1,
      name: 'a',
      item: 1,
    };
    for (const bytes of [10, 8_000_000]) {
      const message: ViewMessage = { role: 'user', parts: [{ ...image, bytes }] };
      expect(measureMessage(message)).toBe(BYTES_AN_IMAGE + BYTES_A_PART);
    }
  });

  it('B1: the measure is never below what any protocol puts on the wire', () => {
    fc.assert(
      fc.property(aMessage, (message) => {
        const measure = measureMessage(message);
        for (const toWire of Object.values(WIRES)) expect(utf8Bytes(toWire(message))).toBeLessThanOrEqual(measure);
      }),
      { numRuns: 500 },
    );
  });

  it('case-A10: appending text never lowers the measure', () => {
    const measure = (text: string) => measureMessage({ role: 'user', parts: [{ type: 'text', text }] });
    fc.assert(fc.property(fc.string(), fc.string(), (a, b) => measure(a + b) >= measure(a)));
  });
});

const aText = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', '"""\\\\', '\u0000\u0001', '请🔥', '\ud83d'));
const anId = fc.string({ minLength: 1, maxLength: 256, unit: fc.constantFrom('a', '_', '9'), size: 'max' });
const aName = fc.string({ minLength: 1, maxLength: 64, unit: fc.constantFrom('a', '_', '-'), size: 'max' });
const anArtifact = fc.record({
  provider: fc.constant('p'),
  model: fc.constant('m'),
  kind: fc.constant('signature'),
  data: fc.string(),
});
const aCall = fc.record({
  type: fc.constant('tool_call' as const),
  callId: anId,
  name: aName,
  args: fc.dictionary(fc.string(), fc.jsonValue()),
  artifacts: fc.array(anArtifact, { maxLength: 1 }),
});
const aUser: fc.Arbitrary<ViewUserMessage> = fc.record({
  role: fc.constant('user' as const),
  parts: fc.array(fc.record({ type: fc.constant('text' as const), text: aText }), { minLength: 1, maxLength: 4 }),
});
const anAssistant: fc.Arbitrary<ViewAssistantMessage> = fc.record({
  role: fc.constant('assistant' as const),
  parts: fc.array(fc.oneof(fc.record({ type: fc.constant('text' as const), text: aText }), aCall), {
    minLength: 1,
    maxLength: 4,
  }),
});
const someResults: fc.Arbitrary<ViewToolMessage> = fc.record({
  role: fc.constant('tool' as const),
  results: fc.array(fc.record({ callId: anId, name: aName, text: aText, isError: fc.boolean() }), {
    minLength: 1,
    maxLength: 4,
  }),
});
const aMessage: fc.Arbitrary<ViewMessage> = fc.oneof(aUser, anAssistant, someResults);

function openAiChat(message: ViewMessage): string {
  if (message.role === 'tool') {
    const results = message.results.map(({ callId, text }) => ({ role: 'tool', tool_call_id: callId, content: text }));
    return results.map((result) => `${JSON.stringify(result)},`).join('');
  }
  if (message.role === 'user') {
    const content = message.parts.map((part) => (part.type === 'text' ? { type: 'text', text: part.text } : {}));
    return `${JSON.stringify({ role: 'user', content })},`;
  }
  const content = message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const calls = message.parts.flatMap((part) =>
    part.type === 'tool_call'
      ? [{ id: part.callId, type: 'function', function: { name: part.name, arguments: JSON.stringify(part.args) } }]
      : [],
  );
  return `${JSON.stringify({ role: 'assistant', content, ...(calls.length > 0 ? { tool_calls: calls } : {}) })},`;
}

function anthropic(message: ViewMessage): string {
  if (message.role === 'tool') {
    const content = message.results.map(({ callId, text, isError }) => ({
      type: 'tool_result',
      tool_use_id: callId,
      content: [{ type: 'text', text }],
      ...(isError ? { is_error: true } : {}),
    }));
    return `${JSON.stringify({ role: 'user', content })},`;
  }
  const content = message.parts.map((part) =>
    part.type === 'tool_call'
      ? { type: 'tool_use', id: part.callId, name: part.name, input: part.args }
      : { type: 'text', text: part.type === 'image' ? '' : part.text },
  );
  return `${JSON.stringify({ role: message.role, content })},`;
}

function google(message: ViewMessage): string {
  if (message.role === 'tool') {
    const parts = message.results.map(({ callId, name, text }) => ({
      functionResponse: { id: callId, name, response: { name, content: text } },
    }));
    return `${JSON.stringify({ role: 'user', parts })},`;
  }
  const parts = message.parts.map((part) => {
    if (part.type !== 'tool_call') return { text: part.type === 'image' ? '' : part.text };
    const signature = part.artifacts[0]?.data;
    const call = { functionCall: { id: part.callId, name: part.name, args: part.args } };
    return signature === undefined ? call : { ...call, thoughtSignature: signature };
  });
  return `${JSON.stringify({ role: message.role === 'user' ? 'user' : 'model', parts })},`;
}
