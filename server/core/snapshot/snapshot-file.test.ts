import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aLog } from '@/server/core/projection/log-builder';
import { appendToLog, emptyLogState } from '@/server/core/projection/log-state';
import { RowWriter } from './row-writer';
import { decodeSnapshot, encodeSnapshot } from './snapshot-file';
import { takeSnapshot } from './take-snapshot';

function aSnapshot() {
  const story = aLog().session().says('hello').calls('read_file').replies('hi');
  const rows = new RowWriter();
  let log = emptyLogState();
  for (const event of story.events()) {
    log = appendToLog(log, event);
    rows.take(log, { event, from: event.seq * 100, to: event.seq * 100 + 99 });
  }
  const snapshot = takeSnapshot({
    log,
    sessions: [story.state()],
    place: { offset: 1000, lines: log.newestSeq, newestSeq: log.newestSeq },
    tail: { bytes: 0, sha256: '' },
    rows,
    unreported: [],
    placeOf: (seq) => ({ from: seq * 100, bytes: 99 }),
  });
  if (snapshot === null) throw new TypeError('this log has a snapshot');
  return { snapshot, logId: log.logId };
}

describe('the file of a snapshot', () => {
  it('comes back as it went in, and for its own log alone', () => {
    const { snapshot, logId } = aSnapshot();
    expect(decodeSnapshot(encodeSnapshot(snapshot), logId)).toEqual(snapshot);
    expect(decodeSnapshot(encodeSnapshot(snapshot), '01K0000000000000000000OTHR')).toBeNull();
  });

  it('rel-S17: whatever bit is turned, wherever it is cut, it is none any more, 500 of 500', () => {
    const { snapshot, logId } = aSnapshot();
    const good = Buffer.from(encodeSnapshot(snapshot));
    const change = fc.oneof(
      fc.tuple(fc.nat(good.length - 1), fc.nat(7)).map(([at, bit]) => {
        const turned = Buffer.from(good);
        turned.writeUInt8((turned[at] ?? 0) ^ (1 << bit), at);
        return turned;
      }),
      fc.nat(good.length - 1).map((at) => good.subarray(0, at)),
      fc.nat(good.length - 1).map((at) => Buffer.concat([good.subarray(0, at), good])),
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    );
    fc.assert(
      fc.property(change, (bytes) => {
        if (!bytes.equals(good)) expect(decodeSnapshot(bytes, logId)).toBeNull();
      }),
      { numRuns: 500 },
    );
  });
});
