import { afterEach, describe, expect, it } from 'vitest';
import { acceptSummary } from '@/server/core/compaction/accept';
import { writeSummaryInstruction } from '@/server/core/compaction/instruction';
import type { ViewAssistantMessage, ViewMessage } from '@/server/core/projection/view-message';
import type { ModelRef } from '@/server/ports/model';
import { createAnswerLikeAModel } from './testing/answer-like-a-model';
import { connectTo, type Reply, readReply, toRequest, userSays } from './testing/ask';
import { startFakeAnthropic } from './testing/fake-anthropic';
import { startFakeChatCompletions } from './testing/fake-chat-completions';
import { startFakeGemini } from './testing/fake-gemini';
import { startFakeResponses } from './testing/fake-responses';
import type { FakeServer } from './testing/fake-server';

const never = new AbortController().signal;
const running: FakeServer[] = [];
afterEach(async () => void (await Promise.all(running.splice(0).map((server) => server.close()))));
async function keep(starting: Promise<FakeServer>): Promise<FakeServer> {
  const server = await starting;
  running.push(server);
  return server;
}

const TOOL = { name: 'ls', description: 'Lists.', inputSchema: { type: 'object', properties: {} } };
const CALL = { id: 'call_1', name: 'ls', args: { path: 'a' } };
const RESULT: ViewMessage = { role: 'tool', results: [{ callId: 'call_1', name: 'ls', text: 'x', isError: false }] };

/** A reply as the log keeps it and the view gives it back: parts in order, artifacts under their part. */
function toView(reply: Reply, by: ModelRef): ViewAssistantMessage {
  const artifactsOf = (part: number) =>
    reply.artifacts.filter((artifact) => artifact.part === part).map(({ kind, data }) => ({ ...by, kind, data }));
  const parts = new Map<number, ViewAssistantMessage['parts'][number]>();
  for (const part of reply.parts) {
    if (part.type === 'tool_call')
      parts.set(part.part, {
        type: 'tool_call',
        callId: part.callId,
        name: part.name,
        args: part.args,
        artifacts: artifactsOf(part.part),
      });
    if (part.type !== 'text' && part.type !== 'reasoning') continue;
    const before = parts.get(part.part);
    const text = (before !== undefined && 'text' in before ? before.text : '') + part.text;
    parts.set(part.part, { type: part.type, text, artifacts: artifactsOf(part.part) });
  }
  return { role: 'assistant', parts: [...parts.entries()].sort(([a], [b]) => a - b).map(([, part]) => part) };
}

