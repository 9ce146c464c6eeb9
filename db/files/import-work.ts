import type { ImportRequest } from '@/server/core/import/make-import';
import type { ImportedFile } from '@/server/ports/import-desk';

/** What the thread of one import is started with. */
export interface ImportWork {
  /** The file as it was sent; it stays where it is. */
  readonly upload: string;
  readonly directory: string;
  readonly request: ImportRequest;
}

/** What the thread says of its work, once. */
export type ImportAnswer =
  | { readonly kind: 'made'; readonly file: ImportedFile }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'failed'; readonly errno: string | null; readonly why: string };
