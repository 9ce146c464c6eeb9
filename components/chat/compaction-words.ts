import type { SummaryMetadata, TrimMetadata } from '@/server/contract/boundary';
import type { CompactionAttempt, CompactionEntry } from '@/server/contract/compactions';
import { formatBytes } from '../ui/format-bytes';
import { formatClock } from '../ui/format-time';

/** Words of everything a compaction says of itself, in one place. */

/** “1 message”, “48 messages”. */
export function sayCount(n: number, one: string, many: string): string {
  return `${n} ${n === 1 ? one : many}`;
}

export function countCovered({ counts }: Pick<SummaryMetadata, 'counts'>): number {
  return counts.user + counts.assistant + counts.tool;
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;

function sameDay(a: Date, b: Date): boolean {
  return a.toDateString() === b.toDateString();
}

/** `14:02–15:37`; over days `Mon 16:20 – Tue 09:05`; over more than six days with the dates. */
export function formatSpan({ from, through }: SummaryMetadata['span']): string {
  const [start, end] = [new Date(from), new Date(through)];
  if (sameDay(start, end)) return `${formatClock(start)}–${formatClock(end)}`;
  const far = end.getTime() - start.getTime() > 6 * 86_400_000;
  const day = (at: Date) => (far ? `${at.getDate()}.${at.getMonth() + 1}.` : (weekdays[at.getDay()] ?? ''));
  return `${day(start)} ${formatClock(start)} – ${day(end)} ${formatClock(end)}`;
}

export function titleOf(metadata: SummaryMetadata): string {
  return `Summary of ${sayCount(countCovered(metadata), 'message', 'messages')}`;
}

function causeOf({ trigger, agentVersion, imported }: SummaryMetadata): string {
  if (imported) return 'imported';
  if (agentVersion?.to && agentVersion.from !== agentVersion.to) return `catching up with v${agentVersion.to}`;
  if (trigger === 'manual') return 'you asked';
  return trigger === 'overflow' ? 'the model’s window was full' : 'limit reached';
}

/** The quiet line of a closed card: who wrote it and why. */
export function sayOrigin(metadata: SummaryMetadata): readonly string[] {
  const by = metadata.model ? `by ${metadata.model.model}` : 'by another tool';
  const words = [by, causeOf(metadata)];
  if (metadata.simulated) words.push('practice model, not an AI');
  if (metadata.edited) words.push('edited by you');
  return words;
}

/** What a reader must know before trusting it, losses first. In warn. */
export function sayLosses(metadata: SummaryMetadata, entry: CompactionEntry | undefined): readonly string[] {
  const words: string[] = [];
  const dropped = metadata.carryOver.dropped.length;
  if (dropped > 0) words.push(`${sayCount(dropped, 'carry-over', 'carry-overs')} did not fit`);
  if (metadata.stale.length > 0) words.push(`${sayCount(metadata.stale.length, 'file', 'files')} changed since read`);
  if (usedLaterModel(entry)) words.push('second model used');
  const skills = metadata.skills?.length ?? 0;
  if (skills > 0) words.push(`skills changed: ${skills}`);
  return words;
}

function usedLaterModel(entry: CompactionEntry | undefined): boolean {
  const [first] = entry?.chain ?? [];
  if (!first || !entry?.model) return false;
  return first.provider !== entry.model.provider || first.model !== entry.model.model;
}

/** "48 messages: 12 yours, 12 replies, 24 tool results. Includes 1 earlier summary." */
export function sayCovers(metadata: SummaryMetadata): string {
  const { user, assistant, tool, summaries } = metadata.counts;
  const kinds = [
    user > 0 ? `${user} yours` : '',
    assistant > 0 ? sayCount(assistant, 'reply', 'replies') : '',
    tool > 0 ? sayCount(tool, 'tool result', 'tool results') : '',
  ].filter(Boolean);
  const whole = `${sayCount(countCovered(metadata), 'message', 'messages')}: ${kinds.join(', ')}.`;
  return summaries > 0 ? `${whole} Includes ${sayCount(summaries, 'earlier summary', 'earlier summaries')}.` : whole;
}

const wholeReasons: Readonly<Record<string, string>> = {
  empty: 'the summary came back empty',
  tool_markup: 'the model answered with a tool call instead of a summary',
  too_long: 'the summary was longer than its limit',
  over_commit: 'the summary would not have made enough room',
  source_changed: 'the conversation changed meanwhile',
  no_model: 'no model is set up that writes summaries',
  unknown_model: 'the chosen model is not set up any more',
  floor_too_large: 'instructions, skills and tools alone fill the budget; there is nothing compacting could free',
  too_short: 'there is too little to compact yet',
  too_large_for_one_request: 'it is too long for one request to the models that write summaries',
  audit_failed: 'the check against its segments still found things they do not say',
  audit_unreadable: 'the check gave no clear answer',
  audit_oversized: 'the summary and one segment beside it do not fit its window for the check',
  notes_too_large: 'what the segments say does not fit its window',
  not_converging: 'the segments could not be joined within eight levels',
  repartitions_spent: 'smaller segments did not fit its window either',
  reread_malformed: 'it asked to read messages again in a way nobody can follow',
  reread_unavailable: 'it asked to read messages again that are not in this conversation',
  reread_oversized: 'the messages it asked to read again do not fit its window',
  interrupted: 'the server stopped in the middle of it',
  unavailable: 'the server did not answer',
  storage_full: 'the disk is full',
  cancelled: 'it was stopped',
  provider_auth: 'the key was refused',
  provider_rate_limited: 'rate limited',
  provider_quota: 'its quota is used up',
  provider_overloaded: 'overloaded',
  provider_network: 'no answer',
  provider_server: 'an error of the provider',
  provider_stalled: 'sent nothing for too long',
  provider_context: 'the text did not fit into its window',
  provider_too_large: 'the request was too large',
  provider_refusal: 'it declined',
  provider_invalid_request: 'it did not accept the request',
  provider_incomplete: 'the answer broke off',
  rate_limit: 'rate limited',
  quota: 'its quota is used up',
  overload: 'overloaded',
  auth: 'the key was refused',
  network: 'no answer',
  server: 'an error of the provider',
  stall: 'sent nothing for too long',
  context: 'the text did not fit into its window',
  too_large: 'the request was too large',
  refusal: 'it declined',
  invalid_request: 'it did not accept the request',
  incomplete: 'the answer broke off',
};

/** Ends of an answer that is not whole, in plain words. */
const brokenOff: Readonly<Record<string, string>> = {
  tool_calls: 'it called a tool instead of writing',
  length: 'it reached the limit of its length',
  content_filter: 'the provider withheld the rest',
  refusal: 'it declined',
  error: 'the provider gave an error',
  interrupted: 'it was interrupted',
  cancelled: 'it was stopped',
  incomplete: 'it came to no end',
  pause_turn: 'it paused',
};

/** How a model came to its end, in words; one nobody here knows as it stands. */
export function wordEnd(end: string): string {
  return end === 'stop' ? 'it finished' : (brokenOff[end] ?? end);
}

/** Which headings, as long as they are few; all of them are in the details. */
function wordHeadings(names: string): string {
  const all = names.split(',').filter((name) => name.trim() !== '');
  if (all.length > 2) return `${all.length} of its headings were missing or doubled`;
  return `headings were missing or doubled: ${names}`;
}

/** Which item no request can take: by its number, as in `recall item 57`. */
function wordTooLarge(which: string): string {
  if (which === '') return 'one message alone is larger than its window';
  return which === 'summary'
    ? 'a part of the earlier summary is larger than its window'
    : `message ${which} alone is larger than its window`;
}

/** A reason of the ledger in words; one nobody here knows is shown as it stands. */
export function wordReason(reason: string | null, sizes?: { before: number | null; after: number | null }): string {
  if (reason === null || reason === '') return 'no reason was given';
  const [, head = '', rest = ''] = /^([a-z_]+):?\s*(.*)$/s.exec(reason) ?? [];
  if (head === 'not_smaller') {
    const { before = null, after = null } = sizes ?? {};
    const told = before !== null && after !== null ? ` (${formatBytes(after)} from ${formatBytes(before)})` : '';
    return `the summary was not shorter${told}`;
  }
  if (head === 'sections') return wordHeadings(rest);
  if (head === 'item_too_large') return wordTooLarge(rest);
  if (head === 'incomplete' && rest === 'refusal') return 'it declined';
  if (head === 'incomplete' && rest !== '') return `the answer broke off (${brokenOff[rest] ?? rest})`;
  // A code that comes with a sentence: the sentence was written for people.
  return wholeReasons[head] ?? (/\s/.test(rest) ? rest.replace(/\.$/, '') : reason);
}

/** What only another model, or one with a larger window, helps against: the same one again asks nobody (R10). */
const spentOnModel: ReadonlySet<string> = new Set([
  'item_too_large',
  'repartitions_spent',
  'notes_too_large',
  'not_converging',
  'audit_failed',
  'audit_oversized',
]);

/** Whether trying the same model again would end the same way. */
export function needsAnotherModel(reason: string | null): boolean {
  return spentOnModel.has(reason?.split(':')[0] ?? '');
}

/** One try of a chain, in words. */
export function wordAttempt(attempt: CompactionAttempt): string {
  if (attempt.outcome === 'accepted') {
    return attempt.reason === 'reread' ? 'asked to read messages again' : 'finished, accepted';
  }
  if (attempt.outcome === 'cancelled') return 'stopped';
  return wordReason(attempt.reason);
}

/** The kinds a trim left out, with their sizes, in the order of its sacrifice. */
export function sayTrim({ kinds }: TrimMetadata): string {
  const rows: readonly [TrimMetadata['kinds'][keyof TrimMetadata['kinds']], string, string][] = [
    [kinds.results, 'tool result', 'tool results'],
    [kinds.trips, 'earlier exchange', 'earlier exchanges'],
    [kinds.replies, 'reply', 'replies'],
    [kinds.messages, 'message', 'messages'],
  ];
  return rows
    .filter(([tally]) => tally.count > 0)
    .map(([tally, one, many]) => `${sayCount(tally.count, one, many)}, ${formatBytes(tally.bytes)}`)
    .join(' · ');
}

/** Spoken when it lands: "Compaction finished: 212 to 6 kilobytes, 2 carry-overs did not fit". */
export function speakLanded(bytes: { before: number | null; after: number | null; dropped: number }): string {
  const { before, after, dropped } = bytes;
  const kilo = (n: number) => Math.max(1, Math.round(n / 1000));
  const sizes = before !== null && after !== null ? `: ${kilo(before)} to ${kilo(after)} kilobytes` : '';
  return `Compaction finished${sizes}${dropped > 0 ? `, ${sayCount(dropped, 'carry-over', 'carry-overs')} did not fit` : ''}`;
}
