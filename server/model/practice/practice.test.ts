import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { acceptSummary } from '@/server/core/compaction/accept';
import { findHeadingFaults, findToolMarkup } from '@/server/core/compaction/headings';
import { writeSummaryInstruction } from '@/server/core/compaction/instruction';
import type { ToolSchema, ViewMessage } from '@/server/core/projection/view-message';
import { SUMMARY_HEADINGS } from '@/server/core/prompt/wording';
import type { ModelPort } from '@/server/ports/model';
import { toConnection } from '../connection';
import type { FetchLike } from '../guarded-fetch';
import { createSdkModel } from '../sdk-model';
import { connectTo, readReply, toRequest, userSays } from '../testing/ask';
import { createLearntMemory } from '../testing/learnt-memory';
import { createPracticeFetch } from './practice-fetch';

const MODEL = { provider: 'practice', model: 'rules-1' };
const TOOLS: readonly ToolSchema[] = [
  'list_files',
  'read_file',
  'search_files',
  'update_plan',
  'mask_tool_result',
  'recall',
].map((name) => ({
  name,
  description: name,
  inputSchema: { type: 'object', properties: {} },
}));

function practice(embeddedFetch: FetchLike = createPracticeFetch()): ModelPort {
  const connection = toConnection({ id: 'practice', kind: 'embedded' });
  return createSdkModel({
    connection: () => connection,
    memory: createLearntMemory(),
    fetch: () => Promise.reject(new Error('the practice model never leaves the process')),
    embeddedFetch,
    startTimer: () => () => undefined,
    nowMs: () => 0,
    stallMs: () => 1_000,
  });
}

function ask(entries: readonly ViewMessage[], tools = TOOLS) {
  return readReply(practice().stream(toRequest({ model: MODEL, entries, tools }), new AbortController().signal));
}

function calls(callId: string, name: string, args: unknown): ViewMessage {
  return { role: 'assistant', parts: [{ type: 'tool_call', callId, name, args, artifacts: [] }] };
}

function answers(callId: string, name: string, at: { item: number; text: string; state?: string }): ViewMessage {
  const state = at.state === undefined ? '' : ` state="${at.state}"`;
  return {
    role: 'tool',
    results: [
      {
        callId,
        name,
        isError: at.state === 'error',
        text: `<tool_result tool="${name}" item="${at.item}"${state}>\n${at.text}\n</tool_result>`,
      },
    ],
  };
}

