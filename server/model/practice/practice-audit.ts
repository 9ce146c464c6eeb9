import { findHeadingFaults, toFencedLines, toSummaryHeading } from '@/server/core/compaction/headings';
import { readCandidate, readNotes, type SourceNotes } from './practice-source';

const BULLET = /^- "(.*)" \(item (\d+)\)$/;
/** A bullet this short finds room in the ledger of any summary. */
const SHORT_BULLET = 60;

/**
 * Judges a candidate by rules: every heading once, every quote word for word in the notes beside it, and paths and
 * identifiers named where the notes name any. Where only some notes are shown, quotes of other items are passed over. First
 * line `PASS` or `FAIL` (contract 13).
 */
export function auditCandidate(instruction: string): string {
  const candidate = readCandidate(instruction);
  if (candidate === null) return 'FAIL\n- there is no candidate to judge';
  const notes = readNotes(instruction);
  const isPart = /You see only the notes on items/.test(instruction);
  const faults = findHeadingFaults(candidate).map((heading) => `- the heading ${heading} is missing, doubled or empty`);
  const invented = candidate
    .split('\n')
    .map((line) => BULLET.exec(line))
    .filter((bullet) => bullet !== null)
    .filter(([, quote, item]) => isUnsupported({ quote: quote ?? '', item: Number(item), notes, isPart }))
    .map(([, quote, item]) => `- not in the notes: ${quote} (item ${item})`);
  const ledger = isPart || hasLedger(candidate) || !notes.some(({ text }) => hasLedger(text)) ? [] : [NO_LEDGER];
  const findings = [...faults, ...invented, ...ledger];
  return findings.length === 0 ? 'PASS' : ['FAIL', ...findings].join('\n');
}

const NO_LEDGER = '- no path and no identifier is named, though the notes name some';

interface Judging {
  readonly quote: string;
  readonly item: number;
  readonly notes: readonly SourceNotes[];
  readonly isPart: boolean;
}

function isUnsupported({ quote, item, notes, isPart }: Judging): boolean {
  const isShown = notes.some(({ from, through }) => item >= from && item <= through);
  if (isPart && !isShown) return false;
  return !notes.some(({ text }) => text.includes(quote));
}

function hasLedger(text: string): boolean {
  let inLedger = false;
  for (const line of toFencedLines(text)) {
    const heading = line.fenced ? null : toSummaryHeading(line.text);
    if (heading !== null) inLedger = heading === 'Files' || heading === 'Code anchors';
    else if (inLedger && BULLET.test(line.text) && line.text.length <= SHORT_BULLET) return true;
  }
  return false;
}
