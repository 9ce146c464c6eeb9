'use client';

import type { z } from 'zod';
import { callApi } from '../sync/api-client';
import { type DraftDocument, useDraft } from './use-draft';

export type VersionedDraftOptions<Content extends object, Document extends DraftDocument<Content>> = {
  readonly document: Document;
  /** Where the server keeps it, behind `/v1`. */
  readonly path: string;
  readonly schema: z.ZodType<Document>;
  readonly reload: () => Promise<Document>;
  /** Whoever lists it reads it again. */
  readonly refresh: () => Promise<unknown>;
  /** A patch as it is sent; absent: as it is. */
  readonly toBody?: (patch: Partial<Content>) => object;
};

/** The draft of one document with versions, and its publishing: what is typed is saved first, then it is made a version (P2). */
export function useVersionedDraft<Content extends object, Document extends DraftDocument<Content>>(
  options: VersionedDraftOptions<Content, Document>,
) {
  const { document, path, schema, reload, refresh, toBody } = options;
  const draft = useDraft<Content>({
    document,
    save: async (patch, revision) => {
      const body = { ...(toBody?.(patch) ?? patch), revision };
      const answer = await callApi(path, { method: 'PATCH', body, schema });
      void refresh();
      return answer;
    },
    reload,
  });
  const publish = async (note: string) => {
    await draft.flush();
    const body = { note: note || undefined, revision: draft.revision() };
    await callApi(`${path}/publish`, { method: 'POST', body, schema });
    await refresh();
  };
  return { draft, publish };
}
