import { AppError } from '@/server/contract/error';
import type { ExportQuery } from '@/server/contract/import';
import { deriveTitle } from '@/server/core/projection/session-row';
import { toMarkdownPieces } from '@/server/core/projection/to-markdown';
import { projectParts } from '@/server/core/projection/transcript-window';
import type { SessionLog } from '@/server/ports/session-log';
import type { SessionWriter } from './append-events';

export interface ExportsDeps {
  readonly writer: SessionWriter;
  readonly sessionLog: SessionLog;
  readonly logOf: (sessionId: string) => string | null;
}

/** Taking conversations out: the log byte for byte, or a text for reading. */
export interface ExportsUse {
  log(sessionId: string): Promise<Response>;
  download(sessionId: string, format: ExportQuery['format']): Promise<Response>;
}

/** Downloads of a conversation: its log byte for byte, or as Markdown. */
export function createExports({ writer, sessionLog, logOf }: ExportsDeps): ExportsUse {
  const bytesOf = async (sessionId: string) => {
    await writer.load(sessionId);
    return toStream(sessionLog.readBytes(logOf(sessionId) ?? sessionId));
  };
  return {
    log: async (sessionId) =>
      new Response(await bytesOf(sessionId), { headers: { 'Content-Type': 'application/jsonl' } }),
    download: async (sessionId, format) => {
      if (format === 'jsonl')
        return toDownload(await bytesOf(sessionId), { name: `${sessionId}.jsonl`, type: 'application/jsonl' });
      if (format !== 'markdown')
        throw new AppError('invalid_request', 'This format cannot be written yet: take jsonl or markdown.');
      const { session, log } = await writer.load(sessionId);
      const title = session.title ?? deriveTitle(session);
      const pieces = toMarkdownPieces(
        { title, createdAt: session.opened.at },
        projectParts(session, log, ITEMS_A_PIECE),
      );
      return toDownload(toStream(toBytes(pieces)), { name: `${sessionId}.md`, type: 'text/markdown; charset=utf-8' });
    },
  };
}

/** Always an attachment: what a model or a file said must never be opened as a page of ours (rel-X24). */
function toDownload(body: BodyInit, { name, type }: { readonly name: string; readonly type: string }): Response {
  return new Response(body, {
    headers: { 'Content-Type': type, 'Content-Disposition': `attachment; filename="${name}"` },
  });
}

/** Items of a long conversation that are in memory at once while it is written out. */
const ITEMS_A_PIECE = 40;

async function* toBytes(pieces: Iterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for (const piece of pieces) yield encoder.encode(piece);
}

function toStream(chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => {
      await iterator.return?.();
    },
  });
}
