import type { SummaryHeading } from '@/server/core/compaction/headings';
import { findToolMarkup, toFencedLines, toSummaryHeading } from '@/server/core/compaction/headings';
import type { Source, SourceItem } from './practice-source';

/** A piece of one line of an item, word for word. */
export interface Quote {
  readonly text: string;
  readonly item: number;
}

export type QuotesBySection = Readonly<Record<SummaryHeading, readonly Quote[]>>;

const LONGEST_QUOTE = 180;
const SHORTEST_QUOTE = 6;
/** A person's whole wish may be one short word. */
const SHORTEST_WISH = 3;
/** What the application or this model itself says about calls: true, and of no use to whoever goes on. */
const NOISE =
  /^(?:Calls \w+ with|Masked at your request|This tool ran; its output|Shown: first \d|\[… \d+ bytes|Item \d+ is masked|\w+ gave \d+ lines?,|`recall \d+` still reads|The conversation has grown)/;
const OWN_NAMES = new Set([
  'list_files',
  'read_file',
  'search_files',
  'write_file',
  'edit_file',
  'update_plan',
  'mask_tool_result',
  'carry_over',
  'tool_call',
  'tool_result',
]);

const CONSTRAINT =
  /\b(must|never|always|only|don't|do not|should|no more than|at most|at least|without|keep|please|needs? to|has to|muss|nie|immer|nur|bitte)\b/i;
const DECISION =
  /\b(decid\w+|because|therefore|found|shows?|means|chose|chosen|reason|conclu\w+|agreed|will use|turns out|says|gave|holds|matches?)\b|\d/i;
const INVALIDATED =
  /\b(no longer|instead|supersed\w+|replac\w+|obsolete|outdated|not true|withdrawn|changed (?:my|our) mind|moved from|was wrong|stale|revert\w*)\b/i;
const WORK =
  /\b(done|finished|complet\w+|verified|tested|wrote|written|read|working on|started|blocked|waiting|open|todo|still|plan|item)\b/i;
const PATH =
  /(?:[\w@.-]+\/)+[\w@.-]*[\w-]|\b[\w-]+\.(?:md|ts|tsx|js|json|jsonl|txt|csv|py|sql|yml|yaml|toml|html|css|sh|log|pdf)\b/g;
const ANCHOR =
  /`[^`\n]{2,80}`|\b[a-z]+(?:[A-Z][a-z0-9]+)+\b|\b[A-Z]{2,}[-_][A-Z0-9_-]+\b|\b\w+_\w+\b|\b\d[\d.,]* ?(?:%|ms|s|min|h|days?|weeks?|months?|kB|MB|GB|bytes|tokens|EUR|USD|km|kg)\b|[€$£] ?\d[\d.,]*/g;

/** Candidates of every section, most wanted first; newest items before older ones, the previous summary's quotes last. */
export function collectQuotes(source: Source): QuotesBySection {
  const earlier = readPreviousQuotes(source.previous);
  const newestFirst = [...source.items].reverse();
  const own = (section: SummaryHeading, quotes: readonly Quote[]) => interleave(dedupe(quotes), earlier[section]);
  const people = newestFirst.filter((item) => item.role === 'user');
  const replies = newestFirst.filter((item) => item.role === 'assistant');
  const oldestPerson = people.at(-1);
  return {
    Objective: own(
      'Objective',
      [...people.slice(0, 1), ...(oldestPerson === undefined ? [] : [oldestPerson]), ...people].flatMap((item) =>
        firstLines(item, 1),
      ),
    ),
    Constraints: own(
      'Constraints',
      people.flatMap((item) => matching(item, CONSTRAINT)),
    ),
    'Decisions and evidence': own(
      'Decisions and evidence',
      newestFirst.filter((item) => item.role !== 'user').flatMap((item) => matching(item, DECISION).slice(0, 2)),
    ),
    Invalidated: own('Invalidated', [
      ...newestFirst.flatMap((item) => matching(item, INVALIDATED).slice(0, 2)),
      ...newestFirst.filter((item) => item.isStale).flatMap((item) => firstLines(item, 1)),
    ]),
    Work: own(
      'Work',
      replies.flatMap((item) => [...matching(item, WORK), ...firstLines(item, 1)].slice(0, 2)),
    ),
    'Next action': own(
      'Next action',
      people.slice(0, 1).flatMap((item) => firstLines(item, 2)),
    ).slice(0, 2),
    Files: own(
      'Files',
      newestFirst.flatMap((item) => tokens(item, PATH)),
    ),
    'Code anchors': own(
      'Code anchors',
      newestFirst.flatMap((item) => tokens(item, ANCHOR)),
    ),
  };
}

/** New and old take turns, so that neither crowds the other out; a quote that is in both is new. */
function interleave(fresh: readonly Quote[], earlier: readonly Quote[]): readonly Quote[] {
  const old = earlier.filter((quote) => !fresh.some((other) => other.text === quote.text));
  const mixed: Quote[] = [];
  for (let at = 0; at < Math.max(fresh.length, old.length); at += 1) {
    for (const quote of [fresh[at], old[at]]) if (quote !== undefined) mixed.push(quote);
  }
  return mixed;
}

/** Bullets `- "quote" (item 12)` of an earlier practice summary; other lines of a real one are quoted whole, under the number they name. */
function readPreviousQuotes(previous: string): Readonly<Record<SummaryHeading, readonly Quote[]>> {
  const found: Record<SummaryHeading, Quote[]> = {
    Objective: [],
    Constraints: [],
    'Decisions and evidence': [],
    Invalidated: [],
    Work: [],
    'Next action': [],
    Files: [],
    'Code anchors': [],
  };
  let section: SummaryHeading | null = null;
  for (const line of toFencedLines(previous)) {
    const heading = line.fenced ? null : toSummaryHeading(line.text);
    if (heading !== null) section = heading;
    else if (section !== null && !line.fenced) {
      const bullet = /^[-*] "(.*)" \(item (\d+)\)$/.exec(line.text.trim());
      const item = Number(bullet?.[2] ?? /\bitems? (\d+)/.exec(line.text)?.[1] ?? 1);
      const text = bullet?.[1] ?? clip(line.text.trim().replace(/^[-*] /, ''));
      if (isQuotable(text) && !/^none\.?$/i.test(text) && !/^Carried over word for word:/.test(text))
        found[section].push({ text, item });
    }
  }
  return found;
}

function firstLines(item: SourceItem, most: number): readonly Quote[] {
  return sentences(item).slice(0, most);
}

function matching(item: SourceItem, pattern: RegExp): readonly Quote[] {
  return sentences(item).filter((quote) => pattern.test(quote.text));
}

function sentences(item: SourceItem): readonly Quote[] {
  const shortest = item.role === 'user' ? SHORTEST_WISH : SHORTEST_QUOTE;
  return item.text
    .split('\n')
    .filter((line) => !NOISE.test(line))
    .flatMap((line) => line.split(/(?<=[.!?。]) +/))
    .map((sentence) => clip(sentence.trim().replace(/^(?:[-*>] |#{1,6} |\d+\. )+/, '')))
    .filter((text) => !NOISE.test(text) && text.length >= shortest && isQuotable(text))
    .map((text) => ({ text, item: item.number }));
}

function tokens(item: SourceItem, pattern: RegExp): readonly Quote[] {
  if (/^(?:Masked at your request|This tool ran; its output)/.test(item.text)) return [];
  return [...item.text.matchAll(pattern)]
    .map(([text]) => ({ text: clip(text), item: item.number }))
    .filter(
      ({ text }) => text.length >= 2 && !OWN_NAMES.has(text) && !/^practice_[0-9a-f]{16}$/.test(text) && isSafe(text),
    );
}

/** Cuts at a word; nothing is added, so the quote stays a substring. */
function clip(text: string): string {
  if (text.length <= LONGEST_QUOTE) return text;
  const cut = text.slice(0, LONGEST_QUOTE);
  const word = cut.lastIndexOf(' ');
  const kept = word > LONGEST_QUOTE / 2 ? cut.slice(0, word) : cut;
  return kept.isWellFormed() ? kept : kept.slice(0, -1);
}

function isQuotable(text: string): boolean {
  return text.length >= SHORTEST_WISH && /[\p{L}\p{N}]{2}/u.test(text) && isSafe(text);
}

/** No tool syntax of any model, and no frame, may stand in a summary. */
function isSafe(text: string): boolean {
  return (
    findToolMarkup(text) === null &&
    !/<\/?(tool_result|item|summary|plan|previous_summary|reread)\b/i.test(text) &&
    text.isWellFormed()
  );
}

function dedupe(quotes: readonly Quote[]): readonly Quote[] {
  const seen = new Set<string>();
  return quotes.filter((quote) => !seen.has(quote.text) && seen.add(quote.text));
}
