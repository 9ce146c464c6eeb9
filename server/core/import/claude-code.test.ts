import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { checkLog } from '@/server/core/log/check-log';
import { foldSession } from '@/server/core/projection/session-state';
import { projectTranscript } from '@/server/core/projection/transcript';
import { importClaudeCode } from './claude-code';
import { looksLikeClaudeCode } from './claude-code-lines';
import type { ImportContext } from './import-shape';
import { importContext, storeDrafts } from './import-test-log';

type Line = Readonly<Record<string, unknown>>;

const user = (uuid: string, parentUuid: string | null, content: unknown, more: Line = {}): Line => ({
  type: 'user',
  uuid,
  parentUuid,
  message: { role: 'user', content },
  ...more,
});
const assistant = (uuid: string, parentUuid: string | null, id: string, block: Line, more: Line = {}): Line => ({
  type: 'assistant',
  uuid,
  parentUuid,
  message: { id, role: 'assistant', model: 'claude-test', content: [block] },
  ...more,
});
const text = (words: string): Line => ({ type: 'text', text: words });
const call = (id: string, input: Line = {}, name = 'Bash'): Line => ({ type: 'tool_use', id, name, input });
const result = (id: string, content: unknown, more: Line = {}): Line[] => [
  { type: 'tool_result', tool_use_id: id, content, ...more },
];

function read(lines: readonly (Line | string)[], overrides: Partial<ImportContext> = {}) {
  const file = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  const imported = importClaudeCode(file, importContext(overrides));
  if (!imported) throw new TypeError('nothing to import');
  const events = storeDrafts(imported.drafts);
  const records = events.map(
    (event, place) => ({ kind: 'event', event, from: place * 11, to: place * 11 + 10 }) as const,
  );
  const { log, violations } = checkLog(records);
  expect(violations).toEqual([]);
  const stateOf = (branch: string) => foldSession(log, branch);
  return { imported, log, events, stateOf, state: stateOf(imported.logId) };
}

/** Each item in a few words, as a reader would tell it. */
const outline = (state: ReturnType<typeof foldSession>) =>
  state.items.map(({ event }) => {
    const parts = event.parts.map((part) =>
      part.type === 'text' ? part.text : part.type === 'tool_call' ? `→${part.callId}` : part.type,
    );
    const who =
      event.type === 'message.user' ? event.kind : event.type === 'tool.result' ? `←${event.callId}` : 'reply';
    return `${who}: ${parts.join(' ')}`;
  });

