import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { measureText } from '@/server/core/budget/measure';
import { renderMap } from '@/server/core/map-reduce/requests';
import { anApp, type TestApp } from './testing/an-app';
import { compact, linesOf, set } from './testing/stories';

/** The recorded sessions are not part of the repository: `TIDEMARK_TRACES`, else beside the checkout. */
const traces = process.env.TIDEMARK_TRACES ?? fileURLToPath(new URL('../../../shared/traces', import.meta.url));
const folder = `${traces}/claude-code`;
const isPresent = existsSync(folder);
const files = isPresent ? readdirSync(folder).filter((name) => name.endsWith('.jsonl')) : [];

/**
 * What does not compact before a window of 8,000 tokens, and why: the first item, by its number, that no request takes
 * whole (R3: nothing is cut), or a conversation with too little in it. Every other file ends in a summary.
 */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'agentcmd-tool-result-image.jsonl': 'too_short',
  'cctrace-phase0.jsonl': 'item_too_large:3',
  'entire-0bdbfa06.jsonl': 'item_too_large:6',
  'entire-0cd9edf7-microcompact.jsonl': 'item_too_large:18',
  'entire-0cf3db51-compact2.jsonl': 'item_too_large:239',
  'entire-2b945d54.jsonl': 'item_too_large:3',
  'entire-3a782158-glued-line.jsonl': 'item_too_large:6',
  'entire-67d765b5-compact1.jsonl': 'item_too_large:123',
  'entire-8c816805.jsonl': 'item_too_large:10',
  'vct-claude_code.jsonl': 'item_too_large:24',
};

/** The practice model's window in bytes, less what is kept free for the notes (R11), less the instruction. */
const instruction = renderMap([], { capBytes: 1_440, rejection: null, focus: null, installation: '' });
const MOST_BYTES = (8_000 - 800) * 2 - instruction.measureBytes;

async function* streamOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

describe.skipIf(isPresent)('recorded Claude Code sessions in segments', () => {
  it.skip('are not here: set TIDEMARK_TRACES to their folder', () => undefined);
});

describe.runIf(isPresent)('X10, R3: every recorded session before the practice model of 8,000 tokens', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await anApp();
    set(test, { compaction: { auto: false } });
  });
  afterAll(() => test.stop());

  it.each(files)('%s', { timeout: 60_000 }, async (name) => {
    const { sessions } = await test.app.imports.fromBody({
      contentType: null,
      stream: streamOf(new Uint8Array(readFileSync(`${folder}/${name}`))),
      query: { format: 'auto', name },
      owner: 'owner',
    });
    const id = sessions[0]?.id ?? '';
    const end = await compact(test, id);
    const stages = (await linesOf(test, id, 'compaction.attempt')).map(({ stage, outcome }) => `${stage} ${outcome}`);
    const expected = EXCEPTIONS[name];
    if (expected === undefined) {
      expect([end.outcome, end.reason]).toEqual(['committed', null]);
      const isWhole = stages.length === 1 && stages[0] === 'one_shot accepted';
      expect(isWhole || stages.at(-1) === 'audit accepted').toBe(true);
      return;
    }
    expect(end.reason).toBe(expected);
    // Said before anything was paid for, and the item is really larger than the whole window leaves.
    expect(stages).toEqual([]);
    const number = Number(/^item_too_large:(\d+)$/.exec(expected)?.[1] ?? 0);
    const shown = (await test.app.sessions.messages(id, { limit: 500 })).messages;
    const item = shown.find((message) => 'number' in message.metadata && message.metadata.number === number);
    if (number > 0 && item !== undefined) expect(measureText(JSON.stringify(item.parts))).toBeGreaterThan(MOST_BYTES);
    expect(await linesOf(test, id, 'checkpoint.committed')).toHaveLength(
      (await linesOf(test, id, 'checkpoint.committed')).filter(({ imported }) => imported).length,
    );
  });
});
