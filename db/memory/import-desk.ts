import { AppError } from '@/server/contract/error';
import { makeImport } from '@/server/core/import/make-import';
import type { Ids } from '@/server/ports/clock';
import type { ImportDesk } from '@/server/ports/import-desk';
import type { SessionLog } from '@/server/ports/session-log';

/** Imports in this very thread, into any log driver: for use-case tests. */
export function createMemoryImportDesk(sessionLog: SessionLog, ids: Ids): ImportDesk {
  return {
    take: async (body, request) => {
      const pieces: Uint8Array[] = [];
      for await (const piece of body) pieces.push(piece);
      const made = makeImport(Buffer.concat(pieces), request, ids.next);
      if (!made.ok) throw new AppError('invalid_import', made.why);
      await sessionLog.create(made.logId, made.drafts);
      const { format, logId, sessions, warnings } = made;
      return { format, logId, sessions, warnings };
    },
  };
}
