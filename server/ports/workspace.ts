/**
 * The files a model may look at: nothing outside the configured roots is ever opened (T1, rel-X14). Paths are
 * relative, `/`-separated, as the model wrote them; with several roots the first component names the root.
 * Every refusal is a value whose `text` says what was wrong and holds no path of the machine.
 */
export type WorkspaceRefusalReason =
  | 'outside'
  | 'bad_name'
  | 'not_found'
  | 'not_a_file'
  | 'not_a_folder'
  | 'too_large'
  | 'binary'
  | 'unreadable'
  | 'cancelled';

export interface WorkspaceRefusal {
  readonly ok: false;
  readonly why: WorkspaceRefusalReason;
  readonly text: string;
}

export interface WorkspaceFile {
  readonly ok: true;
  /** Cleaned: no `.`, no doubled slashes. */
  readonly path: string;
  readonly text: string;
  readonly bytes: number;
  /** Of the whole file, lower-case hex: tells later whether it changed since it was read (C6). */
  readonly sha256: string;
}

export interface WorkspaceEntry {
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'other';
  /** Null for anything that is no regular file. */
  readonly bytes: number | null;
}

export interface WorkspaceListing {
  readonly ok: true;
  readonly path: string;
  /** Sorted by path. Links are listed as `other` and never followed. */
  readonly entries: readonly WorkspaceEntry[];
  /** More was there than the bound allows. */
  readonly cut: boolean;
}

export interface WorkspaceMatch {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

export interface WorkspaceSearch {
  readonly ok: true;
  readonly matches: readonly WorkspaceMatch[];
  readonly filesRead: number;
  /** Why the search stopped before the end, or null. */
  readonly cut: 'matches' | 'files' | 'bytes' | 'time' | null;
}

export interface Workspace {
  list(
    path: string,
    options: { readonly depth: number; readonly signal: AbortSignal },
  ): Promise<WorkspaceListing | WorkspaceRefusal>;
  read(path: string, options: { readonly signal: AbortSignal }): Promise<WorkspaceFile | WorkspaceRefusal>;
  /** Lines that hold `text` as it stands, letter case ignored unless asked; no patterns, so no runaway matching. */
  search(query: {
    readonly text: string;
    readonly path: string;
    readonly matchCase: boolean;
    readonly signal: AbortSignal;
  }): Promise<WorkspaceSearch | WorkspaceRefusal>;
  /** The hash on disk now, or null where the file is gone, too large or refused. */
  hash(path: string): Promise<string | null>;
}
