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
 * found in what was sent, unless it stands in a result that is marked as stale; a summary names those of the notes; an
 * audit passes.
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
  const found = [...CARRIED, STALE_MARKER].filter((mark) => stillHolds(request, mark));
  if (task === 'map') return `## Work\n${found.map((mark) => `- ${mark} (item 1)`).join('\n') || '- read on (item 1)'}`;
  return writeSummary(found);
}

/** A mark is passed on unless it stands in a result that the application marked as stale: it decides, not the script. */
function stillHolds(request: string, mark: string): boolean {
  const at = request.indexOf(mark);
  if (at < 0) return false;
  const frame = request.lastIndexOf('<tool_result tool=', at);
  const before = frame < 0 ? '' : request.slice(frame, at);
  return before.includes('</tool_result>') || !before.includes('state=\\"stale\\"');
}

/** A whole summary under its eight headings, with these marks. */
export function writeSummary(marks: readonly string[]): string {
  const has = (mark: string) => (marks.includes(mark) ? `- ${mark}` : 'none');
  return [
    '## Objective\nFind out why the nightly export is slow.',
    `## Constraints\n${has(MARKERS.constraint)}`,
    `## Decisions and evidence\n${has(MARKERS.decision)}`,
    `## Invalidated\n${marks.includes(STALE_MARKER) ? `none; ${STALE_MARKER} holds` : '- the first reading of part five'}`,
    `## Work\nCompleted: ${has(MARKERS.verified)}\nActive: none\nBlocked: none`,
    `## Next action\n${has(MARKERS.open)}`,
    '## Files\nsrc/export',
    '## Code anchors\nnone',
  ].join('\n');
}
