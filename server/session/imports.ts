import { createHash } from 'node:crypto';
import { AppError } from '@/server/contract/error';
import type { LogEvent } from '@/server/contract/events/event';
import type { ImportAnswer, ImportQuery, ImportWarning } from '@/server/contract/import';
import type { SessionSummary } from '@/server/contract/session';
import { importClaudeCode } from '@/server/core/import/claude-code';
import { looksLikeClaudeCode } from '@/server/core/import/claude-code-lines';
import { renewLog } from '@/server/core/import/renew-log';
import { finishScan, scanChunk, startScan } from '@/server/core/log/scan-log';
import type { Clock, Ids } from '@/server/ports/clock';
import type { SessionWriter } from './append-events';

export interface ImportsDeps {
  readonly writer: SessionWriter;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly app: string;
  /** The agent that answers in an imported conversation; null where there is none. */
  readonly defaultAgent: () => string | null;
  readonly knowsAgent: (agentId: string) => boolean;
  readonly resultCapBytes: () => number;
  readonly summaryOf: (sessionId: string) => SessionSummary | null;
  readonly readSample: () => Uint8Array;
}

export interface ImportBody {
  readonly contentType: string | null;
  readonly stream: AsyncIterable<Uint8Array>;
  readonly query: ImportQuery;
  readonly owner: string;
}

/** Files are read whole; what is larger than this is refused before anything is made of it. */
const MOST_BYTES = 256_000_000;

/**
 * Bringing conversations in (X10). All or nothing: ids are always new, a file that cannot be read leaves nothing behind,
 * and nothing but conversation is taken from it. Throws `invalid_import` saying what was wrong.
 */
export interface ImportsUse {
  fromBody(body: ImportBody): Promise<ImportAnswer>;
  openSample(owner: string): Promise<SessionSummary>;
}

/** Imports over the writer: a file becomes a new conversation, whole or not at all. */
export function createImports(deps: ImportsDeps): ImportsUse {
  const take = async (
    bytes: Uint8Array,
    from: { readonly name: string; readonly format: ImportQuery['format']; readonly owner: string },
  ) => {
    const text = new TextDecoder().decode(bytes);
    const format = from.format === 'auto' ? sniff(text) : from.format;
    if (format === 'tidemark') return takeLog(deps, bytes, from.owner);
    if (format === 'claude-code') return takeClaudeCode(deps, { text, bytes, ...from });
    throw new AppError(
      'invalid_import',
      'This file is no conversation that Tidemark knows: it takes its own logs and sessions of Claude Code.',
    );
  };
  return {
    fromBody: async ({ contentType, stream, query, owner }) => {
      const file = await readFile(contentType, stream);
      return take(file.bytes, { name: query.name ?? file.name, format: query.format, owner });
    },
    openSample: async (owner) => {
      const { sessions } = await takeLog(deps, deps.readSample(), owner);
      const [session] = sessions;
      if (!session) throw new AppError('internal', 'The sample conversation holds no conversation.');
      return session;
    },
  };
}

/** The first line that is an object decides. */
function sniff(text: string): 'tidemark' | 'claude-code' | null {
  if (/^\uFEFF?\s*\{"v":\d+,"seq":\d+,.{0,200}"type":"log\.opened"/.test(text.slice(0, 1000))) return 'tidemark';
  return looksLikeClaudeCode(text) ? 'claude-code' : null;
}

async function takeLog(deps: ImportsDeps, bytes: Uint8Array, owner: string): Promise<ImportAnswer> {
  const { events, warnings } = readLogFile(bytes);
  const agentOf = (agentId: string) => (deps.knowsAgent(agentId) ? agentId : deps.defaultAgent());
  const renewed = renewLog({ events, nextId: deps.ids.next, owner, agentOf });
  if (!renewed.ok) {
    const newer = 'This log was written by a newer version of Tidemark and cannot be continued here.';
    throw new AppError(
      'invalid_import',
      renewed.why === 'newer_version' ? newer : 'This log has no beginning that could be read.',
    );
  }
  await deps.writer.create(renewed.logId, renewed.drafts);
  return toAnswer(deps, { sessions: renewed.sessions, format: 'tidemark', warnings });
}

function readLogFile(bytes: Uint8Array): {
  readonly events: readonly LogEvent[];
  readonly warnings: readonly ImportWarning[];
} {
  const step = scanChunk(startScan(), bytes);
  const records = [...step.records, ...finishScan(step.state).records];
  const events = records.flatMap((record) => (record.kind === 'event' ? [record.event] : []));
  const damaged = records.filter((record) => record.kind !== 'event').length;
  const warning = { code: 'damaged', message: `${damaged} damaged lines were left out.`, line: null, count: damaged };
  return { events, warnings: damaged === 0 ? [] : [warning] };
}

interface Foreign {
  readonly text: string;
  readonly bytes: Uint8Array;
  readonly name: string;
  readonly owner: string;
}

async function takeClaudeCode(deps: ImportsDeps, { text, bytes, name, owner }: Foreign): Promise<ImportAnswer> {
  const imported = importClaudeCode(text, {
    nextId: deps.ids.next,
    at: new Date(deps.clock.now()).toISOString(),
    owner,
    app: deps.app,
    file: name,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    resultCapBytes: deps.resultCapBytes(),
  });
  if (imported === null) throw new AppError('invalid_import', 'This file holds no line of a conversation.');
  await deps.writer.create(imported.logId, withAgent(imported.drafts, deps.defaultAgent()));
  return toAnswer(deps, imported);
}

/** The agent that goes on with it; the file knows none of ours. */
function withAgent<D extends { readonly type: string }>(drafts: readonly D[], agentId: string | null): readonly D[] {
  return drafts.map((draft) => (draft.type === 'branch.opened' ? { ...draft, agentId } : draft));
}

function toAnswer(
  deps: ImportsDeps,
  made: { readonly sessions: readonly string[]; readonly format: string; readonly warnings: readonly ImportWarning[] },
): ImportAnswer {
  const sessions = made.sessions.flatMap((id) => deps.summaryOf(id) ?? []);
  return { sessions, format: made.format, warnings: [...made.warnings] };
}

interface UploadedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

async function readFile(contentType: string | null, stream: AsyncIterable<Uint8Array>): Promise<UploadedFile> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of stream) {
    size += piece.byteLength;
    if (size > MOST_BYTES)
      throw new AppError('payload_too_large', `Files of up to ${MOST_BYTES} bytes can be imported.`);
    pieces.push(piece);
  }
  const bytes = Buffer.concat(pieces);
  if (!contentType?.startsWith('multipart/form-data')) return { name: 'import', bytes };
  const form = await new Response(bytes, { headers: { 'Content-Type': contentType } })
    .formData()
    .catch((cause: unknown) => {
      throw new AppError('invalid_request', 'The form could not be read.', { cause });
    });
  const file = [...form.values()].find((value) => typeof value !== 'string');
  if (!file) throw new AppError('invalid_request', 'The form holds no file.');
  return { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) };
}
