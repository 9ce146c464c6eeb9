import { AppError } from '@/server/contract/error';

/** Left free for messages: whatever is larger and can wait is refused before it takes the last of the disk. */
const RESERVE_BYTES = 64_000_000;
/** So early is it said, before even that is reached (rel-S28). */
const WARN_BEFORE_BYTES = 500_000_000;

/** How much room there is, said before it is gone. */
export interface DiskRoom {
  /** A sentence with the size once less than 500 MB are left before work is refused; else null. */
  notice(): string | null;
  /** Throws `storage_full` with both sizes where `what` could not be ended with some certainty. */
  refuse(what: string): void;
}

const mb = (bytes: number): string => `${Math.floor(bytes / 1e6)} MB`;

/** `freeBytes`: what may still be written to the data directory's disk; null where nobody knows. */
export function createDiskRoom(freeBytes: () => number | null): DiskRoom {
  return {
    notice: () => {
      const free = freeBytes();
      if (free === null || free >= RESERVE_BYTES + WARN_BEFORE_BYTES) return null;
      return `Only ${mb(free)} are free on the disk of the conversations. Below ${mb(RESERVE_BYTES)} summaries and imports are refused.`;
    },
    refuse: (what) => {
      const free = freeBytes();
      if (free === null || free >= RESERVE_BYTES) return;
      throw new AppError(
        'storage_full',
        `${what} needs ${mb(RESERVE_BYTES)} of free disk, so that it can be saved; ${mb(free)} are free. Free some space first.`,
      );
    },
  };
}
