import { statfsSync } from 'node:fs';

/** Bytes that this user may still write to the disk of a directory; null where the system does not say. */
export function freeBytesOf(directory: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize;
  } catch {
    return null;
  }
}