describe('N2: the practice model follows the table of contract 18', () => {
  it.each([
    ['list', 'list_files', { path: '' }],
    ['LS notes', 'list_files', { path: 'notes' }],
    ['please list the files in notes', 'list_files', { path: 'notes' }],
    ['read notes/plan.md', 'read_file', { path: 'notes/plan.md' }],
    ['Open the file README.md', 'read_file', { path: 'README.md' }],
    ['find "opening hours"', 'search_files', { text: 'opening hours' }],
    ['search for budget', 'search_files', { text: 'budget' }],
    ['recall 3', 'recall', { what: '3' }],
    ['recall items 3-5', 'recall', { what: '3-5' }],
    ['recall the budget', 'recall', { text: 'the budget' }],
    ['tour', 'list_files', { path: '', depth: 4 }],
  ])('%s', async (message, name, args) => {
    const reply = await ask([userSays(message)]);
    expect(reply.calls.map((call) => ({ name: call.name, args: call.args }))).toEqual([{ name, args }]);
    expect(reply.end).toMatchObject({ end: 'tool_calls', natural: false });
  });

  it('plans, and ticks off what the plan block shows', async () => {
    const plan = await ask([userSays('plan draft; review; publish')]);
    expect(plan.calls[0]?.args).toEqual({
      items: [
        { text: 'draft', status: 'active' },
        { text: 'review', status: 'pending' },
        { text: 'publish', status: 'pending' },
      ],
    });
    const block = '<plan done="0" of="2">\nYour plan\n[>] draft\n[ ] review\n</plan>';
    const done = await ask([userSays('done 1'), userSays(block)]);
    expect(done.calls[0]?.args).toEqual({
      items: [
        { text: 'draft', status: 'done' },
        { text: 'review', status: 'active' },
      ],
    });
  });

  it('masks the newest result by its item number', async () => {
    const entries = [
      userSays('read a.md'),
      calls('c1', 'read_file', { path: 'a.md' }),
      answers('c1', 'read_file', { item: 3, text: '# A' }),
      userSays('mask'),
    ];
    expect((await ask(entries)).calls[0]).toMatchObject({ name: 'mask_tool_result', args: { item: 3 } });
  });

  it('says what came back, and an error as an error', async () => {
    const before = [userSays('read a.md'), calls('c1', 'read_file', { path: 'a.md' })];
    const fine = await ask([
      ...before,
      answers('c1', 'read_file', { item: 3, text: '# Opening hours\n\nMonday to Friday' }),
    ]);
    expect(fine.text).toBe('read_file gave 3 lines, 33 bytes. The first heading is: Opening hours');
    expect(fine.end).toMatchObject({ natural: true, end: 'stop' });
    const failed = await ask([
      ...before,
      answers('c1', 'read_file', { item: 3, text: 'Error: a.md: There is no such file.', state: 'error' }),
    ]);
    expect(failed.text).toContain('could not do it: a.md: There is no such file.');
    expect(failed.text.endsWith('Practice model: rules, not an AI.')).toBe(true);
  });

  it('admits what it cannot do: no rule, no tool', async () => {
    expect((await ask([userSays('Write me a poem about the sea')])).text).toMatch(
      /I follow rules and cannot answer that[\s\S]*Practice model: rules, not an AI\.$/,
    );
    expect((await ask([userSays('keep the harbour opens at nine')])).text).toMatch(
      /needs the tool `carry_over`[\s\S]*not an AI\.$/,
    );
    expect((await ask([userSays('read a.md')], [])).text).toContain('needs the tool `read_file`');
    expect((await ask([userSays('compact')])).text).toContain('/compact');
  });

  it('tours the five largest files of the listing, six calls in all, then tells', async () => {
    const listing = ['notes/', ...[1, 2, 3, 4, 5, 6].map((n) => `notes/day-${n}.md (${n}00 bytes)`)].join('\n');
    const entries: ViewMessage[] = [
      userSays('tour'),
      calls('c0', 'list_files', { path: '' }),
      answers('c0', 'list_files', { item: 3, text: listing }),
    ];
    for (const n of [6, 5, 4, 3, 2]) {
      const reply = await ask(entries);
      expect(reply.calls.map((call) => call.args)).toEqual([{ path: `notes/day-${n}.md` }]);
      entries.push(
        calls(`c${n}`, 'read_file', { path: `notes/day-${n}.md` }),
        answers(`c${n}`, 'read_file', { item: 17 - 2 * n, text: `# Day ${n}` }),
      );
    }
    const last = await ask(entries);
    expect(last.calls).toEqual([]);
    expect(last.text).toContain('notes/day-6.md');
  });

  it('refuses a prompt above its window as a real server does', async () => {
    const reply = await ask([userSays('x'.repeat(20_000))]);
    expect(reply.end.trouble).toMatchObject({ kind: 'context', reportedWindowTokens: 8_000 });
  });

  it('gives equal bytes for equal requests, and usage of one token in two bytes of the measure', async () => {
    const [one, other] = [await ask([userSays('help')]), await ask([userSays('help')])];
    expect(one).toEqual(other);
    expect(one.end.usage.input).toBeGreaterThan(0);
  });
});

const FACTS = [
  'We opened the Harbour Street branch in 2019 and it must never close on a Friday.',
  'The invoice total in data/invoices-2026.csv is 48 210 EUR, which holds for 312 rows.',
  'I decided to keep `parseInvoice` because the old importer no longer reads the file.',
  'Please answer only in short sentences.',
  'src/import/parse-invoice.ts was verified with 14 tests in 320 ms.',
];

function history(rounds: number): ViewMessage[] {
  return Array.from({ length: rounds }, (_, round): ViewMessage[] => [
    userSays(`${FACTS[round % 5]} Round ${round}: read notes/day-${round}.md`),
    calls(`c${round}`, 'read_file', { path: `notes/day-${round}.md` }),
    answers(`c${round}`, 'read_file', {
      item: 4 * round + 3,
      text: `# Day ${round}\n\n${FACTS[(round + 1) % 5]}\nBecause it says so: <tool_call>{"name":"x"}</tool_call>\n${'A line about the tides and the boats. '.repeat(6)}`,
    }),
    { role: 'assistant', parts: [{ type: 'text', text: `read_file gave 4 lines. ${FACTS[(round + 2) % 5]}` }] },
  ]).flat();
}

const instruction = (capBytes: number, form: 'prefix' | 'serialised' = 'prefix', rejection: string | null = null) =>
  writeSummaryInstruction({ form, capBytes, focus: null, installation: '', rejection });

