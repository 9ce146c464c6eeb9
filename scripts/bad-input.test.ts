import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeDrafts } from '@/db/contract-tests/session-log-drafts';
import { openFilesSessionLog } from '@/db/files/session-log';
import { encodeLine } from '@/server/core/log/encode-line';
import { aLog } from '@/server/core/projection/log-builder';
import { foldLog } from '@/server/core/projection/log-state';
import { foldSession } from '@/server/core/projection/session-state';
import { projectTranscript } from '@/server/core/projection/transcript';
import type { LogRecord } from '@/server/ports/session-log';
import { examineLogs } from './doctor-report';

const story = aLog()
  .says('one')
  .replies('1')
  .says('two \u2028 \u2029 \u0085 \ud83d \u0000')
  .replies('2')
  .says('three')
  .replies('3');
const events = story.events();
const lines = events.map(encodeLine);
const logId = story.branch;
const sizes = lines.map((line) => Buffer.byteLength(line));
/** Where line `n` begins, counted from 1. */
const from = (n: number) => sizes.slice(0, n - 1).reduce((sum, size) => sum + size, 0);
/** Where it ends, without its newline. */
const to = (n: number) => from(n + 1) - 1;
const whole = Buffer.from(lines.join(''));
const bytes = (...pieces: (string | Uint8Array)[]) => Buffer.concat(pieces.map((piece) => Buffer.from(piece)));
const line = (n: number) => lines[n - 1] ?? '';
const spoilt = (at: number, ...values: number[]) => {
  const copy = Buffer.from(whole);
  copy.set(values, at);
  return copy;
};
/** Line `n` with other fields, its checksum as it has to be. */
const changed = (n: number, fields: object) => {
  const event = events[n - 1];
  if (!event) throw new RangeError(`there is no line ${n}`);
  return encodeLine({ ...event, ...fields });
};
const numberOf = (type: string, nth = 1) => events.filter((event) => event.type === type)[nth - 1]?.seq ?? Number.NaN;
const [said2, reply2, started3] = [
  numberOf('message.user', 2),
  numberOf('message.assistant', 2),
  numberOf('turn.started', 3),
];
const last = lines.length;
const ALL = ['one', '1', 'two', '2', 'three', '3'];
/** What could not be read leaves a mark where it stood. */
const WITHOUT_REPLY = ['one', '1', 'two', 'Lines', 'three', '3'];

/** A line as far as its checksum, and that. */
function sumUp(text: string | Uint8Array): Buffer {
  return bytes(text, `,"c":"${crc32(text).toString(16).padStart(8, '0')}"}\n`);
}

const NO_UTF8 = sumUp(bytes('{"v":1,"seq":10,"id":"', Uint8Array.of(0xff, 0xc3, 0x28), '"'));

interface Row {
  readonly what: string;
  readonly file: Uint8Array;
  /** What the doctor says, in order; each begins so. */
  readonly says: readonly string[];
  /** First words of what is still shown. */
  readonly shows: readonly string[];
}

const NO_LOG = 'no log of a conversation: nothing in it is a line of one';

