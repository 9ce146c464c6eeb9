import type { ImportWarning } from '@/server/contract/import';
import { isRecord } from '@/server/contract/is-record';
import { countClaude } from './claude-code-count';
import { callIdOf, findTitle, readClaudeLines, warn } from './claude-code-lines';
import { blocksOf, type ClaudeNode, growTree, newestPath } from './claude-code-tree';
import { timeOf, writeNode } from './claude-code-write';
import { type BranchPen, ImportPen } from './import-pen';
import type { ImportContext, ImportedLog } from './import-shape';

interface Writing {
  readonly pen: ImportPen;
  readonly sessions: string[];
  readonly warnings: ImportWarning[];
  /** Where a call of the main chain stands: what a side chain hangs under. */
  readonly calls: {
    readonly callId: string;
    readonly prompt: string | null;
    readonly line: number;
    readonly place: CallPlace;
  }[];
}

interface CallPlace {
  readonly branch: string;
  readonly seq: number;
  readonly itemId: string;
}

/**
 * Reads a Claude Code session file (JSONL) as a new log (X10, case-F03). The newest line's path becomes the session;
 * other branches of its tree become forks, side chains become subagents under their calls, the tool's own compactions
 * become boundaries. Nothing of the file is a reason to fail: what is not taken as it was is a warning. Null when the
 * file holds no message at all.
 */
export function importClaudeCode(text: string, context: ImportContext): ImportedLog | null {
  const { lines, warnings, skipped } = readClaudeLines(text);
  const main = growTree(lines.filter(({ isSidechain }) => isSidechain !== true));
  const side = growTree(lines.filter(({ isSidechain }) => isSidechain === true));
  const [first] = main.roots;
  if (!first) return null;
  const pen = new ImportPen(context);
  const found = [...warnings, ...main.warnings, ...side.warnings];
  const writing: Writing = { pen, sessions: [pen.logId], warnings: [...found], calls: [] };
  const opening = openRoot(writing, { title: findTitle(lines), at: timeOf(lineOf(first), context.at) });
  writeForest(writing, main.roots, opening);
  for (const root of side.roots) writeSideChain(writing, root);
  const counts = countClaude({ main, side, skipped, forks: writing.sessions.length - 1 });
  return {
    format: 'claude-code',
    logId: pen.logId,
    sessions: writing.sessions,
    drafts: pen.drafts,
    warnings: writing.warnings,
    counts,
  };
}

function openRoot({ pen }: Writing, { title, at }: { readonly title: string | null; readonly at: string }): BranchPen {
  const { owner, file, sha256 } = pen.context;
  const empty: BranchPen = { branch: pen.logId, head: null, items: [], checkpoint: null, at };
  const origin = { format: 'claude-code', file: file.slice(0, 1024), sha256 };
  const { written: _written, ...standing } = pen.write(empty, {
    type: 'branch.opened',
    kind: 'import',
    owner,
    title,
    origin,
  });
  return standing;
}

/** The root written last is the session; the file's other beginnings are forks from before its first item. */
function writeForest(writing: Writing, roots: readonly ClaudeNode[], opening: BranchPen): void {
  const newest = roots.map((root) => ({ root, line: newestPath(root).at(-1)?.newest ?? 0 }));
  const [main, ...others] = newest.toSorted((a, b) => b.line - a.line);
  if (!main) return;
  writeTree(writing, main.root, opening);
  for (const { root } of others) writeTree(writing, root, openFork(writing, opening));
}

/** Writes the newest path of a tree on a branch, then every other path as a fork of it. Deep trees need no deep stack. */
function writeTree(writing: Writing, root: ClaudeNode, start: BranchPen): void {
  const waiting: { readonly root: ClaudeNode; readonly from: BranchPen; readonly isFork: boolean }[] = [];
  waiting.push({ root, from: start, isFork: false });
  for (const { root: next, from, isFork } of waiting) {
    let standing = isFork ? openFork(writing, from) : from;
    const path = newestPath(next);
    for (const [place, node] of path.entries()) {
      standing = writeNode(writing.pen, standing, node);
      rememberCalls(writing, standing, node);
      const others = node.children.filter((child) => child !== path[place + 1]);
      for (const child of others) waiting.push({ root: child, from: standing, isFork: true });
    }
  }
}

function openFork(writing: Writing, from: BranchPen): BranchPen {
  const { pen } = writing;
  const branch = pen.context.nextId();
  const parent = { branch: from.branch, seq: from.head?.seq ?? 1, itemId: from.items.at(-1)?.id ?? null };
  const forked = { type: 'branch.opened', kind: 'fork', parent, owner: pen.context.owner } as const;
  const { written: _written, ...standing } = pen.write({ ...from, branch }, forked);
  writing.sessions.push(branch);
  return standing;
}

function rememberCalls({ calls }: Writing, standing: BranchPen, { content }: ClaudeNode): void {
  const { head } = standing;
  if (content.kind !== 'reply' || !head) return;
  const itemId = standing.items.at(-1)?.id ?? head.id;
  for (const line of content.lines) {
    for (const block of blocksOf(line)) {
      if (block.type !== 'tool_use') continue;
      const input = isRecord(block.input) ? block.input : {};
      const prompt = typeof input.prompt === 'string' ? input.prompt : null;
      calls.push({
        callId: callIdOf(block.id),
        prompt,
        line: line.line,
        place: { branch: standing.branch, seq: head.seq, itemId },
      });
    }
  }
}

/**
 * A side chain is a subagent under the call whose prompt it begins with, else under the newest call with a prompt
 * before it; without any it hangs under the session alone.
 */
function writeSideChain(writing: Writing, root: ClaudeNode): void {
  const { pen, calls } = writing;
  const [beginning] = root.content.kind === 'message' ? root.content.blocks : [];
  const text = beginning && typeof beginning.text === 'string' ? beginning.text.trim() : null;
  const before = calls.filter(({ prompt, line }) => prompt !== null && line < lineOf(root).line);
  const call = before.findLast(({ prompt }) => prompt?.trim() === text) ?? before.at(-1) ?? calls.at(-1);
  if (!call)
    writing.warnings.push(warn('side_chain_without_call', 'A side chain belongs to no call.', lineOf(root).line));
  const branch = pen.context.nextId();
  const place = call?.place ?? { branch: pen.logId, seq: 2, itemId: null };
  const parent = call ? { ...place, callId: call.callId } : place;
  const opened = { type: 'branch.opened', kind: 'subagent', parent, owner: pen.context.owner } as const;
  const start = { branch, head: null, items: [], checkpoint: null, at: timeOf(lineOf(root), pen.context.at) };
  const { written: _written, ...standing } = pen.write(start, opened);
  const path = newestPath(root);
  path.reduce((pending: BranchPen, node) => writeNode(pen, pending, node), standing);
  const left = path.flatMap(({ children }, at) => children.filter((child) => child !== path[at + 1]));
  for (const child of left) {
    writing.warnings.push(
      warn('side_chain_fork', 'A side chain that branches is read along its newest path.', lineOf(child).line),
    );
  }
}

function lineOf({ content }: ClaudeNode) {
  if (content.kind !== 'reply') return content.line;
  const [first] = content.lines;
  if (!first) throw new RangeError('a reply has at least one line');
  return first;
}
