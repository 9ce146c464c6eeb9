const fencePattern = /^ {0,3}(`{3,}|~{3,})(.*)$/;
/** Of an item's line, or of its number alone while it is still being written. */
const listPattern = /^(?:[-*+]|\d{1,9}[.)])(?:\s|$)|^\d{1,9}$/;
const definitionPattern = /^ {0,3}\[[^\]^][^\]]*\]:\s*\S/;

export interface MarkdownBlock {
  readonly key: string;
  readonly text: string;
  /** A fence that has not been closed: drawn as plain code, whatever is in it (case-E03). */
  readonly openFence: boolean;
}

interface Cut {
  readonly lines: string[];
  openFence: boolean;
}

/** Tracks the one fence that can be open: only a line of the same sign, as long or longer and bare, closes it (CommonMark). */
function stepFence(fence: string | null, line: string): string | null {
  const [, marks = '', info = ''] = fencePattern.exec(line) ?? [];
  if (marks === '') return fence;
  if (fence === null) return marks.startsWith('`') && info.includes('`') ? null : marks;
  const closes = marks[0] === fence[0] && marks.length >= fence.length && info.trim() === '';
  return closes ? null : fence;
}

function cutBlocks(text: string): { readonly cuts: readonly Cut[]; readonly definitions: readonly string[] } {
  const cuts: Cut[] = [];
  const definitions: string[] = [];
  let fence: string | null = null;
  let blankBefore = true;
  for (const line of text.split('\n')) {
    const starts = blankBefore && fence === null && line.trim() !== '' && !/^\s/.test(line);
    const inList = listPattern.test(line) && cuts.at(-1)?.lines.some((held) => listPattern.test(held));
    if (cuts.length === 0 || (starts && !inList)) cuts.push({ lines: [], openFence: false });
    cuts.at(-1)?.lines.push(line);
    if (fence === null && definitionPattern.test(line)) definitions.push(line);
    fence = stepFence(fence, line);
    blankBefore = fence === null && line.trim() === '';
  }
  const last = cuts.at(-1);
  if (last) last.openFence = fence !== null;
  return { cuts, definitions };
}

/**
 * A text cut at blank lines between its top-level blocks, so that what is finished is parsed once and never again while
 * the rest still grows. Joined with line breaks the blocks are the text. Link definitions are given to every block.
 */
export function splitMarkdown(text: string): readonly MarkdownBlock[] {
  const { cuts, definitions } = cutBlocks(text);
  const tail = definitions.length > 0 ? `\n\n${definitions.join('\n')}` : '';
  return cuts.map(({ lines, openFence }, index) => {
    const own = lines.join('\n');
    const withLinks = tail !== '' && !openFence && own.includes('[') ? own + tail : own;
    return { key: String(index), text: withLinks, openFence };
  });
}

/** The open fence of a block and what stands before it; null where the fence is none at the block's level. */
export function readOpenFence(text: string): { before: string; language: string; code: string } | null {
  const lines = text.split('\n');
  let fence: string | null = null;
  let at = -1;
  lines.forEach((line, index) => {
    const next = stepFence(fence, line);
    if (fence === null && next !== null) at = index;
    fence = next;
  });
  if (fence === null || at === -1) return null;
  const language = (fencePattern.exec(lines[at] ?? '')?.[2] ?? '').trim().split(/\s+/)[0] ?? '';
  return { before: lines.slice(0, at).join('\n'), language, code: lines.slice(at + 1).join('\n') };
}
