/** A framed tool result as it stands in a view (contract 9). */
export interface FramedResult {
  readonly tool: string;
  readonly item: number | null;
  readonly state: string | null;
  readonly text: string;
}

const FRAME = /<tool_result tool="([^"]*)"(?: item="(\d+)")?(?: state="([^"]*)")?>\n?([\s\S]*?)\n?<\/tool_result>/g;

/** All results framed in a text, in order. Text outside of frames is not looked at. */
export function readFramedResults(text: string): readonly FramedResult[] {
  return [...text.matchAll(FRAME)].map(([, tool, item, state, inner]) => ({
    tool: tool ?? '',
    item: item === undefined ? null : Number(item),
    state: state ?? null,
    text: inner ?? '',
  }));
}

/** The text without the blocks nobody said: summary, plan, and the notes of a trim. */
export function withoutBlocks(text: string): string {
  return text
    .replaceAll(/<summary [^>]*>[\s\S]*?<\/summary>/g, '')
    .replaceAll(/<plan [^>]*>[\s\S]*?<\/plan>/g, '')
    .replaceAll(
      /^\[(?:Left out to fit|Shortened to fit|The conversation begins here|Continue your reply)[^\n]*\]$/gm,
      '',
    )
    .trim();
}

export interface PlanLine {
  readonly text: string;
  readonly status: 'pending' | 'active' | 'done';
}

/** The items of the newest plan block in a text, or null. */
export function readPlanBlock(text: string): readonly PlanLine[] | null {
  const block = [...text.matchAll(/<plan done="\d+" of="\d+">\n([\s\S]*?)\n<\/plan>/g)].at(-1)?.[1];
  if (block === undefined) return null;
  return [...block.matchAll(/^\[([ x>])\] (.*)$/gm)].map(([, mark, line]) => ({
    text: line ?? '',
    status: mark === 'x' ? 'done' : mark === '>' ? 'active' : 'pending',
  }));
}
