import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { messageSchema } from '@/server/contract/message';
import { checkLog } from '@/server/core/log/check-log';
import { foldSession } from '@/server/core/projection/session-state';
import { projectTranscript } from '@/server/core/projection/transcript';
import { importClaudeCode } from './claude-code';
import { looksLikeClaudeCode } from './claude-code-lines';
import { importContext, storeDrafts } from './import-test-log';

/**
 * The recorded sessions are not part of the repository. They are looked for in `TIDEMARK_TRACES`, else beside the
 * checkout; their README says what each file holds, main chain only.
 */
const traces = process.env.TIDEMARK_TRACES ?? fileURLToPath(new URL('../../../../shared/traces', import.meta.url));
const folder = `${traces}/claude-code`;
const isPresent = existsSync(folder) && existsSync(`${traces}/README.md`);
const files = isPresent ? readdirSync(folder).filter((name) => name.endsWith('.jsonl')) : [];

/** user turns, text items, tool calls and results of each file, as the README's table has them. */
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

function importFile(name: string) {
  const text = readFileSync(`${folder}/${name}`, 'utf8');
  const imported = importClaudeCode(text, importContext({ file: name }));
  if (!imported) throw new TypeError(`${name} holds no message`);
  return { text, imported };
}

describe.runIf(isPresent)('X10: every recorded Claude Code session imports', () => {
  const table = isPresent ? readTable() : new Map<string, readonly number[]>();

  it('all nineteen files are there', () => {
    expect(files).toHaveLength(19);
    expect(files.filter((name) => !table.has(name))).toEqual([]);
  });

  it.each(files)('%s: counts are those of the table', (name) => {
    const { text, imported } = importFile(name);
    const { userTurns, textItems, toolCalls, toolResults } = imported.counts;
    expect([userTurns, textItems, toolCalls, toolResults]).toEqual(table.get(name));
    expect(looksLikeClaudeCode(text)).toBe(true);
  });

  it.each(files)('%s: passes check-log, and its transcript keeps the contract', (name) => {
    const { imported } = importFile(name);
    const events = storeDrafts(imported.drafts);
    const records = events.map(
      (event, place) => ({ kind: 'event', event, from: place * 11, to: place * 11 + 10 }) as const,
    );
    const { violations, log } = checkLog(records);
    expect(violations).toEqual([]);
    for (const branch of log.branches.keys()) {
      const state = foldSession(log, branch);
      for (const message of projectTranscript(state, log)) messageSchema.parse(message);
    }
    const state = foldSession(log, imported.logId);
    const calls = state.items.flatMap(({ event }) => event.parts.filter(({ type }) => type === 'tool_call'));
    const results = state.items.filter(({ event }) => event.type === 'tool.result');
    expect([calls.length, results.length]).toEqual([imported.counts.toolCalls, imported.counts.toolResults]);
    expect(imported.counts.forks).toBe(0);
  });

  it('C16: compactions of the tool are boundaries, and only the newest is in force', () => {
    for (const [name, boundaries] of [
      ['entire-0cf3db51-compact2.jsonl', 2],
      ['entire-53ea1606-compact1.jsonl', 1],
      ['entire-67d765b5-compact1.jsonl', 1],
    ] as const) {
      const { imported } = importFile(name);
      expect(imported.counts.boundaries).toBe(boundaries);
      const { log } = checkLog(
        storeDrafts(imported.drafts).map((event) => ({ kind: 'event', event, from: 0, to: 0 }) as const),
      );
      const state = foldSession(log, imported.logId);
      const summaries = projectTranscript(state, log).filter((message) => message.role === 'summary');
      expect(summaries.map(({ metadata }) => [metadata.imported, metadata.inForce])).toEqual(
        Array.from({ length: boundaries }, (_, place) => [true, place === boundaries - 1]),
      );
      expect(state.checkpoint?.event.keep).toEqual([]);
    }
  });

  it('a micro-compaction stubs the results it names, and nothing else', () => {
    const { imported } = importFile('entire-0cd9edf7-microcompact.jsonl');
    const trims = imported.drafts.flatMap((draft) => (draft.type === 'view.trimmed' ? [draft] : []));
    expect(trims).toHaveLength(1);
    expect(trims[0]?.actions).toHaveLength(11);
    expect(new Set(trims[0]?.actions.map((action) => action.do))).toEqual(new Set(['stub']));
  });

  it('side chains are subagents under the calls that started them', () => {
    const { imported } = importFile('ccviewer-fe5e1c67.jsonl');
    const subagents = imported.drafts.flatMap((draft) =>
      draft.type === 'branch.opened' && draft.kind === 'subagent' ? [draft] : [],
    );
    expect(subagents).toHaveLength(5);
    expect(new Set(subagents.map(({ parent }) => parent?.callId)).size).toBe(5);
    expect(imported.counts.sideChains).toBe(5);
  });
});

describe.skipIf(isPresent)('X10: recorded Claude Code sessions', () => {
  it.skip('not run: traces not present', () => {});
});
