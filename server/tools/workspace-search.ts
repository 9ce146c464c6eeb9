import type {
  Workspace,
  WorkspaceFile,
  WorkspaceMatch,
  WorkspaceRefusal,
  WorkspaceSearch,
} from '@/server/ports/workspace';
import { CANCELLED, type WorkspaceLimits } from './workspace-limits';

export interface FileSearch {
  readonly query: Parameters<Workspace['search']>[0];
  readonly paths: readonly string[];
  readonly read: Workspace['read'];
  readonly limits: WorkspaceLimits;
  readonly now: () => number;
  readonly until: number;
}

/** Reads the files one after another until a bound is met; files that cannot be read as text are passed over. */
export async function searchFiles(work: FileSearch): Promise<WorkspaceSearch | WorkspaceRefusal> {
  const { query, limits } = work;
  const matches: WorkspaceMatch[] = [];
  let filesRead = 0;
  let bytes = 0;
  let cut: WorkspaceSearch['cut'] = null;
  for (const path of work.paths) {
    if (query.signal.aborted) return CANCELLED;
    if (work.now() > work.until) cut = 'time';
    else if (filesRead >= limits.searchFiles) cut = 'files';
    else if (bytes >= limits.searchBytes) cut = 'bytes';
    if (cut !== null) break;
    const file = await work.read(path, { signal: query.signal });
    if (!file.ok) {
      if (work.paths.length === 1) return file;
      continue;
    }
    filesRead += 1;
    bytes += file.bytes;
    matches.push(...matchLines(file, query, limits.matches - matches.length));
    if (matches.length >= limits.matches) cut = 'matches';
  }
  return { ok: true, matches, filesRead, cut };
}

function matchLines(file: WorkspaceFile, query: FileSearch['query'], limit: number): readonly WorkspaceMatch[] {
  const plain = (text: string) => (query.matchCase ? text : text.toLowerCase());
  const wanted = plain(query.text);
  const found: WorkspaceMatch[] = [];
  for (const [index, line] of file.text.split('\n').entries()) {
    if (found.length >= limit) break;
    if (!plain(line).includes(wanted)) continue;
    const text = line.length > SHOWN_LINE ? `${line.slice(0, SHOWN_LINE)}…` : line;
    found.push({ path: file.path, line: index + 1, text: text.trimEnd() });
  }
  return found;
}

const SHOWN_LINE = 300;
