import { z } from 'zod';
import { answer, defineTool, fail, type Tool } from './tool';

const CUTS = {
  matches: 'There are more matches; narrow the text or the folder.',
  files: 'Too many files: not all were searched; name a folder.',
  bytes: 'Too much to read: not all was searched; name a folder.',
  time: 'Time was up: not all was searched; name a folder.',
} as const;

/** Lines that hold a text, in a file or in every text file below a folder (T1). Bounded in matches, files and time. */
export const searchFiles: Tool = defineTool({
  name: 'search_files',
  description: 'Finds lines that hold a text, in a workspace file or below a folder. No patterns.',
  args: z.strictObject({
    text: z.string().min(1).max(500),
    path: z.string().max(4096).default('').describe('Folder or file; empty: the whole workspace.'),
    matchCase: z.boolean().default(false),
  }),
  async run({ text, path, matchCase }, { workspace, signal }) {
    if (workspace === null) return fail('There is no workspace here.');
    const found = await workspace.search({ text, path, matchCase, signal });
    if (!found.ok) return fail(found.text);
    const cut = found.cut === null ? '' : `\n${CUTS[found.cut]}`;
    if (found.matches.length === 0) return answer(`No line holds it (${found.filesRead} files searched).${cut}`);
    return answer(`${found.matches.map((match) => `${match.path}:${match.line}: ${match.text}`).join('\n')}${cut}`);
  },
});