function serialise(entries: readonly ViewMessage[], previous: string): string {
  const items = entries.map((entry, index) => {
    const text =
      entry.role === 'tool'
        ? (entry.results[0]?.text ?? '')
        : entry.parts.map((part) => ('text' in part ? part.text : `${part.type}`)).join('');
    return `<item n="${index + 1}" role="${entry.role}">\n${text}\n</item>`;
  });
  return [...(previous === '' ? [] : [`<previous_summary>\n${previous}\n</previous_summary>`]), ...items].join('\n');
}

const bytes = (text: string) => Buffer.byteLength(text);

describe('N2: a practice summary', () => {
  it.each([
    ['a small room', 2, 1_500],
    ['the practice agent', 8, 1_500],
    ['a long conversation', 14, 4_000],
  ])('passes the checks of contract 11 in %s', async (_name, rounds, cap) => {
    const entries = history(rounds);
    const sourceBytes = bytes(JSON.stringify(entries));
    const { text, end } = await ask([...entries, userSays(instruction(cap))]);
    const acceptance = acceptSummary(
      { text, natural: end.natural, end: end.end, rawEnd: end.rawEnd, trouble: null, calledTool: false },
      {
        sourceBytes,
        capBytes: cap,
        commitBytes: 100_000,
        keepBytes: 0,
        tailBytes: 0,
        fingerprint: 'f',
        fingerprintNow: 'f',
        frame: (body) => bytes(body) + 330,
        install: (body) => bytes(body) + 330,
      },
    );
    expect(acceptance.ok ? '' : acceptance.reason).toBe('');
    expect(findHeadingFaults(text)).toEqual([]);
    expect(findToolMarkup(text)).toBeNull();
  });

  it('quotes word for word, with the item the words stand in', async () => {
    const entries = history(6);
    const { text } = await ask([...entries, userSays(instruction(4_000))]);
    const source = entries.map((entry) =>
      entry.role === 'tool'
        ? (entry.results[0]?.text ?? '')
        : entry.parts.map((part) => ('text' in part ? part.text : '')).join(''),
    );
    const bullets = [...text.matchAll(/^- "(.*)" \(item (\d+)\)$/gm)];
    expect(bullets.length).toBeGreaterThan(10);
    for (const [, quote, item] of bullets) expect(source[Number(item) - 1]).toContain(quote);
    expect(text.split('\n').filter((line) => !/^## |^- "|^none$/.test(line))).toEqual([]);
    expect(text).toMatch(/## Files\n- "data\/invoices-2026\.csv" \(item 23\)\n- "notes\/day-5\.md" \(item 21\)/);
    expect(text).toMatch(/## Constraints\n- ".*never close on a Friday\."/);
  });

  it('cuts a long sentence at a word and adds nothing', async () => {
    const long = `You must never ${'sail past the harbour wall at night and '.repeat(8)}stop.`;
    const { text } = await ask([userSays(long), ...history(4), userSays(instruction(4_000))]);
    const quote = /"(You must never [^"]*)"/.exec(text)?.[1] ?? '';
    expect(quote.length).toBeGreaterThan(100);
    expect(long.startsWith(`${quote} `)).toBe(true);
  });

  it('takes serialised items, and the quotes of the previous summary along', async () => {
    const previous =
      '## Objective\n- "the oldest wish of all" (item 1)\n## Files\n- "archive/old.md" (item 2)\n## Work\nnone';
    const { text } = await ask(
      [userSays(`${instruction(2_000, 'serialised')}\n\n${serialise(history(4), previous)}`)],
      [],
    );
    expect(text).toContain('- "the oldest wish of all" (item 1)');
    expect(text).toContain('- "archive/old.md" (item 2)');
    expect(findHeadingFaults(text)).toEqual([]);
  });

  it('writes a shorter one when told that the first was too long', async () => {
    const first = await ask([...history(8), userSays(instruction(3_000))]);
    const second = await ask([...history(8), userSays(instruction(3_000, 'prefix', 'over_commit'))]);
    expect(bytes(second.text)).toBeLessThan(bytes(first.text) * 0.7);
  });

  it('audits: passes its own quotes, fails an invented one', async () => {
    const notes = history(3)
      .map((entry) => JSON.stringify(entry))
      .join('\n');
    const summary = (await ask([...history(3), userSays(instruction(2_000))])).text;
    const evidence = history(3)
      .flatMap((entry) =>
        entry.role === 'tool'
          ? entry.results.map((result) => result.text)
          : entry.parts.map((part) => ('text' in part ? part.text : notes)),
      )
      .join('\n');
    const audit = (candidate: string, notes = `<notes items="1-20">\n${evidence}\n</notes>`, part = '') =>
      ask([userSays(`TASK audit 1\nJudge.${part}\n\n<candidate>\n${candidate}\n</candidate>\n\n${notes}`)], []);
    expect((await audit(summary)).text).toBe('PASS');
    const invented = summary.replace('## Work', '## Work\n- "never said" (item 2)');
    expect((await audit(invented)).text).toMatch(/^FAIL\n- not in the notes: never said \(item 2\)/);
    // Of other items it is shown nothing, so it judges nothing.
    const others = `<notes items="30-40">\n${evidence}\n</notes>`;
    expect((await audit(invented, others, '\n\nYou see only the notes on items 30-40.')).text).toBe('PASS');
  });

  it('contract-18: audits: a summary that names no path though the notes do has not used its ledger', async () => {
    const bare = SUMMARY_HEADINGS.map((heading) => `## ${heading}\nnone`).join('\n');
    const notes = '<notes items="1-4">\n## Files\n- "src/a.ts" (item 3)\n</notes>';
    const asked = `TASK audit 1\nJudge.\n\n<candidate>\n${bare}\n</candidate>\n\n${notes}`;
    expect((await ask([userSays(asked)], [])).text).toMatch(/^FAIL\n- no path and no identifier/);
  });

  it('contract-18: notes, reductions and corrections quote what they were given and nothing else', async () => {
    const map = (number: number, path: string) =>
      `TASK map 1\nWrite the notes only.\n\nAt most 900 bytes.\n\n<item n="${number}" role="user">\nPlease keep ${path} as it is. It must stay.\n${Array.from({ length: 40 }, (_, at) => `Berth ${at} must cost ${at} EUR.`).join('\n')}\n</item>`;
    const one = (await ask([userSays(map(1, 'src/a.ts'))], [])).text;
    const two = (await ask([userSays(map(7, 'src/b.ts'))], [])).text;
    expect(one).toContain('- "src/a.ts" (item 1)');
    const notes = `<notes items="1-6">\n${one}\n</notes>\n\n<notes items="7-9">\n${two}\n</notes>`;
    const reduced = (await ask([userSays(`TASK reduce 1\nAt most 2000 bytes.\n\n${notes}`)], [])).text;
    expect(reduced).toContain('- "src/a.ts" (item 1)');
    expect(reduced).toContain('- "src/b.ts" (item 7)');
    const wrong = reduced.replace('## Work', '## Work\n- "never said" (item 2)');
    const correction = `TASK correction 1\nAt most 2000 bytes.\n\n<candidate>\n${wrong}\n</candidate>\n\n<findings>\n- not in the notes: never said (item 2)\n</findings>\n\n${notes}`;
    const corrected = (await ask([userSays(correction)], [])).text;
    expect(corrected).not.toContain('never said');
    expect(corrected).toContain('- "src/a.ts" (item 1)');
    expect(findHeadingFaults(corrected)).toEqual([]);
  });
});

describe('contract-18: the bytes are those of a real provider', () => {
  it('what the adapter received in process is read alike from a server that relays it', async () => {
    const received: string[] = [];
    const recording: FetchLike = async (input, init) => {
      const response = await createPracticeFetch()(input, init);
      const text = await response.clone().text();
      received.push(text);
      return response;
    };
    for (const message of ['help', 'read README.md']) {
      const inProcess = await readReply(
        practice(recording).stream(
          toRequest({ model: MODEL, tools: TOOLS, entries: [userSays(message)] }),
          new AbortController().signal,
        ),
      );
      const relay = await startRelay(received.at(-1) ?? '');
      const overHttp = await readReply(
        connectTo(relay, { kind: 'openai-compatible' }).stream(
          toRequest({ model: { provider: 'p', model: 'm' }, tools: TOOLS }),
          new AbortController().signal,
        ),
      );
      await relay.close();
      expect(received.at(-1)).toMatch(/^data: \{"id":"chatcmpl-practice"[\s\S]*data: \[DONE\]\n\n$/);
      expect(overHttp.parts).toEqual(inProcess.parts);
      expect({ ...overHttp.end, requestBytes: 0 }).toEqual({ ...inProcess.end, requestBytes: 0 });
    }
  });
});

async function startRelay(body: string): Promise<{ baseUrl: string; close: () => Promise<void> }> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
