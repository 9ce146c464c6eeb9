import { scanChunk, startScan } from '../../server/core/log/scan-log';
import type { RecordedCall } from './fault-disk';

/** What of a file is durable, as a power cut would leave it (reliability 4). */
interface Durable {
  synced: number;
  /** Bytes whose sync failed: the system may have let them go for ever, though it reads them back. */
  readonly doubtful: { readonly from: number; readonly to: number }[];
  named: boolean;
}

/** A promise that was made, and what the disk held of its file at that moment. */
export interface Promised {
  readonly ids: readonly string[];
  readonly synced: number;
  readonly doubtful: readonly { readonly from: number; readonly to: number }[];
  readonly named: boolean;
}

/**
 * Goes through the calls that the shim recorded on one log and the promises that were noted among them. `path` ends in
 * `.jsonl`.
 */
export function readPromises(calls: readonly RecordedCall[], path: string): readonly Promised[] {
  const files = new Map<string, Durable>();
  const of = (name: string): Durable => {
    const known = files.get(name) ?? { synced: 0, doubtful: [], named: false };
    files.set(name, known);
    return known;
  };
  const promises: Promised[] = [];
  for (const { call, result, size, path: name } of calls) {
    if (call === 'ack') {
      const { synced, doubtful, named } = of(path);
      promises.push({ ids: name.split(','), synced, doubtful: [...doubtful], named });
    } else if (call === 'open' && result >= 0 && size === 0) {
      // Made, or begun anew after an attempt that failed: nothing of that one counts.
      files.delete(name);
    } else if (call === 'rename' && result === 0) {
      const made = of(name.replace(/\.jsonl$/, '.new'));
      files.set(name, { ...made, named: false });
    } else if ((call === 'fsync' || call === 'fdatasync') && name.endsWith('/logs')) {
      if (result === 0) for (const file of files.values()) file.named = true;
    } else if (call === 'fsync' || call === 'fdatasync') {
      const file = of(name);
      if (result < 0 && size > file.synced) file.doubtful.push({ from: file.synced, to: size });
      file.synced = Math.max(file.synced, size);
    }
  }
  return promises;
}

export function idsIn(bytes: Uint8Array): readonly string[] {
  return scanChunk(startScan(), bytes).records.flatMap((record) => (record.kind === 'event' ? [record.event.id] : []));
}

/** The ids of promises that the worst power cut right after them would have broken. `bytes`: the file as it is now. */
export function brokenPromises(bytes: Buffer, promises: readonly Promised[]): readonly string[] {
  return promises.flatMap(({ ids, synced, doubtful, named }) => {
    const image = Buffer.from(bytes.subarray(0, named ? synced : 0));
    for (const { from, to } of doubtful) image.fill(0, from, Math.min(to, image.length));
    const there = new Set(idsIn(image));
    return ids.filter((id) => !there.has(id));
  });
}
