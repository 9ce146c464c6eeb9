import { createHash } from 'node:crypto';
import type { EventDraft, LogEvent } from '@/server/contract/events/event';
import type { ImportQuery, ImportWarning } from '@/server/contract/import';
import { finishScan, scanChunk, startScan } from '@/server/core/log/scan-log';
import { importClaudeCode } from './claude-code';
import { looksLikeClaudeCode } from './claude-code-lines';
import { renewLog } from './renew-log';

/** What is said of a file that is to become a conversation; data, so that another thread can be handed it. */
export interface ImportRequest {
  readonly format: ImportQuery['format'];
  readonly name: string;
  readonly owner: string;
  /** Name and version of this application. */
  readonly app: string;
  /** The time of the import. */
  readonly at: string;
  readonly resultCapBytes: number;
  /** Agents that are here; one that is not becomes the next field. */
  readonly agentIds: readonly string[];
  /** The agent that answers in an imported conversation; null where there is none. */
  readonly defaultAgent: string | null;
}

/** A new log, ready to be created; or a sentence saying what was wrong with the file. */
export type ImportOutcome =
  | {
      readonly ok: true;
      readonly format: string;
      readonly logId: string;
      readonly sessions: readonly string[];
      readonly drafts: readonly EventDraft[];
      readonly warnings: readonly ImportWarning[];
    }
  | { readonly ok: false; readonly why: string };

const refuse = (why: string): ImportOutcome => ({ ok: false, why });

/** Understands a whole file (X10). Its ids are always new, and nothing but conversation is taken from it. */
export function makeImport(bytes: Uint8Array, request: ImportRequest, nextId: () => string): ImportOutcome {
  const text = () => new TextDecoder().decode(bytes);
  const format = request.format === 'auto' ? sniff(bytes, text) : request.format;
  if (format === 'tidemark') return takeLog(bytes, request, nextId);
  if (format === 'claude-code') return takeClaudeCode(text(), { bytes, request, nextId });
  return refuse('This file is no conversation that Tidemark knows: it takes its own logs and sessions of Claude Code.');
}

/** The first line that is an object decides. */
function sniff(bytes: Uint8Array, text: () => string): 'tidemark' | 'claude-code' | null {
  const head = new TextDecoder().decode(bytes.subarray(0, 1000));
  if (/^\uFEFF?\s*\{"v":\d+,"seq":\d+,.{0,200}"type":"log\.opened"/.test(head)) return 'tidemark';
  return looksLikeClaudeCode(text()) ? 'claude-code' : null;
}

function takeLog(bytes: Uint8Array, request: ImportRequest, nextId: () => string): ImportOutcome {
  const { events, warnings } = readLogFile(bytes);
  const { owner, agentIds, defaultAgent } = request;
  const known = new Set(agentIds);
  const agentOf = (agentId: string) => (known.has(agentId) ? agentId : defaultAgent);
  const renewed = renewLog({ events, nextId, owner, agentOf });
  if (renewed.ok) return { ...renewed, format: 'tidemark', warnings };
  return renewed.why === 'newer_version'
    ? refuse('This log was written by a newer version of Tidemark and cannot be continued here.')
    : refuse('This log has no beginning that could be read.');
}

function readLogFile(bytes: Uint8Array): {
  readonly events: readonly LogEvent[];
  readonly warnings: readonly ImportWarning[];
} {
  const step = scanChunk(startScan(), bytes);
  const records = step.records.concat(finishScan(step.state).records);
  const events = records.flatMap((record) => (record.kind === 'event' ? [record.event] : []));
  const count = records.length - events.length;
  const warning = { code: 'damaged', message: `${count} damaged lines were left out.`, line: null, count };
  return { events, warnings: count === 0 ? [] : [warning] };
}

interface Foreign {
  readonly bytes: Uint8Array;
  readonly request: ImportRequest;
  readonly nextId: () => string;
}

function takeClaudeCode(text: string, { bytes, request, nextId }: Foreign): ImportOutcome {
  const { at, owner, app, name, resultCapBytes, defaultAgent } = request;
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const imported = importClaudeCode(text, { nextId, at, owner, app, file: name, sha256, resultCapBytes });
  if (imported === null) return refuse('This file holds no line of a conversation.');
  // The agent that goes on with it; the file knows none of ours.
  const drafts = imported.drafts.map((draft) =>
    draft.type === 'branch.opened' ? { ...draft, agentId: defaultAgent } : draft,
  );
  const { format, logId, sessions, warnings } = imported;
  return { ok: true, format, logId, sessions, drafts, warnings };
}
