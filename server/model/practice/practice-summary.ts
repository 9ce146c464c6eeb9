import type { SummaryHeading } from '@/server/core/compaction/headings';
import { SUMMARY_HEADINGS } from '@/server/core/prompt/wording';
import { collectQuotes, type Quote } from './practice-quotes';
import type { Source } from './practice-source';

/** Room for the frame the application puts around a body and what a part of a request weighs (`contract.md` 7, 9). */
const FRAME_BYTES = 390;
const UNNAMED_CAP_BYTES = 1_500;
const LEDGER_SHARE = 0.4;
const LEDGER: readonly SummaryHeading[] = ['Files', 'Code anchors'];
const REST: readonly SummaryHeading[] = [
  'Objective',
  'Constraints',
  'Next action',
  'Decisions and evidence',
  'Work',
  'Invalidated',
];

/**
 * A summary by rules: the eight headings, under each bullets `- "quote" (item 12)` or `none`. Promises that every quote
 * is a substring of the source, that body and frame stay under the cap and under the source's own size, and that the
 * same source gives the same text. The ledger (paths, identifiers, numbers) gets 40 % of the room, the rest in turn.
 */
export function writePracticeSummary(source: Source): string {
  const quotes = collectQuotes(source);
  const room = roomFor(source);
  const chosen = new Map<SummaryHeading, Quote[]>(SUMMARY_HEADINGS.map((heading) => [heading, []]));
  const ledgerUsed = fill({ headings: LEDGER, quotes, chosen, room: Math.floor(room * LEDGER_SHARE) });
  fill({ headings: REST, quotes, chosen, room: room - ledgerUsed });
  return SUMMARY_HEADINGS.map((heading) => `## ${heading}\n${toLines(chosen.get(heading) ?? [])}`).join('\n');
}

function toLines(quotes: readonly Quote[]): string {
  return quotes.length === 0 ? 'none' : quotes.map(toBullet).join('\n');
}

function toBullet(quote: Quote): string {
  return `- "${quote.text}" (item ${quote.item})`;
}

/** The cap is a measure: a text weighs what its JSON string does. */
const escapedBytes = (text: string): number => Buffer.byteLength(JSON.stringify(text)) - 2;

/** Bytes left for bullets when the headings, each with its `none`, are written. */
function roomFor(source: Source): number {
  const sourceBytes = source.items.reduce(
    (sum, item) => sum + Buffer.byteLength(item.text),
    Buffer.byteLength(source.previous),
  );
  const cap = source.capBytes ?? UNNAMED_CAP_BYTES;
  const share = source.mustShrink ? 0.5 : 1;
  const frame = source.isNotes ? 0 : FRAME_BYTES;
  const empty = SUMMARY_HEADINGS.reduce((sum, heading) => sum + escapedBytes(`## ${heading}\nnone\n`), 0);
  return Math.max(0, Math.floor(Math.min(cap - frame, sourceBytes * 0.8 - frame) * share) - empty);
}

interface Filling {
  readonly headings: readonly SummaryHeading[];
  readonly quotes: Readonly<Record<SummaryHeading, readonly Quote[]>>;
  readonly chosen: Map<SummaryHeading, Quote[]>;
  readonly room: number;
}

/** Sections take turns; one whose next quote does not fit is passed over and may try its following one. Returns the bytes used. */
function fill({ headings, quotes, chosen, room }: Filling): number {
  let used = 0;
  const longest = Math.max(...headings.map((heading) => quotes[heading].length));
  for (let turn = 0; turn < longest; turn += 1) {
    for (const heading of headings) {
      const quote = quotes[heading][turn];
      const bytes = quote === undefined ? 0 : escapedBytes(`${toBullet(quote)}\n`);
      if (quote === undefined || used + bytes > room) continue;
      chosen.get(heading)?.push(quote);
      used += bytes;
    }
  }
  return used;
}
