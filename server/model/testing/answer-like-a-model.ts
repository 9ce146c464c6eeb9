import { parsePracticeRequest } from '../practice/practice-request';
import type { Respond } from './fake-server';
import { type FakeReply, inChunks } from './script';

/** A short summary that passes every check of contract 11; `note` stands under *Objective* to tell one from another. */
export function toFakeSummary(note = 'The person works on the sample.'): string {
  const lines: readonly (readonly [string, string])[] = [
    ['Objective', note],
    ['Constraints', 'none'],
    ['Decisions and evidence', 'none'],
    ['Invalidated', 'none'],
    ['Work', 'Completed: the reading so far. Active: none. Blocked: none.'],
    ['Next action', 'Answer the newest message.'],
    ['Files', 'none'],
    ['Code anchors', 'none'],
  ];
  return lines.map(([heading, text]) => `## ${heading}\n${text}`).join('\n');
}

/**
 * Answers a chat completions request as an obliging model with a large window would: a TASK summary with the eight
 * headings, anything else with a line that repeats the start of the newest message. Always natural, always with usage.
 */
export function createAnswerLikeAModel(options: { readonly summary?: (instruction: string) => string } = {}): Respond {
  return (request): FakeReply => {
    const parsed = parsePracticeRequest(request.text);
    if (!parsed.ok) return { status: 400, body: { error: { message: parsed.why, type: 'invalid_request_error' } } };
    const newest = parsed.request.messages.at(-1)?.text ?? '';
    const task = newest.search(/(?:^|\n\n)TASK (?:summary|map|reduce|correction) \d/);
    const isAudit = /(?:^|\n\n)TASK audit \d/.test(newest);
    const text = isAudit
      ? 'PASS'
      : task >= 0
        ? (options.summary ?? (() => toFakeSummary()))(newest.slice(task))
        : `You said: ${newest.slice(-80).trim()}`;
    const usage = { input: Math.ceil(parsed.request.measureBytes / 3), output: Math.ceil(Buffer.byteLength(text) / 3) };
    return { parts: inChunks(text, 40), end: { reason: 'stop', usage } };
  };
}
