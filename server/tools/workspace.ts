import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import type {
  Workspace,
  WorkspaceEntry,
  WorkspaceFile,
  WorkspaceListing,
  WorkspaceRefusal,
  WorkspaceSearch,
} from '@/server/ports/workspace';
import { CANCELLED, WORKSPACE_LIMITS, type WorkspaceLimits } from './workspace-limits';
import { type ListWalk, listInto, type Place } from './workspace-list';
import { type Opened, openBeneath } from './workspace-open';
import { parseWorkspacePath } from './workspace-path';
import { searchFiles } from './workspace-search';

export interface WorkspaceRoot {
  /** What a path begins with when there are several roots. */
  readonly name: string;
  /** Absolute path on this machine; never shown to a model. */
  readonly folder: string;
}

export interface WorkspaceOptions {
  readonly roots: readonly WorkspaceRoot[];
  /** Milliseconds, only ever compared with itself. */
  readonly now: () => number;
  readonly limits?: Partial<WorkspaceLimits>;
  /** Tests hold both ways of opening to the same promises. */
  readonly byDescriptor?: boolean;
}

const SEARCH_DEPTH = 24;

/**
 * The one place outside `db` that touches files (house.md, Floors): reads beneath the given roots and nothing else
 * (T1, rel-X14). Work is bounded in size, count and time, and ends when the signal does.
 */
export function createWorkspace(options: WorkspaceOptions): Workspace {
  const limits = { ...WORKSPACE_LIMITS, ...options.limits };
  const byDescriptor = options.byDescriptor ?? existsSync('/proc/self/fd');
  const resolve = (path: string) => resolveRoot(path, options.roots);
  const opened = (place: Place, want: 'file' | 'folder') =>
    openBeneath({ root: place.folder, components: place.components, want, byDescriptor });

  async function readAt(place: Place): Promise<WorkspaceFile | WorkspaceRefusal> {
    const file = await opened(place, 'file');
    return file.ok ? readWhole(file, place.path, limits.fileBytes) : file;
  }

  async function listAt(
    path: string,
    { depth, signal, limit }: ListRequest,
  ): Promise<WorkspaceListing | WorkspaceRefusal> {
    const place = resolve(path);
    if (!place.ok) return place;
    const walk: ListWalk = { opened, entries: [], limit, signal };
    for (const start of place.isTop ? rootPlaces(options.roots) : [place]) {
      if (place.isTop) walk.entries.push({ path: start.path, kind: 'folder', bytes: null });
      if (place.isTop && depth <= 1) continue;
      const refusal = await listInto(walk, start, place.isTop ? depth - 1 : depth);
      if (refusal !== null) return refusal;
    }
    return { ok: true, path: place.path, entries: sorted(walk.entries), cut: walk.entries.length >= limit };
  }

  async function read(path: string, { signal }: { signal: AbortSignal }) {
    if (signal.aborted) return CANCELLED;
    const place = resolve(path);
    if (!place.ok) return place;
    return place.isTop ? NO_FILE : readAt(place);
  }

  async function search(query: Parameters<Workspace['search']>[0]): Promise<WorkspaceSearch | WorkspaceRefusal> {
    const listed = await listAt(query.path, { depth: SEARCH_DEPTH, signal: query.signal, limit: limits.searchEntries });
    const paths = listed.ok ? filesOf(listed) : [query.path];
    if (!listed.ok && listed.why !== 'not_a_folder') return listed;
    return searchFiles({ query, paths, read, limits, until: options.now() + limits.searchMs, now: options.now });
  }

  async function hash(path: string): Promise<string | null> {
    const place = resolve(path);
    if (!place.ok || place.isTop) return null;
    const file = await opened(place, 'file');
    if (!file.ok) return null;
    const whole = await readBytes(file, limits.fileBytes);
    return whole.ok ? sha256(whole.bytes) : null;
  }

  return { list: (path, asked) => listAt(path, { ...asked, limit: limits.entries }), read, search, hash };
}

const NO_FILE: WorkspaceRefusal = { ok: false, why: 'not_a_file', text: 'That is a folder, not a file.' };

function resolveRoot(path: string, roots: readonly WorkspaceRoot[]): Place | WorkspaceRefusal {
  const parsed = parseWorkspacePath(path, process.platform);
  if (!parsed.ok) return parsed;
  const { components } = parsed;
  const shown = components.join('/');
  const [only] = roots;
  if (only === undefined) return { ok: false, why: 'not_found', text: 'No workspace folder is set up.' };
  if (roots.length === 1) return { ok: true, folder: only.folder, components, path: shown, isTop: false };
  const [name, ...rest] = components;
  if (name === undefined) return { ok: true, folder: '', components: [], path: '', isTop: true };
  const root = roots.find((candidate) => candidate.name === name);
  if (root === undefined) {
    return { ok: false, why: 'not_found', text: `Paths begin with one of: ${roots.map((r) => r.name).join(', ')}.` };
  }
  return { ok: true, folder: root.folder, components: rest, path: shown, isTop: false };
}

function rootPlaces(roots: readonly WorkspaceRoot[]): readonly Place[] {
  return roots.map(({ name, folder }) => ({ ok: true, folder, components: [], path: name, isTop: false }));
}

interface ListRequest {
  readonly depth: number;
  readonly signal: AbortSignal;
  readonly limit: number;
}

async function readWhole(file: Opened, path: string, limit: number): Promise<WorkspaceFile | WorkspaceRefusal> {
  const whole = await readBytes(file, limit);
  if (!whole.ok) return whole;
  if (whole.bytes.subarray(0, 8_192).includes(0)) {
    return { ok: false, why: 'binary', text: `That file is not text (${whole.bytes.length} bytes).` };
  }
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(whole.bytes);
  return { ok: true, path, text, bytes: whole.bytes.length, sha256: sha256(whole.bytes) };
}

/** Reads at most `limit` bytes, however the file grows meanwhile, and closes the handle. */
async function readBytes(file: Opened, limit: number): Promise<{ ok: true; bytes: Buffer } | WorkspaceRefusal> {
  try {
    const buffer = Buffer.alloc(Math.min(file.stats.size, limit) + 1);
    let filled = 0;
    while (filled < buffer.length) {
      const { bytesRead } = await file.handle.read(buffer, filled, buffer.length - filled, filled);
      if (bytesRead === 0) return { ok: true, bytes: buffer.subarray(0, filled) };
      filled += bytesRead;
    }
    const text = `That file has ${file.stats.size} bytes; at most ${limit} can be read.`;
    return { ok: false, why: 'too_large', text };
  } catch {
    return { ok: false, why: 'unreadable', text: 'It could not be read.' };
  } finally {
    await file.handle.close();
  }
}

function filesOf(listing: WorkspaceListing): readonly string[] {
  return listing.entries.filter((entry) => entry.kind === 'file').map((entry) => entry.path);
}

function sorted(entries: readonly WorkspaceEntry[]): readonly WorkspaceEntry[] {
  return [...entries].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
