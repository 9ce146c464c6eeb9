import type { CutText } from '@/server/core/budget/cut-text';
import { defuse, TOOL_RESULT_TAGS } from './defuse';

/**
 * Every text that a view puts around, or in place of, an item's own (`contract.md` 9, wording 1). Bytes said in
 * them are those of the item's text. A new wording is a new version: `prompt.kept.wording` names the one in use.
 */

export type ResultState = 'masked' | 'dropped' | 'shortened' | 'none' | 'error';

export interface ItemName {
  readonly number: number;
  readonly id: string;
}

export const NO_RESULT_TEXT = 'No result: this branch of the conversation ends before one.';
export const CUT_OFF_TEXT = '[The reply was cut off here.]';
export const CONTINUE_TEXT = '[Continue your reply from where it was cut off.]';
const ERROR_PREFIX = 'Error: ';

export interface Frame {
  readonly tool: string;
  /** Number of the item; null for a result that there is none of. */
  readonly item: number | null;
  readonly state: ResultState | null;
  readonly text: string;
}

/** A tool result in the only form a model ever sees: framed, the text inside unable to close the frame (C7). */
export function frameResult({ tool, item, state, text }: Frame): string {
  const attributes = [`tool="${toAttribute(tool)}"`];
  if (item !== null) attributes.push(`item="${item}"`);
  if (state !== null) attributes.push(`state="${state}"`);
  return `<tool_result ${attributes.join(' ')}>\n${defuse(text, TOOL_RESULT_TAGS)}\n</tool_result>`;
}

/** Attribute values hold `[A-Za-z0-9_.:-]`; every other character becomes `_`. */
export function toAttribute(value: string): string {
  return value.replace(/[^A-Za-z0-9_.:-]/gu, '_');
}

/** Begins with `Error: `, said once. */
export function toErrorText(text: string): string {
  return text.startsWith(ERROR_PREFIX) ? text : `${ERROR_PREFIX}${text}`;
}

export interface MaskedResult extends ItemName {
  readonly tool: string;
  readonly callId: string;
  readonly bytes: number;
  readonly note: string;
}

/** The typed reference that stands for a masked result (M1). */
export function toMaskedText({ tool, callId, bytes, number, id, note }: MaskedResult): string {
  const said = note.trim() === '' ? '' : ` Your note: ${note.trim()}`;
  const whose = `Tool ${tool}, call ${callId}, ${bytes} bytes, item ${number} (${id}).`;
  return `Masked at your request. ${whose}${said} The original stays in the log; recall item ${number} reads it.`;
}

/** A stub says that it is one (B3). */
export function toStubText({ number, id }: ItemName, bytes: number): string {
  return (
    `This tool ran; its output (${bytes} bytes) was dropped to fit. This is a stub, not the output. ` +
    `Call the tool again, or recall item ${number} (${id}), if it matters.`
  );
}

/** The mark stands first, and again in the middle (case-B11). */
export function toShortenedResult({ number, id }: ItemName, cut: CutText): string {
  const shown = `Shown: first ${cut.headBytes} and last ${cut.tailBytes} of ${cut.totalBytes} bytes`;
  const mark = `${shown}; ${cut.leftOutBytes} bytes left out. recall item ${number} (${id}) reads the rest.`;
  return joinCut(mark, cut);
}

/** A message of a person, or a reply, of which the middle is left out. */
export function toShortenedMessage({ number, id }: ItemName, cut: CutText): string {
  const shown = `first ${cut.headBytes} and last ${cut.tailBytes} of ${cut.totalBytes} bytes`;
  return joinCut(`[Shortened to fit: ${shown}. The whole is item ${number} (${id}).]`, cut);
}

/** Mark, head, gap, tail. Where nothing is shown the mark has said it all. */
export function joinCut(mark: string, cut: CutText): string {
  if (cut.headBytes + cut.tailBytes === 0) return mark;
  const lines = [mark, cut.head, `[… ${cut.leftOutBytes} bytes left out …]`, cut.tail];
  return lines.filter((line) => line !== '').join('\n');
}

/** What stands for a string value, or a top-level value, of a call's arguments. */
export function toLeftOutValue(bytes: number): string {
  return `[${bytes} bytes left out]`;
}

export interface LeftOut {
  readonly trips: number;
  readonly replies: number;
  readonly messages: number;
  /** First and last number of what was left out; null when it was the summary alone. */
  readonly first: number | null;
  readonly last: number | null;
  /** Last item of a summary that did not fit either (the last resort of a trim). */
  readonly summaryThrough: number | null;
}

/** One entry for everything a trim dropped: that nothing was written about it is the whole difference to a summary (B6). */
export function toLeftOutText({ trips, replies, messages, first, last, summaryThrough }: LeftOut): string {
  const kinds: string[] = [];
  if (summaryThrough !== null) kinds.push(`the summary of ${toItems(1, summaryThrough)}`);
  if (trips > 0) kinds.push(toCount(trips, 'tool round trip'));
  if (replies > 0) kinds.push(toCount(replies, 'reply', 'replies'));
  if (messages > 0) kinds.push(toCount(messages, 'message'));
  const where = first === null || last === null ? '' : ` (${toItems(first, last)})`;
  return `[Left out to fit: ${kinds.join(', ')}${where}. Nothing was written about them; recall reads them.]`;
}

function toCount(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Numbers of items in words: one, or a range. */
export function toItems(first: number, last: number): string {
  return first === last ? `item ${first}` : `items ${first}-${last}`;
}

export interface MediaName {
  readonly name: string;
  readonly bytes: number;
  readonly width?: number | null;
  readonly height?: number | null;
}

/** Stands where an image is not sent: in results, in shortened messages, for a summariser (`contract.md` 10). */
export function toImageText(image: MediaName, item: number): string {
  const size = image.width && image.height ? `${image.width}×${image.height}, ` : '';
  return `[Image left out: ${toOneLine(image.name)}, ${size}${toKilobytes(image.bytes)}, item ${item}]`;
}

/** A file that is kept in the log and not sent. */
export function toFileText(file: MediaName, item: number): string {
  return `[File: ${toOneLine(file.name)}, ${toKilobytes(file.bytes)}, item ${item}]`;
}

function toKilobytes(bytes: number): string {
  return `${Math.max(1, Math.round(bytes / 1000))} kB`;
}

/** A text without line breaks and control characters, so that it cannot leave its line. */
export function toOneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}
