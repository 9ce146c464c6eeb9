import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LogEvent, StoredEvent } from '@/server/contract/events/event';
import { encodeLine } from '@/server/core/log/encode-line';
import { advanceSession } from '@/server/core/projection/advance-session';
import { cookSoup, VERBS } from '@/server/core/projection/log-builder-soup';
import { appendToLog, emptyLogState, foldEvents } from '@/server/core/projection/log-state';
import { NO_PROMPT, projectView } from '@/server/core/projection/model-view';
import { foldSession } from '@/server/core/projection/session-state';
import type { LogState, SessionState } from '@/server/core/projection/state-shape';
import { projectTranscript } from '@/server/core/projection/transcript';
import type { ColdSource } from './cold-log';
import { LineRows } from './line-rows';
import { type OpenedSnapshot, openSnapshot } from './open-snapshot';
import { RowWriter } from './row-writer';
import { snapshotSchema } from './snapshot-shape';
import { takeSnapshot } from './take-snapshot';

const stepArbitrary = fc.record({ verb: fc.constantFrom(...VERBS), pick: fc.nat(50) });
const soupArbitrary = fc.array(stepArbitrary, { minLength: 5, maxLength: 60 }).map(cookSoup);

/** A log in a file that is a buffer, replayed line by line as a process does, with a row for each line. */
class Replay {
  log: LogState;
  readonly sessions: Map<string, SessionState>;
  rows: RowWriter;
  base: Uint8Array = new Uint8Array();
  readonly places = new Map<number, { readonly from: number; readonly bytes: number }>();
  coldReads = 0;

  constructor(
    readonly file: Buffer,
    readonly lines: readonly { readonly event: LogEvent; readonly from: number; readonly to: number }[],
    readonly opened: OpenedSnapshot | null = null,
  ) {
    this.log = opened?.log ?? emptyLogState();
    this.sessions = new Map(opened?.sessions);
    this.rows = new RowWriter(opened?.rows);
  }

  take(from: number, to: number): void {
    for (const line of this.lines.slice(from, to)) {
      this.log = appendToLog(this.log, line.event);
      this.rows.take(this.log, line);
      this.places.set(line.event.seq, { from: line.from, bytes: line.to - line.from });
      for (const branch of this.log.branches.keys()) {
        const before = this.sessions.get(branch);
        const session = (before && advanceSession(before, this.log, line.event)) ?? foldSession(this.log, branch);
        this.sessions.set(branch, session);
      }
    }
  }

  /** Saved as a file would be, and opened by another process. */
  reopen(at: number): Replay {
    const rows = Buffer.concat([this.base, this.rows.fresh.toBytes(0)]);
    const offset = this.lines[at - 1]?.to ?? 0;
    const snapshot = takeSnapshot({
      log: this.log,
      sessions: [...this.sessions.values()],
      place: { offset, lines: at, newestSeq: this.log.newestSeq },
      tail: { bytes: 0, sha256: '' },
      rows: this.rows,
      unreported: [],
      placeOf: (seq) => this.places.get(seq) ?? this.opened?.placeOf(seq) ?? { from: 0, bytes: 0 },
    });
    const saved = snapshotSchema.parse(JSON.parse(JSON.stringify(snapshot)));
    const next: { it?: Replay } = {};
    const source: ColdSource = {
      rows: () => {
        if (next.it) next.it.coldReads += 1;
        return LineRows.fromBytes(rows);
      },
      line: ({ from, bytes }) => this.file.subarray(from, from + bytes),
    };
    const opened = new Replay(this.file, this.lines, openSnapshot(saved, source));
    opened.base = rows;
    next.it = opened;
    return opened;
  }
}

function aReplayOf(events: readonly StoredEvent[]): Replay {
  let from = 0;
  const texts = events.map(encodeLine);
  const lines = events.map((event, place) => {
    const bytes = Buffer.byteLength(texts[place] ?? '');
    const line = { event, from, to: from + bytes - 1 };
    from += bytes;
    return line;
  });
  return new Replay(Buffer.from(texts.join('')), lines);
}

const plain = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_key, inner) => (inner instanceof Map || inner instanceof Set ? [...inner] : inner)),
  );

/** Everything that anybody sees of a session, and its state through and through. */
function lookAt(log: LogState, session: SessionState): unknown {
  const { masks, ...state } = session;
  return {
    state: plain(state),
    masks: [...masks].map(([item, mask]) => [item, mask.id]).sort(),
    transcript: projectTranscript(session, log),
    view: projectView({ state: session, prompt: NO_PROMPT, model: null, moment: 'entry' }),
    lines: [...(log.branches.get(session.branch)?.lines ?? [])],
    ledger: plain(log.branches.get(session.branch)),
  };
}

function expectSame(opened: LogState, sessions: ReadonlyMap<string, SessionState>, whole: LogState): void {
  expect([...opened.branches.keys()]).toEqual([...whole.branches.keys()]);
  for (const [branch, session] of sessions) {
    const full = lookAt(whole, foldSession(whole, branch));
    expect(lookAt(opened, session)).toEqual(full);
    expect(lookAt(opened, foldSession(opened, branch))).toEqual(full);
  }
  for (const [seq, event] of whole.bySeq) expect(opened.bySeq.get(seq)).toEqual(event);
  for (const [id, event] of whole.byId) expect(opened.byId.get(id)).toEqual(event);
  for (const [id, event] of whole.byId)
    if (event.type === 'message.user') expect(opened.placedBy.get(id)).toEqual(whole.placedBy.get(id));
  for (const [sent, seq] of whole.sent) expect(opened.sent.get(sent)).toBe(seq);
  for (const key of ['logId', 'newestSeq', 'damage', 'violations', 'ignored', 'repeats', 'links'] as const)
    expect(plain(opened[key])).toEqual(plain(whole[key]));
}

describe('a snapshot', () => {
  it('rel-S17, perf-A2: opened and gone on with, it is what folding the whole log says, 500 random logs', () => {
    let logs = 0;
    fc.assert(
      fc.property(soupArbitrary, fc.nat(), fc.nat(), (story, one, other) => {
        const events = story.events();
        const [first = 0, second = 0] = [one % (events.length + 1), other % (events.length + 1)].sort((a, b) => a - b);
        const replay = aReplayOf(events);
        replay.take(0, first);
        const opened = replay.reopen(first);
        opened.take(first, second);
        const again = opened.reopen(second);
        again.take(second, events.length);
        expectSame(again.log, again.sessions, foldEvents(events));
        logs += 1;
      }),
      { numRuns: 500 },
    );
    expect(logs).toBe(500);
  });
});
