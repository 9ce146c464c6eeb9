import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { WorkspaceRefusal } from '@/server/ports/workspace';

/** A folder or file opened beneath a root. `listPath` names the open descriptor, so a swapped name changes nothing. */
export interface Opened {
  readonly ok: true;
  readonly handle: FileHandle;
  readonly stats: Stats;
  readonly listPath: string;
}

export interface OpenBeneath {
  readonly root: string;
  readonly components: readonly string[];
  readonly want: 'file' | 'folder';
  /** How to hold the walk: by descriptors where `/proc/self/fd` exists, else by names, checked again after opening. */
  readonly byDescriptor: boolean;
}

const FOLDER_FLAGS = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);
/** Non-blocking: opening a FIFO or a device must not wait before its kind is seen and refused. */
const FILE_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Opens something beneath a root without following a single link (rel-X14, reliability 6.10). On Linux each
 * component is opened relative to the descriptor of the one before, so nobody can swap a name in between; at last
 * the path of the opened descriptor itself must lie beneath the root. Refuses whatever is no regular file (or no
 * folder), and files with a second hard link: their other name may be anywhere. The caller closes the handle.
 */
export async function openBeneath(request: OpenBeneath): Promise<Opened | WorkspaceRefusal> {
  try {
    const root = await realpath(request.root);
    const handle = request.byDescriptor ? await walk(root, request) : await openByName(root, request);
    return await judge(handle, root, request);
  } catch (error) {
    return toRefusal(error);
  }
}

async function walk(root: string, { components, want }: OpenBeneath): Promise<FileHandle> {
  let handle = await open(root, FOLDER_FLAGS);
  for (const [index, name] of components.entries()) {
    const last = index === components.length - 1;
    try {
      const next = await open(`${descriptorPath(handle)}/${name}`, last && want === 'file' ? FILE_FLAGS : FOLDER_FLAGS);
      await handle.close();
      handle = next;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }
  return handle;
}

async function openByName(root: string, { components, want }: OpenBeneath): Promise<FileHandle> {
  let path = root;
  for (const name of components) {
    path = join(path, name);
    if ((await lstat(path)).isSymbolicLink()) throw Object.assign(new Error('a link'), { code: 'ELOOP' });
  }
  const handle = await open(path, want === 'file' ? FILE_FLAGS : FOLDER_FLAGS);
  const [real, seen, opened] = [await realpath(path), await lstat(path), await handle.stat()];
  const same = seen.dev === opened.dev && seen.ino === opened.ino;
  if (same && isBeneath(real, root)) return handle;
  await handle.close();
  throw Object.assign(new Error('the name changed while it was opened'), { code: 'ELOOP' });
}

async function judge(handle: FileHandle, root: string, request: OpenBeneath): Promise<Opened | WorkspaceRefusal> {
  const stats = await handle.stat();
  const real = request.byDescriptor ? await realpath(descriptorPath(handle)) : null;
  const refusal = judgeOpened({ stats, real, root, want: request.want });
  if (refusal !== null) {
    await handle.close();
    return refusal;
  }
  const listPath = request.byDescriptor ? descriptorPath(handle) : join(root, ...request.components);
  return { ok: true, handle, stats, listPath };
}

interface Judged {
  readonly stats: Stats;
  readonly real: string | null;
  readonly root: string;
  readonly want: 'file' | 'folder';
}

function judgeOpened({ stats, real, root, want }: Judged): WorkspaceRefusal | null {
  if (real !== null && !isBeneath(real, root)) {
    return { ok: false, why: 'outside', text: 'That path leads out of the workspace.' };
  }
  if (want === 'folder')
    return stats.isDirectory() ? null : { ok: false, why: 'not_a_folder', text: 'That is no folder.' };
  if (stats.isDirectory()) return { ok: false, why: 'not_a_file', text: 'That is a folder, not a file.' };
  if (!stats.isFile()) return { ok: false, why: 'not_a_file', text: 'That is no regular file.' };
  if (stats.nlink > 1)
    return { ok: false, why: 'outside', text: 'That file has a second hard link and is not opened.' };
  return null;
}

function isBeneath(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

function descriptorPath(handle: FileHandle): string {
  return `/proc/self/fd/${handle.fd}`;
}

function toRefusal(error: unknown): WorkspaceRefusal {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'ENOENT')
    return { ok: false, why: 'not_found', text: 'There is no such file or folder in the workspace.' };
  if (code === 'ELOOP' || code === 'EMLINK') return { ok: false, why: 'outside', text: 'Links are not followed.' };
  // O_DIRECTORY with O_NOFOLLOW answers ENOTDIR for a link to a folder as well.
  if (code === 'ENOTDIR')
    return { ok: false, why: 'not_a_folder', text: 'A part of that path is a file or a link, not a folder.' };
  if (code === 'ENAMETOOLONG') return { ok: false, why: 'bad_name', text: 'The path is too long.' };
  if (code === 'ENXIO' || code === 'ENODEV') return { ok: false, why: 'not_a_file', text: 'That is no regular file.' };
  return { ok: false, why: 'unreadable', text: 'It could not be opened.' };
}