const ROWS: readonly Row[] = [
  { what: 'a log in good health', file: whole, says: [], shows: ALL },
  { what: 'U+2028, U+2029, U+0085, a lone surrogate and NUL within a text', file: whole, says: [], shows: ALL },
  {
    what: 'a missing last newline: the event is whole',
    file: whole.subarray(0, -1),
    says: [],
    shows: ALL,
  },
  {
    what: 'case-C01: a torn last line',
    file: whole.subarray(0, from(last) + 40),
    says: [`bytes ${from(last)} to ${from(last) + 40}: torn, the write before a crash; it is sealed`],
    shows: ALL,
  },
  {
    what: 'case-C01: a torn last line, cut within a character',
    file: bytes(whole, Buffer.from('{"v":1,"text":"日').subarray(0, -1)),
    says: [`bytes ${whole.length} to ${whole.length + 17}: torn`],
    shows: ALL,
  },
  {
    what: 'case-C03, rel-S5: torn, then blank lines, then good ones',
    file: bytes(whole.subarray(0, from(reply2) + 30), '\n\n\n', whole.subarray(from(reply2 + 1))),
    says: [`bytes ${from(reply2)} to ${from(reply2) + 30}: damaged, not a JSON object`, `line ${reply2 + 1}: rule 3, `],
    shows: WITHOUT_REPLY,
  },
  {
    what: 'case-C02: two records on one line',
    file: bytes(whole.subarray(0, to(said2)), whole.subarray(to(said2) + 1)),
    says: [],
    shows: ALL,
  },
  {
    what: 'case-C02: half a record before a whole one, on one line',
    file: bytes(whole.subarray(0, from(reply2)), '{"v":1,"seq":9,"half', whole.subarray(from(reply2))),
    says: [`bytes ${from(reply2)} to ${from(reply2) + 20}: damaged, part of a record`],
    shows: ALL,
  },
  {
    what: 'rel-S6: one flipped bit',
    file: spoilt(from(reply2) + 60, (whole[from(reply2) + 60] ?? 0) ^ 4),
    says: [`bytes ${from(reply2)} to ${to(reply2)}: damaged, checksum does not match`, `line ${reply2 + 1}: rule 3, `],
    shows: WITHOUT_REPLY,
  },
  {
    what: 'rel-S7: a line of NUL where one stood',
    file: Buffer.from(whole).fill(0, from(reply2), to(reply2)),
    says: [`bytes ${from(reply2)} to ${to(reply2)}: damaged, zero bytes`, `line ${reply2 + 1}: rule 3, `],
    shows: WITHOUT_REPLY,
  },
  {
    what: 'rel-S7: a run of NUL on a line of its own',
    file: bytes(whole.subarray(0, from(reply2)), new Uint8Array(50), '\n', whole.subarray(from(reply2))),
    says: [`bytes ${from(reply2)} to ${from(reply2) + 50}: damaged, zero bytes`],
    shows: ALL,
  },
  {
    what: 'rel-S8: a byte order mark',
    file: bytes('\ufeff', whole),
    says: ['bytes 0 to 3: damaged, byte order mark'],
    shows: ALL,
  },
  {
    what: 'rel-S8: carriage returns',
    file: bytes(...lines.map((text) => text.replace('\n', '\r\n'))),
    says: lines.map((_, at) => `bytes ${to(at + 1) + at} to ${to(at + 1) + at + 1}: damaged, carriage return`),
    shows: ALL,
  },
  {
    what: 'rel-S8: lines taken out of the middle: the gap is named',
    file: bytes(...lines.slice(0, reply2 - 1), ...lines.slice(reply2)),
    says: [
      `line ${reply2 + 1}: rule 1, seq_order: it stands on line ${reply2}`,
      `line ${reply2 + 1}: rule 3, dangling_reference: it names line ${reply2}, which is lost`,
    ],
    shows: WITHOUT_REPLY,
  },
  {
    what: 'rel-S8: the first lines taken away by an editor',
    file: bytes(...lines.slice(2)),
    says: ['line 3: rule 1, seq_order: it stands on line 1', 'line 3: rule 2, opening_lines', 'line 4: rule 3, '],
    shows: ['Lines', ...ALL],
  },
  {
    what: 'rel-S7: a line that stands twice',
    file: bytes(...lines.slice(0, said2), line(said2), ...lines.slice(said2)),
    says: [
      `line ${said2}: rule 1, seq_order: it stands on line ${said2 + 1}`,
      `line ${said2}: rule 1, seq_order: after line ${said2} (ignored)`,
    ],
    shows: ALL,
  },
  {
    what: 'the same id twice: the first line wins',
    file: bytes(whole, changed(said2, { seq: last + 1, parts: [{ type: 'text', text: 'forged' }] })),
    says: [],
    shows: ALL,
  },
  {
    what: 'a circle: a line that follows itself',
    file: bytes(...lines.slice(0, started3 - 1), changed(started3, { prev: started3 }), ...lines.slice(started3)),
    says: [
      `line ${started3}: rule 3, dangling_reference: it names line ${started3}, which is no earlier line of its path (ignored)`,
    ],
    shows: ['one', '1', 'two', '2', 'This', '3', 'three'],
  },
  {
    what: 'a circle: two lines that follow each other',
    file: bytes(...lines.slice(0, reply2 - 1), changed(reply2, { prev: started3 }), ...lines.slice(reply2)),
    says: [
      `line ${reply2}: rule 3, dangling_reference: it names line ${started3}, which is no earlier line of its path (ignored)`,
    ],
    shows: ['one', '1', 'two', 'This', 'three', '3'],
  },
  {
    what: 'bytes that are no UTF-8, with a checksum that holds',
    file: bytes(whole.subarray(0, from(reply2)), NO_UTF8, whole.subarray(from(reply2 + 1))),
    says: [
      `bytes ${from(reply2)} to ${from(reply2) + NO_UTF8.length - 1}: damaged, not valid UTF-8`,
      `line ${reply2 + 1}: rule 3, `,
    ],
    shows: WITHOUT_REPLY,
  },
  {
    what: 'rel-S22: a line nested five million deep',
    file: bytes(whole, '{"v":0,"x":', '['.repeat(5_000_000), ']'.repeat(5_000_000), '}\n'),
    says: [`bytes ${whole.length} to ${whole.length + 10_000_012}: damaged, nested deeper than 64`],
    shows: ALL,
  },
  {
    what: 'rel-S24: a type of a newer version off the path',
    file: bytes(
      whole,
      sumUp(
        `{"v":1,"seq":${last + 1},"id":"01K00000000000000000000NEW","branch":"${logId}","at":"2030-01-01T00:00:00.000Z","type":"hologram.shown"`,
      ),
    ),
    says: [`line ${last + 1}: "hologram.shown" was made by a newer version; it is kept`],
    shows: ALL,
  },
  { what: 'an empty file', file: bytes(), says: [], shows: [] },
  { what: 'a file of blank lines', file: Buffer.alloc(1000, '\n'), says: [NO_LOG], shows: [] },
  { what: 'a text that is no log', file: bytes('Dear diary,\ntoday nothing happened.\n'), says: [NO_LOG], shows: [] },
  {
    what: 'a picture',
    file: Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13),
    says: [NO_LOG],
    shows: [],
  },
  {
    what: 'JSON lines of another program',
    file: bytes('{"type":"user","uuid":"u"}\n{"type":"assistant"}\n'),
    says: [NO_LOG],
    shows: [],
  },
];

