'use client';

import { useEffect, useRef } from 'react';
import type { ChatState } from '../sync/fold-stream';
import { type CompactionRow, isLive } from '../sync/fold-stream-compaction';
import { type Speak, useSpeak } from '../ui/live-region';
import { sayCount, speakLanded, wordReason } from './compaction-words';
import { sourceOf } from './reply-block';

const slowMs = 30_000;
/** More of a reply than this is not read out by itself. UTF-16 units. */
const spokenReply = 2_000;

function countWords(text: string): number {
  return text.split(/\s+/).filter(Boolean).length;
}

/** The newest finished reply in plain words, for the log region. */
function newestReply(state: ChatState): string {
  const last = state.messages.findLast((message) => message.role === 'assistant');
  return last?.role === 'assistant' ? sourceOf([last]) : '';
}

function speakReply(state: ChatState, speak: Speak): void {
  const text = newestReply(state);
  if (text !== '') speak(text.slice(0, spokenReply), 'log');
}

/** What a turn that moved on is said as; null for nothing new. */
function sayTurn(before: ChatState, state: ChatState): string | null {
  const { turn } = state;
  if (!turn || (turn.state === before.turn?.state && turn.turnId === before.turn.turnId)) return null;
  if (turn.state === 'started') return 'Replying';
  if (turn.state === 'cancelled') return 'Reply stopped';
  if (turn.state === 'interrupted') return 'Reply interrupted';
  if (turn.state === 'failed') return turn.error ? `Reply failed: ${turn.error.message}` : 'Reply failed';
  return `Reply finished, ${countWords(newestReply(state))} words`;
}

/** Its card came in the same frame as its end, so that the row was never seen to land. */
function sayCard(before: CompactionRow | null, { messages, compaction }: ChatState): string | null {
  if (before === null || before.state === 'landed' || compaction !== null) return null;
  const card = messages.find((one) => one.role === 'summary' && one.metadata.compactionId === before.compactionId);
  if (card?.role !== 'summary') return null;
  const { sourceBytes, bytes, carryOver } = card.metadata;
  return speakLanded({ before: sourceBytes, after: bytes, dropped: carryOver.dropped.length });
}

const stageWords = {
  one_shot: null,
  map: null,
  reduce: 'All segments are written. Joining them',
  audit: 'Checking the summary',
  correct: 'Correcting the summary',
} as const;

/** What a step within a running row is said as: a change of model, the segments once, each later stage; never a count that moves. */
function sayStep(before: CompactionRow, { attempt, model, segments, stage }: CompactionRow): string | null {
  const moved = attempt && attempt.n > 1 && attempt.n !== before.attempt?.n;
  if (moved && model) return `Trying ${model.model}, ${attempt.n} of ${attempt.of}`;
  if (segments !== null && before.segments === null) {
    const went = segments.done > 0 ? `Going on from ${segments.done} of` : 'Writing';
    return `${went} ${sayCount(segments.total, 'segment', 'segments')}`;
  }
  if (segments !== null && before.segments !== null && segments.failed > before.segments.failed) {
    return segments.failed === 1 ? 'One segment failed' : `${segments.failed} segments failed`;
  }
  return stage === before.stage || stage === null ? null : stageWords[stage];
}

/** What a row that moved on is said as. */
export function sayCompaction(before: CompactionRow | null, row: CompactionRow | null): string | null {
  if (row === null) return null;
  if (isLive(row) && !isLive(before)) return 'Compacting started';
  if (row.state === before?.state) return sayStep(before, row);
  if (row.state === 'landed') {
    return speakLanded({ before: row.bytesBefore, after: row.bytesAfter, dropped: row.dropped });
  }
  if (row.state === 'cancelling') return 'Stopping';
  if (row.state === 'cancelled') return 'Compaction stopped. Nothing changed.';
  if (row.state === 'skipped') return `Nothing was compacted: ${wordReason(row.reason)}`;
  // One that began by itself may be followed by a trim, so that something did change.
  const kept = row.trigger === 'manual' ? ' Nothing changed.' : '';
  return row.state === 'failed' ? `Compaction failed: ${wordReason(row.reason)}.${kept}` : null;
}

/** One spoken line a stage: never one a second, never one a token (ux 7.8, ux 17 check 14). */
export function useSpokenLines(state: ChatState): void {
  const speak = useSpeak();
  const before = useRef<ChatState | null>(null);
  useEffect(() => {
    const last = before.current;
    before.current = state;
    // What already ran when the page was opened is on the page; nothing just happened.
    if (last === null || !last.loaded) return;
    const turn = last.turn === state.turn ? null : sayTurn(last, state);
    const row = last.compaction === state.compaction ? null : sayCompaction(last.compaction, state.compaction);
    if (turn !== null) speak(turn);
    if (turn !== null && state.turn?.state === 'finished') speakReply(state, speak);
    const card = last.compaction === state.compaction ? null : sayCard(last.compaction, state);
    if (row !== null) speak(row);
    if (card !== null) speak(card);
  }, [state, speak]);
  // What was said of one conversation is not to be found in another.
  useEffect(() => () => speak('', 'log'), [speak]);
  const running = state.compaction?.state === 'running';
  useEffect(() => {
    if (!running) return;
    const timer = setTimeout(() => speak('Still compacting'), slowMs);
    return () => clearTimeout(timer);
  }, [running, speak]);
}
