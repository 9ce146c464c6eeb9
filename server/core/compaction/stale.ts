import type { FieldsOf } from '@/server/contract/events/event';
import type { SessionState } from '@/server/core/projection/state-shape';

export type StaleFile = FieldsOf<'checkpoint.committed'>['stale'][number];

/** Hashes of files as they are on disk now, by path; null: gone. A path that is not in it is not known. */
export type DiskHashes = ReadonlyMap<string, string | null>;

export interface StaleReadings {
  /** Results that show a file as it no longer is: item id → its paths. */
  readonly items: ReadonlyMap<string, readonly string[]>;
  /** Files whose newest reading up to the cut is stale, in order of that reading: named on the summary. */
  readonly files: readonly StaleFile[];
}

/** Every path that a result up to the cut has read: what to ask the disk about before planning. */
export function observedPaths(state: SessionState): readonly string[] {
  const paths = state.items.flatMap(({ event }) => (event.type === 'tool.result' ? event.observed : []));
  return [...new Set(paths.map((observed) => observed.path))];
}

/**
 * Readings up to `throughNumber` that something later on the path, or the disk, contradicts by path and hash (C6).
 * A writing of the agent itself makes its earlier reading stale too: the text shown is not the file any more.
 */
export function findStale(state: SessionState, throughNumber: number, disk: DiskHashes): StaleReadings {
  const now = newestHashes(state, disk);
  const items = new Map<string, readonly string[]>();
  const newest = new Map<string, StaleFile | null>();
  for (const { id, number, event } of state.items) {
    if (number > throughNumber || event.type !== 'tool.result') continue;
    const changed: string[] = [];
    for (const { path, sha256, how } of event.observed) {
      if (how !== 'read') continue;
      const nowAs = now.get(path) ?? null;
      newest.delete(path);
      newest.set(path, nowAs === sha256 ? null : { path, readAs: sha256, nowAs });
      if (nowAs !== sha256) changed.push(path);
    }
    if (changed.length > 0) items.set(id, changed);
  }
  return { items, files: [...newest.values()].filter((file) => file !== null) };
}

/** What each path is now: the disk's word where it was asked, else the newest observation; null: gone. */
function newestHashes(state: SessionState, disk: DiskHashes): ReadonlyMap<string, string | null> {
  const now = new Map<string, string | null>();
  for (const { event } of state.items) {
    if (event.type !== 'tool.result') continue;
    for (const { path, sha256, how } of event.observed) now.set(path, how === 'delete' ? null : sha256);
  }
  for (const [path, sha256] of disk) now.set(path, sha256);
  return now;
}
