import { AppError } from '@/server/contract/error';
import type { ImportAnswer, ImportQuery } from '@/server/contract/import';
import type { SessionSummary } from '@/server/contract/session';
import type { ImportRequest } from '@/server/core/import/make-import';
import { readUpload, startUpload } from '@/server/core/import/read-upload';
import type { Clock } from '@/server/ports/clock';
import type { ImportDesk } from '@/server/ports/import-desk';

export interface ImportsDeps {
  readonly desk: ImportDesk;
  readonly clock: Clock;
  readonly app: string;
  /** The agent that answers in an imported conversation; null where there is none. */
  readonly defaultAgent: () => string | null;
  readonly agentIds: () => readonly string[];
  readonly resultCapBytes: () => number;
  /** Reads a log that was just made, lists its sessions and tells whoever watches. */
  readonly adopt: (logId: string) => Promise<void>;
  readonly summaryOf: (sessionId: string) => SessionSummary | null;
  readonly readSample: () => Uint8Array;
}

export interface ImportBody {
  readonly contentType: string | null;
  readonly stream: AsyncIterable<Uint8Array>;
  readonly query: ImportQuery;
  readonly owner: string;
}

/** What is larger than this is refused before anything is made of it (decision 044). */
const MOST_BYTES = 256_000_000;

/**
 * Bringing conversations in (X10). All or nothing: ids are always new, a file that cannot be read leaves nothing behind,
 * and nothing but conversation is taken from it. Throws `invalid_import` saying what was wrong.
 */
export interface ImportsUse {
  fromBody(body: ImportBody): Promise<ImportAnswer>;
  openSample(owner: string): Promise<SessionSummary>;
}

/** Imports over the desk: a file becomes a new conversation, whole or not at all. */
export function createImports(deps: ImportsDeps): ImportsUse {
  const take = async (
    body: AsyncIterable<Uint8Array>,
    from: Pick<ImportRequest, 'format' | 'name' | 'owner'>,
  ): Promise<ImportAnswer> => {
    const made = await deps.desk.take(body, {
      ...from,
      app: deps.app,
      at: new Date(deps.clock.now()).toISOString(),
      resultCapBytes: deps.resultCapBytes(),
      agentIds: deps.agentIds(),
      defaultAgent: deps.defaultAgent(),
    });
    await deps.adopt(made.logId);
    const sessions = made.sessions.flatMap((id) => deps.summaryOf(id) ?? []);
    return { sessions, format: made.format, warnings: [...made.warnings] };
  };
  return {
    fromBody: async ({ contentType, stream, query, owner }) => {
      const file = await openUpload(contentType, bounded(stream));
      return take(file.bytes, { name: query.name ?? file.name, format: query.format, owner });
    },
    openSample: async (owner) => {
      const { sessions } = await take(once(deps.readSample()), { name: 'sample', format: 'tidemark', owner });
      const [session] = sessions;
      if (!session) throw new AppError('internal', 'The sample conversation holds no conversation.');
      return session;
    },
  };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function* bounded(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const piece of stream) {
    size += piece.byteLength;
    if (size > MOST_BYTES)
      throw new AppError('payload_too_large', `Files of up to ${MOST_BYTES} bytes can be imported.`);
    yield piece;
  }
}

interface Upload {
  readonly name: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** The file of a form, or the body itself, as it comes. */
async function openUpload(contentType: string | null, stream: AsyncGenerator<Uint8Array>): Promise<Upload> {
  if (!contentType?.startsWith('multipart/form-data')) return { name: 'import', bytes: stream };
  const pieces = readForm(contentType, stream);
  const first = await pieces.next();
  if (first.done || typeof first.value !== 'string') throw new AppError('invalid_request', 'The form holds no file.');
  return { name: first.value, bytes: bytesOf(pieces) };
}

/** The name of the first file of a form, then its bytes. */
async function* readForm(contentType: string, stream: AsyncGenerator<Uint8Array>): AsyncGenerator<string | Uint8Array> {
  let state = startUpload(contentType);
  for await (const chunk of stream) {
    const step = state === null ? null : readUpload(state, chunk);
    if (step === null) throw new AppError('invalid_request', 'The form could not be read.');
    state = step.state;
    for (const piece of step.pieces) yield piece.kind === 'name' ? piece.name : piece.bytes;
  }
  if (state?.at === 'file') throw new AppError('invalid_request', 'The form ended in the middle of its file.');
}

async function* bytesOf(pieces: AsyncIterable<string | Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) if (typeof piece !== 'string') yield piece;
}
