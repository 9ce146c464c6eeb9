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

/** Tries of one model that came to the same, as one line. */
export interface Tries {
  readonly attempt: CompactionAttempt;
  /** Why, and how often where more than once. */
  readonly words: string;
  readonly ms: number;
}

/** What each model of a chain came to: a second try with the same end only counts. */
export function groupTries(attempts: readonly CompactionAttempt[]): readonly Tries[] {
  const tries: { attempt: CompactionAttempt; count: number; ms: number }[] = [];
  for (const attempt of attempts) {
    const last = tries.at(-1);
    const same = last && isAlike(last.attempt, attempt) && last.attempt.reason === attempt.reason;
    if (last && same && last.attempt.outcome === attempt.outcome) {
      last.count += 1;
      last.ms += attempt.ms;
    } else tries.push({ attempt, count: 1, ms: attempt.ms });
  }
  return tries.map(({ attempt, count, ms }) => {
    const words = wordAttempt(attempt);
    return { attempt, words: count === 1 ? words : `${words}, ${count} times`, ms };
  });
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
