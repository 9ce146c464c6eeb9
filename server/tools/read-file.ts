import { z } from 'zod';
import { answer, defineTool, fail, type Tool } from './tool';

/**
 * A text file of the workspace, whole or by lines (T1). What was read is noted with the hash of the whole file, so
 * that a later change marks this reading stale (C6). A long answer is shown capped by the view, never cut here (M4).
 */
export const readFile: Tool = defineTool({
  name: 'read_file',
  description: 'Reads a text file of the workspace. Long files are best read by line ranges.',
  args: z.strictObject({
    path: z.string().min(1).max(4096),
    fromLine: z.number().int().min(1).optional().describe('First line, from 1.'),
    lines: z.number().int().min(1).optional().describe('How many lines.'),
  }),
  async run({ path, fromLine, lines }, { workspace, signal }) {
    if (workspace === null) return fail('There is no workspace here.');
    const file = await workspace.read(path, { signal });
    if (!file.ok) return fail(`${path}: ${file.text}`);
    const observed = [{ path: file.path, sha256: file.sha256, how: 'read' as const }];
    if (fromLine === undefined && lines === undefined) return answer(file.text, { observed });
    const all = file.text.split('\n');
    const start = (fromLine ?? 1) - 1;
    if (start >= all.length) return fail(`${path} has ${all.length} lines.`);
    const shown = all.slice(start, lines === undefined ? undefined : start + lines);
    const head = `${file.path}, lines ${start + 1}-${start + shown.length} of ${all.length}:`;
    return answer(`${head}\n${shown.join('\n')}`, { observed });
  },
});
