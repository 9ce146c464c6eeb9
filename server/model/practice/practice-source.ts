import { readFramedResults, withoutBlocks } from './conversation-text';
import type { PracticeMessage } from './practice-request';

export type SourceRole = 'user' | 'assistant' | 'tool';

/** One numbered piece of what is to be summarised; its text is as it was given, frames taken off. */
export interface SourceItem {
  readonly number: number;
  readonly role: SourceRole;
  readonly text: string;
  readonly isStale: boolean;
}

export interface Source {
  readonly items: readonly SourceItem[];
  /** Body of the previous summary, or empty. */
  readonly previous: string;
  /** `At most N bytes.` of the instruction, or null. */
  readonly capBytes: number | null;
  /** The instruction says that an earlier text was too long. */
  readonly mustShrink: boolean;
  /** Notes are asked for, which no frame is put around. */
  readonly isNotes: boolean;
}

const ITEM = /<item n="(\d+)" role="(user|assistant|tool)"[^>]*>\n?([\s\S]*?)\n?<\/item>/g;
const PREVIOUS = /<previous_summary>\n?([\s\S]*?)\n?<\/previous_summary>/g;
const NOTES = /<notes items="(\d+)-(\d+)">\n?([\s\S]*?)\n?<\/notes>/g;
const CANDIDATE = /<candidate>\n?([\s\S]*?)\n?<\/candidate>/;

/** Notes on a run of items, as reductions, audits and corrections get them. */
export interface SourceNotes {
  readonly from: number;
  readonly through: number;
  readonly text: string;
}

/** All notes of an instruction, in order. */
export function readNotes(instruction: string): readonly SourceNotes[] {
  return [...instruction.matchAll(NOTES)].map(([, from, through, text]) => ({
    from: Number(from),
    through: Number(through),
    text: text ?? '',
  }));
}

/** The candidate an audit or a correction is about, or null. */
export function readCandidate(instruction: string): string | null {
  return CANDIDATE.exec(instruction)?.[1] ?? null;
}

/**
 * What a TASK asks to summarise: `<item>` blocks after the instruction, or, where there are none, the conversation before
 * it. `taskAt` is where the instruction begins in the newest message.
 */
export function readSource(messages: readonly PracticeMessage[], taskAt: number): Source {
  const newest = messages.at(-1);
  const instruction = newest?.text.slice(taskAt) ?? '';
  const serialised = [...instruction.matchAll(ITEM)].map(([, number, role, text]) =>
    toItem({ number: Number(number), role: toRole(role), text: text ?? '' }),
  );
  const cap = /At most ([\d,]+) bytes/.exec(instruction)?.[1];
  const shared = {
    capBytes: cap === undefined ? null : Number(cap.replaceAll(',', '')),
    mustShrink: /longer than \d+ bytes|not shorter than|too little room/.test(instruction),
    isNotes: /^\s*TASK (?:map|reduce) \d/.test(instruction) && /Write the notes/.test(instruction),
  };
  const notes = readNotes(instruction);
  if (notes.length > 0) return { ...shared, items: serialised, previous: joinNotes(instruction, notes) };
  const previous = [...instruction.matchAll(PREVIOUS)].map(([, text]) => text ?? '');
  if (serialised.length > 0 || previous.length > 0)
    return { ...shared, items: serialised, previous: previous.join('\n') };
  const before =
    newest === undefined ? [] : [...messages.slice(0, -1), { ...newest, text: newest.text.slice(0, taskAt) }];
  return { ...shared, ...readConversation(before) };
}

/** Newest first, as all that is quoted; of a candidate what the notes bear out, in front of them. */
function joinNotes(instruction: string, notes: readonly SourceNotes[]): string {
  const texts = notes.map(({ text }) => text);
  const borneOut = (line: string) => {
    const quote = /^- "(.*)" \(item \d+\)$/.exec(line.trim())?.[1];
    return quote === undefined || texts.some((text) => text.includes(quote));
  };
  const candidate = (readCandidate(instruction) ?? '').split('\n').filter(borneOut).join('\n');
  return [candidate, ...texts.reverse()].join('\n');
}

function toRole(role: string | undefined): SourceRole {
  return role === 'user' || role === 'assistant' ? role : 'tool';
}

function toItem(raw: { readonly number: number; readonly role: SourceRole; readonly text: string }): SourceItem {
  const [framed] = readFramedResults(raw.text);
  return { number: raw.number, role: raw.role, text: framed?.text ?? raw.text, isStale: framed?.state === 'stale' };
}

/** A view shows numbers on results only; the others are counted from their neighbours, as a model would have to. */
function readConversation(messages: readonly PracticeMessage[]): Pick<Source, 'items' | 'previous'> {
  const pieces: { role: SourceRole; text: string; number: number | null; isStale: boolean }[] = [];
  let previous = '';
  let covered = 0;
  for (const message of messages) {
    if (message.role === 'system') continue;
    const summary = /<summary items="1-(\d+)"[^>]*>\n([\s\S]*?)\n<\/summary>/.exec(message.text);
    if (summary !== null) {
      covered = Number(summary[1]);
      previous = summary[2] ?? '';
    }
    if (message.role === 'tool') {
      for (const framed of readFramedResults(message.text))
        pieces.push({ role: 'tool', text: framed.text, number: framed.item, isStale: framed.state === 'stale' });
      continue;
    }
    const text = withoutBlocks(message.text);
    if (text !== '' || message.calls.length > 0)
      pieces.push({ role: message.role, text, number: null, isStale: false });
  }
  return { previous, items: numberPieces(pieces, covered) };
}

function numberPieces(
  pieces: readonly { role: SourceRole; text: string; number: number | null; isStale: boolean }[],
  covered: number,
): readonly SourceItem[] {
  const numbers = pieces.map((piece) => piece.number);
  for (let at = numbers.length - 2; at >= 0; at -= 1) numbers[at] ??= lower(numbers[at + 1] ?? null);
  let last = covered;
  return pieces.map((piece, index) => {
    last = numbers[index] ?? last + 1;
    return { number: last, role: piece.role, text: piece.text, isStale: piece.isStale };
  });
}

function lower(number: number | null): number | null {
  return number === null || number <= 1 ? null : number - 1;
}
