import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAnswerLikeAModel } from '@/server/model/testing/answer-like-a-model';
import { startFakeChatCompletions } from '@/server/model/testing/fake-chat-completions';
import type { FakeServer } from '@/server/model/testing/fake-server';
import { anApp, type TestApp } from './testing/an-app';
import { compact, connect, lines, set } from './testing/stories';

/** The recorded sessions are not part of the repository: `TIDEMARK_TRACES`, else beside the checkout. */
const traces = process.env.TIDEMARK_TRACES ?? fileURLToPath(new URL('../../../shared/traces', import.meta.url));
const folder = `${traces}/claude-code`;
const isPresent = existsSync(folder) && existsSync(`${traces}/README.md`);
const files = isPresent ? readdirSync(folder).filter((name) => name.endsWith('.jsonl')) : [];

/** User turns, text items, tool calls and results of each file's main chain, as the README has them. */
function readTable(): ReadonlyMap<string, readonly number[]> {
  const rows = readFileSync(`${traces}/README.md`, 'utf8')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
  return new Map(
    rows.flatMap((cells) =>
      cells[1]?.endsWith('.jsonl') ? [[cells[1], cells.slice(6, 10).map(Number)] as const] : [],
    ),
  );
}

async function* streamOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** What a conversation's own lines hold, counted as the table counts. */
async function count(test: TestApp, id: string): Promise<readonly number[]> {
  const own = (await lines(test, id)).filter((line) => line.branch === id);
  const calls = own.flatMap((line) =>
    line.type === 'message.assistant' ? line.parts.filter((part) => part.type === 'tool_call') : [],
  );
  const results = own.filter((line) => line.type === 'tool.result');
  return [calls.length, results.length];
}

describe.skipIf(isPresent)('X10: recorded Claude Code sessions', () => {
  it.skip('are not here: set TIDEMARK_TRACES to their folder', () => undefined);
});

describe.runIf(isPresent)('X10: every recorded Claude Code session is brought in, answered and compacted', () => {
  let test: TestApp;
  let provider: FakeServer;
  beforeAll(async () => {
    provider = await startFakeChatCompletions({ respond: createAnswerLikeAModel() });
    test = await anApp({ fetch: (input, init) => fetch(input, init) });
    connect(test, provider);
    set(test, { compaction: { auto: false } });
  });
  afterAll(async () => {
    await test.stop();
    await provider.close();
  });

  it.each(files)('%s', async (name) => {
    const bytes = new Uint8Array(readFileSync(`${folder}/${name}`));
    const { sessions, format } = await test.app.imports.fromBody({
      contentType: null,
      stream: streamOf(bytes),
      query: { format: 'auto', name },
      owner: 'owner',
    });
    expect(format).toBe('claude-code');
    const id = sessions[0]?.id ?? '';
    const [, , calls, results] = readTable().get(name) ?? [];
    expect(await count(test, id)).toEqual([calls, results]);
    expect(sessions[0]?.imported).toBe(true);

    // The practice model's window is 8,000 tokens: what does not fit is left out, and the answer comes all the same.
    const practice = await test.say(id, 'help');
    expect([practice.state, practice.error]).toEqual(['finished', undefined]);
    const context = (await test.app.sessions.get(id)).context;
    expect(context.usedBytes).toBeLessThanOrEqual(context.budgetBytes);

    await test.app.sessions.patch(id, { model: { provider: 'fake', model: 'm' } });
    const asked = provider.requests.length;
    expect((await compact(test, id)).outcome).toBe('committed');
    expect(provider.requests.slice(asked).filter(({ text }) => text.includes('TASK summary 1'))).toHaveLength(1);
    expect((await test.say(id, 'and on we go')).state).toBe('finished');
    expect(provider.requests.at(-1)?.text).toContain('<summary items=');
  });
});
