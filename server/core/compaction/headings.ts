import { SUMMARY_HEADINGS } from '@/server/core/prompt/wording';

export type SummaryHeading = (typeof SUMMARY_HEADINGS)[number];

/** A text line and whether it stands inside a code fence (the fence's own lines count as inside). */
export interface FencedLine {
  readonly text: string;
  readonly fenced: boolean;
}

/** Lines of Markdown with their fences marked. A fence that is never closed runs to the end of the text. */
export function toFencedLines(text: string): readonly FencedLine[] {
  let fence: string | null = null;
  return text.split('\n').map((line) => {
    const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    const run = mark?.[1] ?? '';
    const rest = mark?.[2] ?? '';
    if (fence === null) {
      // An info string of a backtick fence holds no backtick: "```a``` b" is a line of text, not a fence.
      if (run === '' || (run.startsWith('`') && rest.includes('`'))) return { text: line, fenced: false };
      fence = run;
      return { text: line, fenced: true };
    }
    if (run.startsWith(fence) && rest.trim() === '') fence = null;
    return { text: line, fenced: true };
  });
}

/** One of the eight headings (levels 1–4, letter case and a trailing colon ignored), else null (`contract.md` 11). */
export function toSummaryHeading(line: string): SummaryHeading | null {
  const title = /^ {0,3}#{1,4}[ \t]+(.+?)[ \t]*#*[ \t]*$/.exec(line)?.[1];
  if (title === undefined) return null;
  const bare = title.replace(/[ \t]*[:：][ \t]*$/, '').toLowerCase();
  return SUMMARY_HEADINGS.find((heading) => heading.toLowerCase() === bare) ?? null;
}

/**
 * The headings that are missing, doubled, or have no line under them, in the order they are asked for. Empty: the
 * text is whole. Headings inside code fences do not count.
 */
export function findHeadingFaults(body: string): readonly SummaryHeading[] {
  const seen = new Map<SummaryHeading, number>();
  const filled = new Set<SummaryHeading>();
  let open: SummaryHeading | null = null;
  for (const line of toFencedLines(body)) {
    const heading = line.fenced ? null : toSummaryHeading(line.text);
    if (heading !== null) {
      seen.set(heading, (seen.get(heading) ?? 0) + 1);
      open = heading;
    } else if (open !== null && line.text.trim() !== '') filled.add(open);
  }
  return SUMMARY_HEADINGS.filter((heading) => seen.get(heading) !== 1 || !filled.has(heading));
}

const FOREIGN_MARKUP = ['<tool_call', '<function_call', '<tool_use', '<invoke', '[TOOL_CALLS]', '<|'] as const;

/** The first mark of a tool call written as text outside code fences, else null. */
export function findToolMarkup(body: string): string | null {
  for (const line of toFencedLines(body)) {
    if (line.fenced) continue;
    const found = FOREIGN_MARKUP.find((mark) => line.text.includes(mark));
    if (found !== undefined) return found;
  }
  return null;
}