describe('G1: what a provider signed comes back to it byte for byte', () => {
  it('Anthropic: thinking with its signature, redacted thinking, then the call', async () => {
    const server = await keep(startFakeAnthropic());
    const model = { provider: 'p', model: 'claude-sonnet-4-5' };
    server.push(
      {
        parts: [{ reasoning: 'First, look.', signature: 'c2lnLWExLTAwMQ==' }, { redacted: 'AAEC' }, { call: CALL }],
        end: { reason: 'tool_use', usage: { input: 9, output: 9 } },
      },
      { parts: [{ text: 'ok' }], end: { reason: 'end_turn' } },
    );
    const port = connectTo(server, { kind: 'anthropic' });
    const first = await readReply(port.stream(toRequest({ model, tools: [TOOL], reasoning: 'low' }), never));
    expect(first.end.end).toBe('tool_calls');
    const entries = [userSays('q'), toView(first, model), RESULT];
    await readReply(port.stream(toRequest({ model, tools: [TOOL], reasoning: 'low', entries, turnFrom: 0 }), never));
    expect(server.requests[1]?.json).toMatchObject({
      thinking: { type: 'enabled' },
      messages: [
        { role: 'user' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'First, look.', signature: 'c2lnLWExLTAwMQ==' },
            { type: 'redacted_thinking', data: 'AAEC' },
            { type: 'tool_use', id: 'call_1', input: { path: 'a' } },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1' }] },
      ],
    });
  });

  it('Anthropic: a running turn begun by another model is gone on with without thinking', async () => {
    const server = await keep(startFakeAnthropic());
    server.push({ parts: [{ text: 'ok' }], end: { reason: 'end_turn' } });
    const entries: ViewMessage[] = [
      userSays('q'),
      { role: 'assistant', parts: [{ type: 'tool_call', callId: 'call_1', name: 'ls', args: {}, artifacts: [] }] },
      RESULT,
    ];
    await readReply(
      connectTo(server, { kind: 'anthropic' }).stream(
        toRequest({
          model: { provider: 'p', model: 'claude-sonnet-4-5' },
          tools: [TOOL],
          reasoning: 'high',
          entries,
          turnFrom: 0,
        }),
        never,
      ),
    );
    expect(server.requests[0]?.json).toMatchObject({ thinking: { type: 'disabled' } });
  });

  it('OpenAI Responses: encrypted reasoning, nothing stored there, no item ids of texts or calls', async () => {
    const server = await keep(startFakeResponses());
    const model = { provider: 'p', model: 'gpt-5' };
    server.push(
      {
        parts: [{ reasoning: 'Look.', signature: 'ENCRYPTED==' }, { text: 'Looking.' }, { call: CALL }],
        end: { reason: 'completed' },
      },
      { parts: [{ text: 'ok' }], end: { reason: 'completed' } },
    );
    const port = connectTo(server, { kind: 'openai' });
    const first = await readReply(port.stream(toRequest({ model, tools: [TOOL] }), never));
    await readReply(
      port.stream(toRequest({ model, tools: [TOOL], entries: [userSays('q'), toView(first, model), RESULT] }), never),
    );
    expect(server.requests[0]?.json).toMatchObject({ store: false, include: ['reasoning.encrypted_content'] });
    const { input } = Object(server.requests[1]?.json) as { input: { type?: string; id?: string }[] };
    expect(input).toMatchObject([
      {},
      {},
      { type: 'reasoning', id: 'rs_0', encrypted_content: 'ENCRYPTED==', summary: [{ text: 'Look.' }] },
      { role: 'assistant' },
      { type: 'function_call', call_id: 'call_1' },
      { type: 'function_call_output', call_id: 'call_1' },
    ]);
    expect(input.filter((item) => item.type !== 'reasoning' && item.id !== undefined)).toEqual([]);
  });

  it('Gemini: the signature of the call; a foreign call carries the documented skip value', async () => {
    const server = await keep(startFakeGemini());
    const model = { provider: 'p', model: 'gemini-3-pro' };
    server.push(
      { parts: [{ call: { ...CALL, signature: 'R0VNSU5J' } }], end: { reason: 'STOP' } },
      { parts: [{ text: 'ok' }], end: { reason: 'STOP' } },
      { parts: [{ text: 'ok' }], end: { reason: 'STOP' } },
    );
    const port = connectTo(server, { kind: 'google' });
    const first = await readReply(port.stream(toRequest({ model, tools: [TOOL] }), never));
    for (const by of [model, { provider: 'q', model: 'other' }])
      await readReply(
        port.stream(toRequest({ model, tools: [TOOL], entries: [userSays('q'), toView(first, by), RESULT] }), never),
      );
    const signatures = server.requests
      .slice(1)
      .map((request) => /"thoughtSignature":"([^"]+)"/.exec(request.text)?.[1]);
    expect(signatures).toEqual(['R0VNSU5J', 'skip_thought_signature_validator']);
  });

  it('chat completions: reasoning is shown and never sent back', async () => {
    const server = await keep(startFakeChatCompletions());
    const model = { provider: 'p', model: 'm' };
    server.push(
      { parts: [{ reasoning: 'Hm, let me see.' }, { text: 'Hello.' }], end: { reason: 'stop' } },
      { parts: [{ text: 'ok' }], end: { reason: 'stop' } },
    );
    const port = connectTo(server, { kind: 'openai-compatible' });
    const first = await readReply(port.stream(toRequest({ model }), never));
    expect(first.reasoning).toBe('Hm, let me see.');
    await readReply(
      port.stream(toRequest({ model, entries: [userSays('q'), toView(first, model), userSays('and?')] }), never),
    );
    expect(server.requests[1]?.text).not.toContain('let me see');
  });
});

describe('the fake model of a large window', () => {
  it('answers a TASK summary with a text that is accepted, and anything else with a line', async () => {
    const server = await keep(startFakeChatCompletions({ respond: createAnswerLikeAModel() }));
    const port = connectTo(server, { kind: 'openai-compatible' });
    const ask = (text: string) =>
      readReply(
        port.stream(toRequest({ model: { provider: 'p', model: 'fake-1m' }, entries: [userSays(text)] }), never),
      );
    expect((await ask('hello there')).text).toBe('You said: hello there');
    const { text, end } = await ask(
      writeSummaryInstruction({ form: 'serialised', capBytes: 1_500, focus: null, installation: '', rejection: null }),
    );
    const bytes = (body: string) => Buffer.byteLength(body) + 330;
    const bounds = {
      sourceBytes: 1_000,
      capBytes: 1_500,
      commitBytes: 2_000,
      keepBytes: 0,
      tailBytes: 0,
      fingerprint: 'f',
      fingerprintNow: 'f',
      frame: bytes,
      install: bytes,
    };
    expect(
      acceptSummary(
        { text, natural: end.natural, end: end.end, rawEnd: end.rawEnd, trouble: null, calledTool: false },
        bounds,
      ).ok,
    ).toBe(true);
  });
});
