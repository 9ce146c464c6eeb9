import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { StoredEvent } from '@/server/contract/events/event';
import { foldLog } from '@/server/core/projection/log-state';
import { encodeLine } from './encode-line';
import { anyLog } from './encode-line-arbitraries';
import { finishScan, scanChunk, startScan } from './scan-log';
import type { ScannedRecord } from './scan-log-record';

const branch = '01K0000000000000000000000B';
const at = '2026-01-02T03:04:05.678Z';

function message(seq: number, text: string): StoredEvent {
  const id = `01K00000000000000000${String(seq).padStart(6, '0')}`;
  const parts = [{ type: 'text' as const, text }];
  return {
    v: 1,
    seq,
    id,
    branch,
    at,
    type: 'message.user',
    clientMessageId: null,
    turnId: null,
    parts,
    by: 'me',
    place: 'turn',
    kind: 'person',
    bytes: 1,
  };
}

/** Reads bytes cut at the given places. */
function scan(bytes: Uint8Array, cuts: readonly number[] = []) {
  const records: ScannedRecord[] = [];
  let state = startScan();
  let from = 0;
  for (const cut of [...cuts, bytes.length]) {
    const step = scanChunk(state, bytes.subarray(from, cut));
    state = step.state;
    for (const record of step.records) records.push(record);
    from = cut;
  }
  const end = finishScan(state);
  return { ...end, records: [...records, ...end.records] };
}

const bytesOf = (...pieces: (string | Uint8Array)[]) => Buffer.concat(pieces.map((piece) => Buffer.from(piece)));
const eventsOf = (records: readonly ScannedRecord[]) =>
  records.flatMap((record) => (record.kind === 'event' ? [record.event] : []));
const faultsOf = (records: readonly ScannedRecord[]) =>
  records.flatMap((record) => (record.kind === 'event' ? [] : [{ kind: record.kind, ...record.range }]));
const idsOf = (records: readonly ScannedRecord[]) => eventsOf(records).map((event) => event.id);
const textOf = (bytes: Uint8Array, range: { from: number; to: number }) =>
  Buffer.from(bytes.subarray(range.from, range.to)).toString();

