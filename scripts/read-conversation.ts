import { createHash } from 'node:crypto';
import type { EventDraft } from '@/server/contract/events/event';
import { stepId } from '@/server/core/ids';
import { importClaudeCode } from '@/server/core/import/claude-code';
import { looksLikeClaudeCode } from '@/server/core/import/claude-code-lines';
import { type CheckedRecord, checkLog } from '@/server/core/log/check-log';
import { placeDrafts } from '@/server/core/log/encode-line-batch';
import { prepareDraft } from '@/server/core/log/encode-line-draft';
import { finishScan, scanChunk, startScan } from '@/server/core/log/scan-log';
import type { LogState } from '@/server/core/projection/state-shape';

export interface ReadConversation {
  readonly format: 'tidemark' | 'claude-code';
  readonly log: LogState;
  /** Branches that are sessions, the root first. */
  readonly sessions: readonly string[];
}

/** When nothing else says so: ids of a file that is only looked at need no clock. */
const NO_TIME = '2000-01-01T00:00:00.000Z';

/**
 * Reads a file the way the application would: a Tidemark log by replay, a Claude Code session through the importer.
 * Nothing is written. Null when it is neither. `resultCapBytes` is what a result of an imported file may show.
 */
export function readConversation(
  bytes: Uint8Array,
  { file, resultCapBytes }: { readonly file: string; readonly resultCapBytes: number },
): ReadConversation | null {
  const step = scanChunk(startScan(), bytes);
  const records = [...step.records, ...finishScan(step.state).records];
  if (records.some((record) => record.kind === 'event' && record.event.type === 'log.opened')) {
    const { log } = checkLog(records);
    return { format: 'tidemark', log, sessions: sessionsOf(log) };
  }
  const text = new TextDecoder().decode(bytes);
  if (!looksLikeClaudeCode(text)) return null;
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const context = { at: NO_TIME, owner: 'reader', app: 'view', file, sha256, resultCapBytes };
  const imported = importClaudeCode(text, { ...context, nextId: countIds() });
  if (imported === null) return null;
  const { log } = checkLog(toRecords(imported.drafts));
  return { format: 'claude-code', log, sessions: imported.sessions };
}

function sessionsOf(log: LogState): readonly string[] {
  return [...log.branches.values()].filter(({ opened }) => opened.kind !== 'subagent').map(({ id }) => id);
}

function toRecords(drafts: readonly EventDraft[]): readonly CheckedRecord[] {
  const prepared = drafts.map((draft) => {
    const made = prepareDraft(draft);
    if (made.kind !== 'ready') throw new TypeError(`the importer made no valid ${draft.type}: ${made.why}`);
    return made.draft;
  });
  const placed = placeDrafts(prepared, { nextSeq: 1, seqOf: () => undefined });
  if (placed.kind === 'missing') throw new TypeError(`the importer links to ${placed.id}, which is not there`);
  let from = 0;
  return placed.events.map(({ event, line }) => {
    const to = from + line.length;
    const record: CheckedRecord = { kind: 'event', event, from, to };
    from = to + 1;
    return record;
  });
}

/** Ids that are the same in every run. */
function countIds(): () => string {
  let newest: string | null = null;
  return () => {
    newest = stepId({ newest, nowMs: 0, random: new Uint8Array(10) });
    return newest;
  };
}