describe('a Claude Code session (X10)', () => {
  it('case-F03: side chains apart, results once, meta not as speech, bad and unknown lines counted', () => {
    const { imported, state, stateOf, log } = read([
      { type: 'summary', summary: 'Lint fix', leafUuid: 'z' },
      user('1', null, '<local-note/>', { isMeta: true }),
      user('2', '1', 'fix lint'),
      assistant('3', '2', 'm1', text('ok')),
      assistant('4', '3', 'm1', call('t1', { command: 'ls' })),
      user('9', null, 'sub task', { isSidechain: true }),
      user('5', '4', result('t1', 'a.ts'), { toolUseResult: { stdout: 'a.ts' } }),
      'not json',
      { type: 'new-kind', uuid: '6', parentUuid: '5' },
    ]);
    expect(outline(state)).toEqual(['injected: <local-note/>', 'person: fix lint', 'reply: ok →t1', '←t1: a.ts']);
    expect(state.title).toBe('Lint fix');
    const subagent = [...log.branches.values()].find(({ opened }) => opened.kind === 'subagent');
    expect(subagent?.opened.parent).toMatchObject({ branch: imported.logId, callId: 't1' });
    expect(outline(stateOf(subagent?.id ?? ''))).toEqual(['person: sub task']);
    expect(imported.warnings).toMatchObject([{ code: 'unreadable_line', line: 8 }]);
    expect(imported.counts.skipped).toEqual({ 'new-kind': 1 });
    expect(imported.sessions).toEqual([imported.logId]);
  });

  it('case-C02: two records on one line are both read, braces in strings do not split, no parent is lost', () => {
    const glued = JSON.stringify(assistant('b', 'a', 'm1', text('x'))) + JSON.stringify(user('c', 'b', 'y'));
    const { state, imported } = read([user('a', null, 'a } { b "}{" c'), glued, assistant('d', 'c', 'm2', text('z'))]);
    expect(outline(state)).toEqual(['person: a } { b "}{" c', 'reply: x', 'person: y', 'reply: z']);
    expect(imported.warnings).toMatchObject([{ code: 'glued_line', line: 2 }]);
  });

  it('a line that is lost orphans nothing: what follows it stays in the conversation', () => {
    const half = JSON.stringify(assistant('b', 'a', 'm1', text('x'))).slice(0, -9);
    const { state, imported } = read([
      user('a', null, 'one'),
      half,
      user('c', 'b', 'two'),
      assistant('d', 'c', 'm2', text('2')),
    ]);
    expect(outline(state)).toEqual(['person: one', 'person: two', 'reply: 2']);
    expect(imported.warnings.map(({ code }) => code)).toEqual(['unreadable_line', 'missing_parent']);
    expect(imported.counts.forks).toBe(0);
  });

  it('parallel calls written call, result, call, result become one batch in the order of the calls', () => {
    const { state } = read([
      user('a', null, 'go'),
      assistant('b', 'a', 'm1', call('t1')),
      user('c', 'b', result('t1', 'first')),
      assistant('d', 'b', 'm1', call('t2')),
      assistant('d2', 'd', 'm1', call('t3')),
      user('f', 'd2', result('t3', 'third')),
      user('e', 'd', result('t2', 'second')),
      assistant('g', 'e', 'm2', text('done')),
    ]);
    expect(outline(state)).toEqual([
      'person: go',
      'reply: →t1 →t2 →t3',
      '←t1: first',
      '←t2: second',
      '←t3: third',
      'reply: done',
    ]);
  });

  it('a result written twice counts once, a record repeated under its uuid too', () => {
    const again = user('d', 'b', result('t1', 'again'));
    const { state, imported } = read([
      user('a', null, 'go'),
      assistant('b', 'a', 'm1', call('t1')),
      user('c', 'b', result('t1', 'once')),
      user('c', 'b', result('t1', 'once')),
      again,
    ]);
    expect(outline(state)).toEqual(['person: go', 'reply: →t1', '←t1: once']);
    expect(imported.counts.toolResults).toBe(1);
    expect(imported.counts.skipped).toEqual({ repeated: 1 });
  });

  it('a call without a result stays open, and the transcript says that there is none', () => {
    const { state, log } = read([
      user('a', null, 'go'),
      assistant('b', 'a', 'm1', call('t1')),
      user('c', 'b', 'never mind'),
    ]);
    expect(outline(state)).toEqual(['person: go', 'reply: →t1', 'person: never mind']);
    expect(projectTranscript(state, log)[1]?.parts[0]).toMatchObject({ state: 'none' });
  });

  it('a result whose call is not in the file is quoted, no call is made up for it', () => {
    const { state } = read([user('a', null, result('gone', 'line 1\nline 2'))]);
    expect(outline(state)).toEqual([
      'injected: Result of a tool call that is not in the imported file (gone):\n> line 1\n> line 2',
    ]);
  });

  it('a second child of a node is a fork with the path up to it; the newest line decides which one is the session', () => {
    const { imported, state, stateOf } = read([
      user('a', null, 'one'),
      assistant('b', 'a', 'm1', text('1')),
      user('c', 'b', 'two'),
      assistant('d', 'c', 'm2', text('2')),
      user('e', 'b', 'TWO'),
      assistant('f', 'e', 'm3', text('2b')),
      assistant('g', 'e', 'm4', text('2c')),
    ]);
    expect(outline(state)).toEqual(['person: one', 'reply: 1', 'person: TWO', 'reply: 2c']);
    const forks = imported.sessions.slice(1).map((branch) => outline(stateOf(branch)).slice(2));
    expect(forks).toEqual([
      ['person: two', 'reply: 2'],
      ['person: TWO', 'reply: 2b'],
    ]);
    expect(imported.counts).toMatchObject({ forks: 2, textItems: 7, userTurns: 3 });
  });

  it('another beginning of the conversation is a fork from before its first item', () => {
    const { imported, stateOf } = read([
      user('a', null, 'first try'),
      user('b', null, 'second try'),
      assistant('c', 'b', 'm1', text('ok')),
    ]);
    expect(imported.sessions.map((branch) => outline(stateOf(branch)))).toEqual([
      ['person: second try', 'reply: ok'],
      ['person: first try'],
    ]);
  });

  it('C16: a compaction of the tool is a boundary over all before it; records between are passed through', () => {
    const { state, log } = read([
      user('a', null, 'one'),
      { type: 'progress', uuid: 'p', parentUuid: 'a' },
      assistant('b', 'p', 'm1', text('1')),
      {
        type: 'system',
        subtype: 'compact_boundary',
        uuid: 'x',
        parentUuid: null,
        logicalParentUuid: 'b',
        compactMetadata: { trigger: 'auto', preTokens: 9 },
      },
      user('y', 'x', 'What was said so far.', { isCompactSummary: true }),
      user('z', 'y', 'two'),
    ]);
    expect(outline(state)).toEqual(['person: one', 'reply: 1', 'person: two']);
    expect(state.checkpoint?.event).toMatchObject({
      text: 'What was said so far.',
      imported: true,
      keep: [],
      covers: { items: 2 },
    });
    const roles = projectTranscript(state, log).map(({ role }) => role);
    expect(roles).toEqual(['user', 'assistant', 'summary', 'note', 'user']);
    expect(projectTranscript(state, log)[3]).toMatchObject({
      metadata: { kind: 'import', data: { trigger: 'auto', preTokens: 9 } },
    });
  });

  it('a file that begins with the summary of another one keeps it as a message', () => {
    const { state } = read([
      user('y', null, 'Continued from before.', { isCompactSummary: true }),
      user('z', 'y', 'go on'),
    ]);
    expect(state.checkpoint).toBeNull();
    expect(outline(state)).toEqual(['injected: Continued from before.', 'person: go on']);
  });

  it('a micro-compaction is a trim of the results it names', () => {
    const { state } = read([
      user('a', null, 'go'),
      assistant('b', 'a', 'm1', call('t1')),
      user('c', 'b', result('t1', 'long')),
      assistant('d', 'c', 'm2', call('t2')),
      user('e', 'd', result('t2', 'newer')),
      {
        type: 'system',
        subtype: 'microcompact_boundary',
        uuid: 'f',
        parentUuid: 'e',
        microcompactMetadata: { compactedToolIds: ['t1', 'unknown'] },
      },
      assistant('g', 'f', 'm3', text('done')),
    ]);
    expect([...state.trimActions]).toEqual([[state.items[2]?.id, { item: state.items[2]?.id, do: 'stub' }]]);
  });

  it('says who spoke: commands, their output, interruptions and reminders are not a person', () => {
    const { state, imported } = read([
      user('a', null, '<command-name>/init</command-name>'),
      user('b', 'a', '<local-command-stdout>ok</local-command-stdout>'),
      user('c', 'b', '<system-reminder>x</system-reminder>'),
      user('d', 'c', 'please'),
      assistant('e', 'd', 'm1', text('half an ans')),
      user('f', 'e', [text('[Request interrupted by user]')]),
    ]);
    const kinds = state.items.flatMap(({ event }) => (event.type === 'message.user' ? [event.kind] : []));
    expect(kinds).toEqual(['command', 'injected', 'injected', 'person', 'injected']);
    expect(state.items[4]?.event).toMatchObject({ end: 'cancelled' });
    expect(imported.counts.userTurns).toBe(1);
  });

  it('refused and failed calls keep what became of them; text beside a result is a message of its own', () => {
    const { state } = read([
      user('a', null, 'go'),
      assistant('b', 'a', 'm1', call('t1')),
      user('c', 'b', [
        ...result('t1', "The user doesn't want to proceed with this tool use.", { is_error: true }),
        text('use the other one'),
      ]),
    ]);
    expect(state.items[2]?.event).toMatchObject({ isError: true, why: 'denied' });
    expect(outline(state).at(-1)).toBe('person: use the other one');
  });

  it('keeps times, usage once a reply, and signatures for their own model alone (case-F04)', () => {
    const usage = { input_tokens: 3, output_tokens: 7, cache_read_input_tokens: 100, cache_creation_input_tokens: 20 };
    const message = (content: Line) => ({ message: { id: 'm1', model: 'claude-test', content: [content], usage } });
    const { state } = read([
      user('a', null, 'hi', { timestamp: '2025-11-29T13:01:38.206Z' }),
      {
        type: 'assistant',
        uuid: 'b',
        parentUuid: 'a',
        timestamp: '2025-11-29T13:01:40.000Z',
        ...message({ type: 'thinking', thinking: 'hm', signature: 'SIG' }),
      },
      { type: 'assistant', uuid: 'c', parentUuid: 'b', timestamp: '2025-11-29T13:01:41.500Z', ...message(text('ho')) },
    ]);
    expect(state.items[0]?.event.at).toBe('2025-11-29T13:01:38.206Z');
    expect(state.items[1]?.event).toMatchObject({
      at: '2025-11-29T13:01:40.000Z',
      ms: 1500,
      usage: { input: 123, output: 7, cachedRead: 100, cachedWrite: 20, reasoning: null },
      artifacts: [
        { provider: 'anthropic', model: 'claude-test', part: 0, kind: 'thinking', data: { signature: 'SIG' } },
      ],
    });
  });

  it('M4: a long result enters the view as head and tail, as if it had run here', () => {
    const { state } = read(
      [user('a', null, 'go'), assistant('b', 'a', 'm1', call('t1')), user('c', 'b', result('t1', 'x'.repeat(5000)))],
      { resultCapBytes: 1200 },
    );
    const event = state.items[2]?.event;
    if (event?.type !== 'tool.result') throw new TypeError('no result');
    expect(event.cap).toEqual({ headBytes: 800, tailBytes: 400 });
    expect(event.viewBytes).toBeLessThan(event.bytes);
  });

  it('what is no such file is said to be none', () => {
    expect(importClaudeCode('{"a":1}\nhello\n', importContext())).toBeNull();
    expect(looksLikeClaudeCode('{"type":"user","id":"x"}\n')).toBe(false);
    expect(looksLikeClaudeCode(JSON.stringify(user('a', null, 'hi')))).toBe(true);
  });
});

describe('recorded files that ship with the product', () => {
  const fixture = (name: string) => {
    const file = readFileSync(fileURLToPath(new URL(`fixtures/${name}`, import.meta.url)), 'utf8');
    return read(file.split('\n'));
  };

  it('an image in a result is kept once, beside the log lines that show it', () => {
    const { events, state } = fixture('agentcmd-tool-result-image.jsonl');
    expect(events.filter(({ type }) => type === 'blob.added')).toHaveLength(1);
    expect(state.items[1]?.event.parts).toMatchObject([{ type: 'image', mediaType: 'image/png', bytes: 70 }]);
  });

  it.each([
    ['agentcmd-tool-result-image.jsonl', [0, 2, 1, 1]],
    ['ccviewer-1af7fc5e.jsonl', [0, 5, 12, 12]],
    ['agentcmd-full-session-askuserquestion.jsonl', [1, 7, 3, 2]],
  ])('%s holds what was counted in it', (name, counted) => {
    const { userTurns, textItems, toolCalls, toolResults } = fixture(name).imported.counts;
    expect([userTurns, textItems, toolCalls, toolResults]).toEqual(counted);
  });
});
