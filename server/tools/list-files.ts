import { z } from 'zod';
import type { WorkspaceEntry } from '@/server/ports/workspace';
import { answer, defineTool, fail, type Tool } from './tool';

/** Names, kinds and sizes in a workspace folder (T1). Links are named and never followed. */
export const listFiles: Tool = defineTool({
  name: 'list_files',
  description: 'Lists a workspace folder: names, folders with a slash, sizes in bytes.',
  args: z.strictObject({
    path: z.string().max(4096).default('').describe('Folder relative to the workspace; empty: its root.'),
    depth: z.number().int().min(1).max(8).default(1).describe('Levels of folders to go down.'),
  }),
  async run({ path, depth }, { workspace, signal }) {
    if (workspace === null) return fail('There is no workspace here.');
    const listing = await workspace.list(path, { depth, signal });
    if (!listing.ok) return fail(listing.text);
    const where = listing.path === '' ? 'The workspace' : listing.path;
    if (listing.entries.length === 0) return answer(`${where} is empty.`);
    const more = listing.cut ? '\n(more was there; list a folder further down)' : '';
    return answer(`${listing.entries.map(toLine).join('\n')}${more}`);
  },
});

function toLine({ path, kind, bytes }: WorkspaceEntry): string {
  if (kind === 'folder') return `${path}/`;
  return bytes === null ? `${path} (not a readable file)` : `${path} (${bytes} bytes)`;
}
