import { opendir } from 'node:fs/promises';
import type { WorkspaceEntry, WorkspaceRefusal } from '@/server/ports/workspace';
import { CANCELLED } from './workspace-limits';
import type { Opened } from './workspace-open';

/** A resolved path: which folder of this machine, and what of it. */
export interface Place {
  readonly ok: true;
  readonly folder: string;
  readonly components: readonly string[];
  /** As shown to the model, with the root's name where there are several. */
  readonly path: string;
  /** The list of roots itself, no folder of this machine. */
  readonly isTop: boolean;
}

export interface ListWalk {
  readonly opened: (place: Place, want: 'file' | 'folder') => Promise<Opened | WorkspaceRefusal>;
  readonly entries: WorkspaceEntry[];
  readonly limit: number;
  readonly signal: AbortSignal;
}

/** A folder and, to `depth` levels, the ones in it. What cannot be opened below the first is listed and passed over. */
export async function listInto(walk: ListWalk, place: Place, depth: number): Promise<WorkspaceRefusal | null> {
  if (walk.signal.aborted) return CANCELLED;
  const folder = await walk.opened(place, 'folder');
  if (!folder.ok) return folder;
  const below: Place[] = [];
  try {
    for await (const entry of await opendir(folder.listPath)) {
      if (walk.entries.length >= walk.limit) break;
      const inner = {
        ...place,
        components: [...place.components, entry.name],
        path: joinShown(place.path, entry.name),
      };
      const kind = entry.isDirectory() ? 'folder' : entry.isFile() ? 'file' : 'other';
      walk.entries.push({ path: inner.path, kind, bytes: kind === 'file' ? await sizeOf(walk, inner) : null });
      if (kind === 'folder' && !NOT_SEARCHED.has(entry.name)) below.push(inner);
    }
  } finally {
    await folder.handle.close();
  }
  if (depth <= 1) return null;
  for (const inner of below) {
    if (walk.entries.length >= walk.limit) break;
    if ((await listInto(walk, inner, depth - 1))?.why === 'cancelled') return CANCELLED;
  }
  return null;
}

async function sizeOf(walk: ListWalk, place: Place): Promise<number | null> {
  const file = await walk.opened(place, 'file');
  if (!file.ok) return null;
  await file.handle.close();
  return file.stats.size;
}

function joinShown(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/** Folders that are large, machine-made and never what somebody looks for; they are still listed and readable. */
const NOT_SEARCHED = new Set(['node_modules', '.git', '.next', 'dist', 'build']);
