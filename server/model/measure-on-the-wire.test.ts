import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { measureMessage, measureText, measureTools } from '@/server/core/budget/measure';
import type { ViewMessage } from '@/server/core/projection/view-message';
import type { ModelRequest } from '@/server/ports/model';
import { toConnection } from './connection';
import { createSdkModel } from './sdk-model';
import { readReply, toRequest } from './testing/ask';
import { KINDS } from './testing/fakes';
import { createLearntMemory } from './testing/learnt-memory';

/** Model name, stream switches, ceiling, storage: what a request weighs without any of its content. */
const ENVELOPE_BYTES = 400;
const MODELS = {
  'openai-compatible': 'm',
  openai: 'gpt-5',
  anthropic: 'claude-sonnet-4-5',
  google: 'gemini-2.5-pro',
} as const;

/** The body the adapter would send; nothing leaves the process. */
async function toBody(kind: (typeof KINDS)[number], request: ModelRequest): Promise<string> {
  let body = '';
  const connection = toConnection({ id: 'p', kind, apiKey: 'sk-test-key-1234', baseUrl: 'http://127.0.0.1:1/v1' });
  const port = createSdkModel({
    connection: () => connection,
    memory: createLearntMemory(),
    fetch: (_input, init) => {
      body = String(init.body);
      return Promise.resolve(Response.json({ error: { message: 'read' } }, { status: 418 }));
    },
    embeddedFetch: () => Promise.reject(new Error('not in this test')),
    startTimer: () => () => undefined,
    nowMs: () => 0,
    stallMs: () => 1_000,
  });
  const { end } = await readReply(port.stream(request, new AbortController().signal));
  expect(end.trouble?.status).toBe(418);
  return body;
}

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom('"\\\n\t', '<a>&amp;', '🚀'.repeat(8), '\u0001\u2028', 'x'),
);
const anyArgs = fc.dictionary(
  fc.string({ maxLength: 6 }),
  fc.oneof(anyText, fc.integer(), fc.array(anyText, { maxLength: 2 })),
  { maxKeys: 3 },
);
const anyRound = fc
  .record({
    asked: anyText,
    said: anyText,
    answer: anyText,
    calls: fc.array(fc.record({ args: anyArgs, result: anyText, isError: fc.boolean() }), { maxLength: 3 }),
  })
  .map(({ asked, said, answer, calls }) => (round: number): ViewMessage[] => {
    const named = calls.map((call, index) => ({ ...call, callId: `call_${round}_${index}`, name: 'read_file' }));
    const trip: ViewMessage[] = [
      {
        role: 'assistant',
        parts: [
          { type: 'text', text: said },
          ...named.map(({ callId, name, args }) => ({ type: 'tool_call' as const, callId, name, args, artifacts: [] })),
        ],
      },
      {
        role: 'tool',
        results: named.map(({ callId, name, result, isError }) => ({
          callId,
          name,
          isError,
          text: `<tool_result tool="${name}" item="7">\n${result}\n</tool_result>`,
        })),
      },
    ];
    return [
      { role: 'user', parts: [{ type: 'text', text: asked }] },
      ...(named.length === 0 ? [] : trip),
      { role: 'assistant', parts: [{ type: 'text', text: answer }] },
    ];
  });
const TOOLS = [
  {
    name: 'read_file',
    description: 'Reads a "file".',
    inputSchema: { type: 'object', properties: { path: { type: 'string', description: 'Path.' } }, required: ['path'] },
  },
];

describe('contract-7: the measure is never below what a protocol puts on the wire', () => {
  it.each(KINDS)('%s', async (kind) => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyRound, { minLength: 1, maxLength: 4 }), anyText, async (rounds, system) => {
        const entries = rounds.flatMap((toEntries, round) => toEntries(round));
        const measure =
          measureText(system) + measureTools(TOOLS) + entries.reduce((sum, entry) => sum + measureMessage(entry), 0);
        const body = await toBody(
          kind,
          toRequest({ model: { provider: 'p', model: MODELS[kind] }, system, tools: TOOLS, entries }),
        );
        expect(Buffer.byteLength(body)).toBeLessThanOrEqual(measure + ENVELOPE_BYTES);
      }),
      { numRuns: 60 },
    );
  });
});