describe('scanning a log', () => {
  it('L6: yields every event of any log, and how it ends', () => {
    fc.assert(
      fc.property(anyLog, (log) => {
        const scanned = scan(bytesOf(...log.map(encodeLine)));
        expect(eventsOf(scanned.records)).toEqual(log);
        expect(scanned).toMatchObject({ lines: log.length, newestSeq: log.length, tail: 'newline' });
      }),
      { numRuns: 200 },
    );
  });

  it('L6: any cut of the bytes into chunks yields the same records', () => {
    const spoiled = fc.tuple(anyLog, fc.array(fc.tuple(fc.nat(), fc.uint8Array({ maxLength: 4 })), { maxLength: 3 }));
    fc.assert(
      fc.property(spoiled, fc.array(fc.nat(), { maxLength: 12 }), ([log, spoils], cuts) => {
        const bytes = bytesOf(...log.map(encodeLine));
        for (const [where, junk] of spoils)
          bytes.set(junk.subarray(0, bytes.length - (where % bytes.length)), where % bytes.length);
        const places = cuts.map((cut) => cut % bytes.length).sort((a, b) => a - b);
        expect(scan(bytes, places)).toEqual(scan(bytes));
      }),
      { numRuns: 300 },
    );
    const bytes = bytesOf(encodeLine(message(1, 'a')), 'half', '\n\n', encodeLine(message(2, 'b\u2028')), '{"v":1');
    expect(
      scan(
        bytes,
        Array.from({ length: bytes.length }, (_, index) => index),
      ),
    ).toEqual(scan(bytes));
  });

  it('case-C03: empty lines count as lines and are no damage', () => {
    const bytes = bytesOf(encodeLine(message(1, 'a')), '\n\n', encodeLine(message(4, 'b')));
    expect(scan(bytes)).toMatchObject({ lines: 4, newestSeq: 4 });
    expect(faultsOf(scan(bytes).records)).toEqual([]);
  });

  it('case-C02: two records on one line both count, whatever braces their texts hold', () => {
    const [first, second, third] = [
      message(1, 'a } { b "}{" c'),
      message(2, '{"v":1,"seq":9,"c":"00000000"}'),
      message(3, 'z'),
    ];
    const glued = encodeLine(first).trimEnd() + encodeLine(second) + encodeLine(third);
    expect(eventsOf(scan(bytesOf(glued)).records)).toEqual([first, second, third]);
    expect(faultsOf(scan(bytesOf(glued)).records)).toEqual([]);
  });

  it('contract-1: a half record before a whole one costs only itself', () => {
    const half = encodeLine(message(1, 'lost')).slice(0, 60);
    const bytes = bytesOf(half, encodeLine(message(2, 'kept')), encodeLine(message(3, 'kept too')));
    const scanned = scan(bytes);
    expect(eventsOf(scanned.records).map((event) => event.seq)).toEqual([2, 3]);
    expect(faultsOf(scanned.records)).toEqual([{ kind: 'damage', from: 0, to: 60, why: 'part of a record' }]);
  });

  it('contract-1: a copy of an older line, quoted inside a broken one, is no second record', () => {
    const quoted = JSON.parse(encodeLine(message(1, 'a')));
    const call: StoredEvent = {
      v: 1,
      seq: 2,
      id: '01K0000000000000000000000C',
      branch,
      at,
      type: 'message.assistant',
      prev: null,
      step: 0,
      model: { provider: 'p', model: 'm' },
      parts: [{ type: 'tool_call', callId: 'c', name: 'n', args: { line: quoted } }],
      end: 'stop',
      rawEnd: null,
      usage: null,
      ms: 0,
      artifacts: [],
      bytes: 0,
    };
    const broken = bytesOf(encodeLine(call));
    broken[20] = 0x58;
    const scanned = scan(bytesOf(encodeLine(message(1, 'a')), broken, encodeLine(message(3, 'c'))));
    expect(eventsOf(scanned.records).map((event) => event.seq)).toEqual([1, 3]);
    expect(faultsOf(scanned.records)).toHaveLength(1);
  });

  it('contract-1: a tail whose checksum verifies is a whole event', () => {
    const bytes = bytesOf(encodeLine(message(1, 'a')), encodeLine(message(2, 'b')).trimEnd());
    expect(scan(bytes)).toMatchObject({ lines: 2, newestSeq: 2, tail: 'whole' });
    expect(faultsOf(scan(bytes).records)).toEqual([]);
  });

  it('L6: a torn line stays torn once it is sealed, and damage stays damage', () => {
    const first = encodeLine(message(1, 'a'));
    const torn = { from: first.length, to: first.length + 20 };
    const half = encodeLine(message(2, 'b')).slice(0, 20);
    const seal: StoredEvent = {
      v: 1,
      seq: 3,
      id: '01K0000000000000000000000D',
      branch,
      at,
      type: 'log.sealed',
      ...torn,
      kind: 'torn',
    };
    const open = scan(bytesOf(first, half));
    expect(open.tail).toBe('torn');
    expect(faultsOf(open.records)).toMatchObject([{ kind: 'torn', ...torn }]);
    const sealed = scan(bytesOf(first, half, '\n', encodeLine(seal), encodeLine(message(4, 'c'))));
    // Where only the range is kept, its reason tells the two apart.
    expect(faultsOf(sealed.records)).toEqual([{ kind: 'torn', ...torn, why: 'torn' }]);
    const unsealed = scan(bytesOf(first, half, '\n', encodeLine(message(3, 'c'))));
    expect(faultsOf(unsealed.records)).toMatchObject([{ kind: 'damage', ...torn }]);
  });
});

