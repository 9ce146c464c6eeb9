import type { CompactionAttempt } from '@/server/contract/compactions';
import { sayCount, wordAttempt } from './compaction-words';

const stages: Readonly<Record<CompactionAttempt['stage'], string>> = {
  one_shot: 'In one request',
  map: 'Segment',
  reduce: 'Joining',
  audit: 'Check',
  correct: 'Correction',
};

/** What one request was for: `Segment 3`, `Joining`. */
export function wordStage({ stage, segment }: Pick<CompactionAttempt, 'stage' | 'segment'>): string {
  return stage === 'map' && segment !== null ? `Segment ${segment}` : stages[stage];
}

/** Requests drawn as one line. */
export interface AttemptGroup {
  /** Of its first. */
  readonly n: number;
  readonly model: CompactionAttempt['model'];
  readonly outcome: CompactionAttempt['outcome'];
  readonly words: string;
  /** From the first one's start to the last one's end; several may have run at once. */
  readonly ms: number;
}

type Kind = Pick<CompactionAttempt, 'stage' | 'model' | 'outcome'>;

function isAlike(a: Kind, b: Kind): boolean {
  return a.stage === b.stage && a.model.provider === b.model.provider && a.model.model === b.model.model;
}

function sayGroup(group: readonly CompactionAttempt[]): string {
  const [first] = group;
  if (first === undefined) return '';
  if (first.stage === 'one_shot') return wordAttempt(first);
  if (first.outcome !== 'accepted') return `${wordStage(first)}: ${wordAttempt(first)}`;
  if (first.stage === 'map') return `${sayCount(group.length, 'segment', 'segments')} written`;
  if (group.length === 1) return `${wordStage(first)}: done`;
  return `${wordStage(first)}: ${group.length} requests, done`;
}

function toSpanMs(group: readonly CompactionAttempt[]): number {
  const ends = group.map(({ at }) => Date.parse(at));
  const starts = group.map(({ at, ms }) => Date.parse(at) - ms);
  return Math.max(0, Math.max(...ends) - Math.min(...starts));
}

/**
 * The requests of a compaction as few lines as tell it: accepted ones of one stage and one model that follow each other
 * are one; each that was refused stands for itself, with its reason.
 */
export function groupAttempts(attempts: readonly CompactionAttempt[]): readonly AttemptGroup[] {
  const groups: CompactionAttempt[][] = [];
  for (const attempt of attempts) {
    const open = groups.at(-1);
    const head = open?.[0];
    const joins = head?.outcome === 'accepted' && attempt.outcome === 'accepted' && isAlike(head, attempt);
    if (open && joins && attempt.stage !== 'one_shot') open.push(attempt);
    else groups.push([attempt]);
  }
  return groups.flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    return [{ n: first.n, model: first.model, outcome: first.outcome, words: sayGroup(group), ms: toSpanMs(group) }];
  });
}
