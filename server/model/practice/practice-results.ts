import { type FramedResult, readFramedResults } from './conversation-text';
import { type PracticeAnswer, say } from './practice-commands';
import type { PracticeMessage, PracticeRequest } from './practice-request';
import { RULES_LINE } from './practice-texts';

/** Calls the rules make in one turn, at most (contract 18). */
const MOST_CALLS = 6;
const TOUR_FILES = 5;

/** Says what the newest results brought; on a tour, reads the next file first. */
export function answerResults(request: PracticeRequest, asked: string): PracticeAnswer {
  const turn = request.messages.slice(request.messages.findLastIndex((message) => message.role === 'user') + 1);
  const results = newestResults(turn);
  const next = /\btour\b/i.test(asked) ? nextOfTour(turn) : null;
  if (next !== null && request.tools.has('read_file'))
    return { text: '', call: { name: 'read_file', args: { path: next } } };
  const isTour = /\btour\b/i.test(asked) && readPaths(turn).length > 0;
  const told = results.map(describe).join('\n\n');
  if (!isTour) return say(told === '' ? `The tool answered nothing.\n\n${RULES_LINE}` : told);
  return say(
    `I have read ${readPaths(turn).join(', ')}. ${told}\n\nThe conversation has grown; once it passes the trigger it is compacted before the next step. \`recall 1\` still reads the first item.`,
  );
}

function newestResults(turn: readonly PracticeMessage[]): readonly FramedResult[] {
  const from = turn.findLastIndex((message) => message.role === 'assistant') + 1;
  return turn.slice(from).flatMap((message) => readFramedResults(message.text));
}

function nextOfTour(turn: readonly PracticeMessage[]): string | null {
  const calls = turn.flatMap((message) => message.calls);
  const read = readPaths(turn);
  if (calls.length >= MOST_CALLS || read.length >= TOUR_FILES) return null;
  const listing = turn
    .flatMap((message) => readFramedResults(message.text))
    .find((result) => result.tool === 'list_files' && result.state === null);
  const files = listing === undefined ? [] : largestFirst(listing.text).slice(0, TOUR_FILES);
  return files.find((path) => !read.includes(path)) ?? null;
}

function readPaths(turn: readonly PracticeMessage[]): readonly string[] {
  return turn
    .flatMap((message) => message.calls)
    .filter((call) => call.name === 'read_file')
    .flatMap(({ args }) =>
      typeof args === 'object' && args !== null && 'path' in args && typeof args.path === 'string' ? [args.path] : [],
    );
}

/** The largest files fill the small window soonest: a tour is there to show a compaction. */
function largestFirst(listing: string): readonly string[] {
  const files = [...listing.matchAll(/^(.+) \((\d+) bytes\)$/gm)].map(([, path, bytes]) => ({
    path: path ?? '',
    bytes: Number(bytes),
  }));
  return files.sort((a, b) => b.bytes - a.bytes).map(({ path }) => path);
}

/** Paths of a listing: `notes/plan.md (812 bytes)`. */
function toFiles(listing: string): readonly string[] {
  return [...listing.matchAll(/^(.+) \(\d+ bytes\)$/gm)].map(([, path]) => path ?? '');
}

function describe(result: FramedResult): string {
  if (result.state === 'error')
    return `${result.tool} could not do it: ${result.text.replace(/^Error: /, '')}\n\n${RULES_LINE}`;
  switch (result.tool) {
    case 'list_files':
      return describeListing(result.text);
    case 'search_files':
      return describeSearch(result.text);
    case 'update_plan':
    case 'mask_tool_result':
    case 'carry_over':
      return result.text;
    default:
      return describeText(result);
  }
}

function describeListing(text: string): string {
  const files = toFiles(text);
  const folders = text.split('\n').filter((line) => line.endsWith('/')).length;
  if (files.length === 0 && folders === 0) return text;
  return `${count(files.length, 'file')} and ${count(folders, 'folder')}:\n\n${text
    .split('\n')
    .map((line) => `- ${line}`)
    .join('\n')}`;
}

function describeSearch(text: string): string {
  const matches = text.split('\n').filter((line) => /^.+?:\d+: /.test(line));
  if (matches.length === 0) return text;
  const files = new Set(matches.map((line) => line.slice(0, line.search(/:\d+: /))));
  const first = matches
    .slice(0, 3)
    .map((line) => `- ${line}`)
    .join('\n');
  return `${count(matches.length, 'match', 'matches')} in ${count(files.size, 'file')}:\n\n${first}${matches.length > 3 ? `\n\nand ${matches.length - 3} more.` : ''}`;
}

function describeText(result: FramedResult): string {
  const whole = /^Shown: first \d+ and last \d+ of (\d+) bytes/.exec(result.text)?.[1];
  const lines = result.text.split('\n');
  const bytes = whole === undefined ? Buffer.byteLength(result.text) : Number(whole);
  const heading = lines.find((line) => /^#{1,6} \S/.test(line))?.replace(/^#+ /, '');
  const first =
    lines
      .slice(whole === undefined ? 0 : 1)
      .find((line) => line.trim() !== '')
      ?.trim() ?? '';
  const title =
    heading === undefined
      ? `The first line is: ${first.slice(0, 160)}`
      : `The first heading is: ${heading.slice(0, 160)}`;
  const shown = whole === undefined ? '' : ', of which I was shown a part';
  return `${result.tool} gave ${count(lines.length, 'line')}, ${bytes.toLocaleString('en-US')} bytes${shown}. ${title}`;
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}
