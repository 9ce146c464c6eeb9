import type { RecordedRequest } from '@/server/model/testing/fake-server';
import type { FakeReply } from '@/server/model/testing/script';
import { estimateTokens, MARKERS, STALE_MARKER } from './trace';

/** What the scripted summariser was asked. */
export interface Asked {
  readonly task: string;
  readonly bytes: number;
}

export interface ScriptedSummariser {
  readonly respond: (request: RecordedRequest) => FakeReply;
  readonly asked: readonly Asked[];
}

const CARRIED = [MARKERS.constraint, MARKERS.decision, MARKERS.verified, MARKERS.open];

/**
 * Answers by a script, so that what is measured is the way of the texts and not a model's memory: notes name the marks
 * found in what was sent, the stale one too, as what a file said; a summary names those that hold and leaves the stale
 * one out; an audit passes.
 */
export function createScriptedSummariser(): ScriptedSummariser {
  const asked: Asked[] = [];
  return {
    asked,
    respond: (request) => {
      const task = /TASK (\w+) 1/.exec(request.text)?.[1] ?? 'none';
      asked.push({ task, bytes: request.bytes });
      const text = answer(task, request.text);
      const usage = { input: estimateTokens(request.bytes), output: estimateTokens(text.length) };
      return { parts: [{ text }], end: { reason: 'stop', usage } };
    },
  };
}

function answer(task: string, request: string): string {
  if (task === 'audit') return 'PASS';
  const found = [...CARRIED, STALE_MARKER].filter((mark) => request.includes(mark));
  if (task === 'map') return `## Work\n${found.map((mark) => `- ${mark} (item 1)`).join('\n') || '- read on (item 1)'}`;
  return writeSummary(found.filter((mark) => mark !== STALE_MARKER));
}

/** A whole summary under its eight headings, with these marks. */
export function writeSummary(marks: readonly string[]): string {
  const has = (mark: string) => (marks.includes(mark) ? `- ${mark}` : 'none');
  return [
    '## Objective\nFind out why the nightly export is slow.',
    `## Constraints\n${has(MARKERS.constraint)}`,
    `## Decisions and evidence\n${has(MARKERS.decision)}`,
    '## Invalidated\n- the first reading of part five',
    `## Work\nCompleted: ${has(MARKERS.verified)}\nActive: none\nBlocked: none`,
    `## Next action\n${has(MARKERS.open)}`,
    '## Files\nsrc/export',
    '## Code anchors\nnone',
  ].join('\n');
}
