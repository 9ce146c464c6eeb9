import { isKnown } from '@/server/core/projection/log-state-path';
import type { LogState } from '@/server/core/projection/state-shape';

/** A conversation whose time in the trash is over, and when it went there. */
export interface PastKeeping {
  readonly sessionId: string;
  readonly deletedAt: string;
}

/**
 * Whether a log may be removed for good, with all conversations in it. `alive`: one of them is not in the trash, be it a fork
 * that stands on another's lines. `young`: one is not past its time yet. `unreadable`: something in it cannot be read here, by
 * damage or by age of this release, and might be what took one out again.
 */
export type Removal =
  | { readonly goes: true; readonly sessions: readonly PastKeeping[] }
  | { readonly goes: false; readonly why: 'alive' | 'young' | 'unreadable' };

export interface Keeping {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly keepMs: number;
}

/**
 * Judges by the log itself, the only authority (L1). A conversation is kept up to and including the moment `keepMs` after it
 * was deleted; a log goes when the last of its conversations is past that. Subagents go with whoever called them.
 */
export function judgeRemoval(log: LogState, { now, keepMs }: Keeping): Removal {
  const conversations = [...log.branches.values()].filter(({ opened }) => opened.kind !== 'subagent');
  if (conversations.length === 0 || !isWhole(log)) return { goes: false, why: 'unreadable' };
  const sessions: PastKeeping[] = [];
  for (const { id, deleted, ledger } of conversations) {
    if (!deleted || ledger.deletedAt === null) return { goes: false, why: 'alive' };
    if (now <= Date.parse(ledger.deletedAt) + keepMs) return { goes: false, why: 'young' };
    sessions.push({ sessionId: id, deletedAt: ledger.deletedAt });
  }
  return { goes: true, sessions };
}

/** A torn end that was sealed was never acknowledged to anybody, so nothing is missing in it. */
function isWhole({ branches, bySeq, damage }: LogState): boolean {
  if ([...branches.values()].some(({ fromNewerVersion }) => fromNewerVersion)) return false;
  if (damage.length === 0) return true;
  const sealed = [...bySeq.values()].flatMap((event) => (isKnown(event) && event.type === 'log.sealed' ? [event] : []));
  return damage.every(({ from, to }) => sealed.some((seal) => seal.from === from && seal.to === to));
}