async function read(dataDir: string): Promise<readonly LogRecord[]> {
  const log = await openFilesSessionLog({ dataDir, ...makeDrafts(), lock: null });
  const records: LogRecord[] = [];
  for await (const record of log.read(logId)) records.push(record);
  await log.close();
  return records;
}

function shown(records: readonly LogRecord[]): readonly string[] {
  const log = foldLog(records);
  if (!log.branches.has(logId)) return [];
  const messages = projectTranscript(foldSession(log, logId), log);
  return messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'text' && part.text !== '' ? [part.text.split(' ')[0] ?? ''] : [])),
  );
}

describe('L6: what may have happened to a log, what is said of it, and what is left', () => {
  let dataDir: string;
  let path: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'tidemark-bad-'));
    path = join(dataDir, 'logs', `${logId}.jsonl`);
    await (await openFilesSessionLog({ dataDir, ...makeDrafts(), lock: null })).close();
  });
  afterEach(() => rm(dataDir, { recursive: true }));

  it.each(ROWS)('$what', async ({ file, says, shows }) => {
    await writeFile(path, file);
    const [report] = await examineLogs(dataDir);
    const findings = report?.findings ?? [];
    expect(findings.map((finding, at) => finding.slice(0, says[at]?.length))).toEqual(says);
    const before = file.length > 0 ? await read(dataDir) : [];
    expect(shown(before)).toEqual(shows);
    // Neither looking nor reading changes a byte.
    expect((await readFile(path)).equals(file)).toBe(true);
    if (shows.length === 0) return;

    const make = makeDrafts();
    const log = await openFilesSessionLog({ dataDir, ...make, lock: null });
    const [added] = await log.append(logId, [make.message(logId, 'and on')]);
    await log.close();
    expect((await readFile(path)).subarray(0, file.length).equals(file)).toBe(true);
    const kept = idsOf(before);
    const after = idsOf(await read(dataDir));
    expect(after.filter((id) => kept.includes(id))).toEqual(kept);
    expect(after.at(-1)).toBe(added?.id);
  });
});

const idsOf = (records: readonly LogRecord[]) =>
  records.flatMap((record) => (record.kind === 'event' ? [record.event.id] : []));
