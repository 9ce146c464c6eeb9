import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type Database from 'better-sqlite3';

/** Tables that are made anew from the logs, and work that ends with its turn. Every other one is worth a copy. */
const DERIVED = ['sessions', 'indexed_logs', 'running_parts', 'jobs'];

/** From a change to its copy; `contract.md` 20 allows 30 s. */
const DELAY_MS = 10_000;

export interface KeptCopyOptions {
  readonly client: Database.Database;
  /** Where the copy stands, `backup/main.sqlite` of the data directory. */
  readonly path: string;
  readonly startTimer: (ms: number, act: () => void) => () => void;
  /** Names the half-made file of each copy; no two the same in one directory. */
  readonly nextName: () => string;
  readonly report: (line: string) => void;
}

export interface KeptCopy {
  /** Resolves when no copy is being made. */
  settled(): Promise<void>;
  /** Makes the copy that is still due, then keeps no more. To be awaited before the database is closed. */
  stop(): Promise<void>;
}

/**
 * Keeps a consistent copy of the database beside it, so that a plain copy of a running data directory holds one that is
 * whole (`contract.md` 20): made by the connection's own backup in slices, under another name, then renamed. At most
 * 30 s after a change to what is not derived, and once after each start. A copy that fails is said and tried again.
 */
export function keepCopy(options: KeptCopyOptions): KeptCopy {
  const { client, startTimer } = options;
  let due = false;
  let running: Promise<void> | null = null;
  let stopTimer: (() => void) | null = null;
  let stopped = false;

  const copyNow = async (): Promise<void> => {
    stopTimer = null;
    due = false;
    running = makeCopy(options).catch((error: unknown) => {
      due = true;
      options.report(
        `The copy of the database was not made: ${error instanceof Error ? error.message : String(error)}`,
      );
    });
    await running;
    running = null;
    if (due) plan();
  };
  const plan = (): void => {
    due = true;
    if (stopped || running !== null || stopTimer !== null) return;
    stopTimer = startTimer(DELAY_MS, () => void copyNow());
  };

  noticeChanges(client, plan);
  removeHalfMade(options.path);
  plan();
  const settled = async () => {
    while (running !== null) await running;
  };
  return {
    settled,
    stop: async () => {
      stopped = true;
      stopTimer?.();
      await settled();
      if (due) await copyNow();
    },
  };
}

/** Triggers of this connection alone: whoever writes to one of these tables need not know that a copy is kept. */
function noticeChanges(client: Database.Database, notice: () => void): void {
  client.function('note_change', () => {
    notice();
    return null;
  });
  const tables = client.prepare<[], string>(
    `select name from sqlite_master where type = 'table' and name not like 'sqlite~_%' escape '~' and name not like '~_~_%' escape '~'`,
  );
  for (const table of tables
    .pluck()
    .all()
    .filter((name) => !DERIVED.includes(name)))
    for (const change of ['insert', 'update', 'delete'])
      client.exec(
        `create temp trigger copy_${table}_${change} after ${change} on main.${table} begin select note_change(); end`,
      );
}

async function makeCopy({ client, path, nextName }: KeptCopyOptions): Promise<void> {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const half = join(folder, `${nextName()}.part`);
  try {
    await client.backup(half);
    renameSync(half, path);
    syncFolder(folder);
  } catch (error) {
    rmSync(half, { force: true });
    throw error;
  }
}

/** What a crash left (case-C04): never loaded, since only the whole copy has its name. */
function removeHalfMade(path: string): void {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(folder)) if (/\.part(-\w+)?$/.test(name)) rmSync(join(folder, name), { force: true });
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  fsyncSync(handle);
  closeSync(handle);
}
