import { performance } from 'node:perf_hooks';
import { prepareDrafts } from '@/db/prepare-drafts';
import { placeDrafts } from '@/server/core/log/encode-line-batch';
import type { SessionLog } from '@/server/ports/session-log';

/** A log whose disk takes no time: it reads from another one, keeps what is appended, and counts its own time apart. */
export interface InstantLog extends SessionLog {
  /** Milliseconds spent in `append` so far: checking and encoding, which every durable append needs. */
  readonly spentMs: () => number;
}

/** `newestSeq`: of what `source` holds already. */
export function createInstantLog(source: SessionLog, newestSeq: number): InstantLog {
  let seq = newestSeq;
  let spent = 0;
  const known = new Map<string, number>();
  return {
    create: source.create.bind(source),
    read: source.read.bind(source),
    readBytes: source.readBytes.bind(source),
    list: source.list.bind(source),
    close: source.close.bind(source),
    remove: source.remove.bind(source),
    append: async (_logId, drafts) => {
      const from = performance.now();
      const placed = placeDrafts(prepareDrafts(drafts), { nextSeq: seq + 1, seqOf: (id) => known.get(id) });
      if (placed.kind === 'missing') throw new TypeError(`nothing is called ${placed.id}`);
      seq += placed.events.length;
      for (const { event } of placed.events) known.set(event.id, event.seq);
      spent += performance.now() - from;
      return placed.events.map(({ event }) => event);
    },
    spentMs: () => spent,
  };
}