describe('what editors, disks and crashes do to a log', () => {
  const lines = Array.from({ length: 300 }, (_, index) =>
    encodeLine(message(index + 1, `number ${index} 日本語 \ud83d 🏳️‍🌈 "quoted" \u0000 {"v":1}`)),
  );
  const bytes = bytesOf(...lines);
  const places = scan(bytes).records.flatMap((record) =>
    record.kind === 'event' ? [{ id: record.event.id, from: record.from, to: record.to + 1 }] : [],
  );
  const ids = places.map(({ id }) => id);

  it('rel-S4: a torn tail of every length is told from a whole one, and nothing before it is touched', () => {
    const lengths = lines.slice(-3).map((line) => Buffer.byteLength(line));
    const start = bytes.length - lengths.reduce((sum, length) => sum + length, 0);
    const before = startScan({ offset: start, lines: 297, newestSeq: 297 });
    for (let end = start; end <= bytes.length; end += 1) {
      const step = scanChunk(before, bytes.subarray(start, end));
      const tail = finishScan(step.state);
      const whole = Buffer.from(bytes.subarray(start, end)).toString('latin1').split('\n').length - 1;
      const rest = bytes.subarray(bytes.subarray(0, end).lastIndexOf(0x0a) + 1, end);
      const complete = rest.length > 0 && bytes[end] === 0x0a;
      expect(tail.tail).toBe(rest.length === 0 ? 'newline' : complete ? 'whole' : 'torn');
      const records = [...step.records, ...tail.records];
      expect(eventsOf(records)).toHaveLength(whole + (complete ? 1 : 0));
      const torn = rest.length === 0 || complete ? [] : [{ kind: 'torn', from: end - rest.length, to: end }];
      expect(faultsOf(records)).toMatchObject(torn);
    }
  }, 60_000);

  it('rel-S6: each of 10,000 single flipped bits is noticed and costs at most its own line', () => {
    const log = bytes.subarray(0, bytesOf(...lines.slice(0, 6)).length);
    const known = new Map(eventsOf(scan(log).records).map((event) => [event.id, JSON.stringify(event)]));
    const unnoticed: number[] = [];
    const costly: number[] = [];
    let next = 1;
    for (let run = 0; run < 10_000; run += 1) {
      next = (next * 48_271) % 2_147_483_647;
      const bit = next % (log.length * 8);
      const flipped = Buffer.from(log);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const { records } = scan(flipped);
      const events = eventsOf(records);
      const asTheyWere = events.every((event) => JSON.stringify(event) === known.get(event.id));
      if (faultsOf(records).length === 0) unnoticed.push(bit);
      if (!asTheyWere || events.length < known.size - 1) costly.push(bit);
    }
    expect({ unnoticed, costly }).toEqual({ unnoticed: [], costly: [] });
  }, 60_000);

  it('rel-S7: zeroed, swapped and doubled pages cost no line they did not touch', () => {
    const log = bytes.subarray(0, places[99]?.to);
    const hundred = places.slice(0, 100);
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.constantFrom('zero', 'swap', 'double'), (a, b, what) => {
        const pages = Math.floor(log.length / 4096);
        const [one, two] = [(a % pages) * 4096, (b % pages) * 4096];
        const page = Buffer.from(log.subarray(one, one + 4096));
        const spoiled = Buffer.from(log);
        if (what === 'zero') spoiled.fill(0, one, one + 4096);
        if (what === 'swap') spoiled.copyWithin(one, two, two + 4096);
        if (what !== 'zero') spoiled.set(page, two);
        const touched = what === 'zero' ? [one] : what === 'swap' ? [one, two] : [two];
        const found = new Set(idsOf(scan(spoiled).records));
        const lost = hundred.filter(
          ({ id, from, to }) => !found.has(id) && !touched.some((page) => from < page + 4096 && to > page),
        );
        expect(lost).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  }, 60_000);

  it('rel-S8: a byte order mark is named and costs nothing', () => {
    const scanned = scan(bytesOf('\ufeff', bytes));
    expect(idsOf(scanned.records)).toEqual(ids);
    expect(faultsOf(scanned.records)).toEqual([{ kind: 'damage', from: 0, to: 3, why: 'byte order mark' }]);
  });

  it('rel-S8: carriage returns are named and cost nothing', () => {
    const spoiled = bytesOf(...lines.slice(0, 3).map((line) => line.replace('\n', '\r\n')));
    const scanned = scan(spoiled);
    expect(idsOf(scanned.records)).toEqual(ids.slice(0, 3));
    const faults = faultsOf(scanned.records);
    expect(faults.map(({ why }) => why)).toEqual(['carriage return', 'carriage return', 'carriage return']);
    expect(faults.map((range) => textOf(spoiled, range))).toEqual(['\r', '\r', '\r']);
  });

  it('rel-S8: a missing middle leaves a gap in seq and nothing else', () => {
    const scanned = scan(bytesOf(...lines.slice(0, 5), ...lines.slice(9, 12)));
    expect(eventsOf(scanned.records).map((event) => event.seq)).toEqual([1, 2, 3, 4, 5, 10, 11, 12]);
    expect(scanned).toMatchObject({ lines: 8, newestSeq: 12 });
  });

  it('rel-S7: a run of zeros is named', () => {
    const scanned = scan(bytesOf(lines[0] ?? '', new Uint8Array(100), '\n', lines[1] ?? ''));
    expect(faultsOf(scanned.records)).toMatchObject([{ why: 'zero bytes' }]);
    expect(eventsOf(scanned.records)).toHaveLength(2);
  });

  it('U+2028, U+2029 and U+0085 end no line', () => {
    const scanned = scan(bytesOf(encodeLine(message(1, 'a\u2028b\u2029c\u0085d'))));
    expect(eventsOf(scanned.records)).toEqual([message(1, 'a\u2028b\u2029c\u0085d')]);
  });
});

describe('rel-S22: what no machine could hold', () => {
  let piece: Buffer;
  beforeAll(() => {
    piece = Buffer.alloc(1024 * 1024, 'x');
  });

  it('a line of 200 MB is skipped and named, and never held', () => {
    let state = scanChunk(startScan(), bytesOf(encodeLine(message(1, 'before')))).state;
    const from = state.offset;
    let mostHeld = 0;
    for (let count = 0; count < 200; count += 1) {
      state = scanChunk(state, piece).state;
      mostHeld = Math.max(
        mostHeld,
        state.pieces.reduce((sum, held) => sum + held.length, 0),
      );
    }
    const step = scanChunk(state, bytesOf('\n', encodeLine(message(3, 'after'))));
    expect(faultsOf(step.records)).toEqual([
      { kind: 'damage', from, to: from + 200 * piece.length, why: 'longer than 64 MiB' },
    ]);
    expect(eventsOf(step.records).map((event) => event.seq)).toEqual([3]);
    expect(mostHeld).toBeLessThanOrEqual(64 * piece.length);
    expect(finishScan(scanChunk(startScan(), piece).state).tail).toBe('torn');
  });

  it('a million empty lines are counted', () => {
    expect(scan(Buffer.alloc(1_000_000, '\n'))).toMatchObject({ lines: 1_000_000, records: [], tail: 'newline' });
  });

  it('hundreds of thousands of tiny lines that are none are each named, in a time that follows their number', () => {
    // Were the whole list copied for each, this would take an hour.
    const { records, lines } = scan(Buffer.from('x\n'.repeat(300_000)));
    expect(lines).toBe(300_000);
    expect(foldLog(records).damage).toHaveLength(300_000);
    const empty = scan(Buffer.from('{}\n'.repeat(100_000)));
    expect(foldLog(empty.records).newestSeq).toBe(100_000);
  }, 60_000);

  it('a line made of nothing but beginnings and ends of records is searched within a bound', () => {
    const hostile = bytesOf('{"v":1,"c":"00000000"}'.repeat(40_000), '\n', encodeLine(message(2, 'after')));
    const scanned = scan(hostile);
    expect(eventsOf(scanned.records).map((event) => event.seq)).toEqual([2]);
    expect(faultsOf(scanned.records)).toHaveLength(1);
  }, 30_000);
});
