import type { WorkspaceRefusal } from '@/server/ports/workspace';

/** What one call may cost at most. */
export interface WorkspaceLimits {
  /** A larger file is refused: its hash is taken over the whole. */
  readonly fileBytes: number;
  readonly entries: number;
  /** Entries looked at for files to search. */
  readonly searchEntries: number;
  readonly matches: number;
  readonly searchFiles: number;
  readonly searchBytes: number;
  readonly searchMs: number;
}

export const WORKSPACE_LIMITS: WorkspaceLimits = {
  fileBytes: 8 * 1024 * 1024,
  entries: 1_000,
  searchEntries: 20_000,
  matches: 200,
  searchFiles: 5_000,
  searchBytes: 64 * 1024 * 1024,
  searchMs: 5_000,
};

export const CANCELLED: WorkspaceRefusal = { ok: false, why: 'cancelled', text: 'It was stopped.' };
