import { createHash } from 'node:crypto';
import { toJson } from '@/server/core/budget/json-bytes';
import { MOST_LEVELS } from './bounds';
import type { Notes } from './requests';
import type { AcceptedReduction } from './staging';

/** What kind of request could take these notes. Requests are measured by the caller, against the real window (R3). */
export interface ReductionFits {
  readonly final: (notes: readonly Notes[]) => boolean;
  readonly inner: (notes: readonly Notes[]) => boolean;
}

/** A reduction to ask for. `key` finds its accepted text again. */
export interface WantedReduction {
  readonly kind: 'final' | 'inner';
  readonly key: string;
  readonly level: number;
  readonly group: number;
  readonly notes: readonly Notes[];
}

export type NextReduction =
  /** The summary is there. */
  | { readonly kind: 'done'; readonly key: string; readonly text: string }
  | WantedReduction
  /** `notes_too_large`: notes that no reduction could read. `not_converging`: eight levels were not enough (R9). */
  | { readonly kind: 'failed'; readonly reason: 'notes_too_large' | 'not_converging' };

/**
 * The first reduction that is still missing: groups of a level in order, then the next level over all its results, until
 * one request can take everything that is left (R1). Notes keep their order throughout.
 */
export function findReduction(
  maps: readonly Notes[],
  reductions: ReadonlyMap<string, AcceptedReduction>,
  fits: ReductionFits,
): NextReduction {
  let notes = maps;
  for (let level = 1; level <= MOST_LEVELS; level += 1) {
    const key = keyOf('final', notes);
    const made = reductions.get(key);
    if (made !== undefined) return { kind: 'done', key, text: made.text };
    if (fits.final(notes)) return { kind: 'final', key, level, group: 1, notes };
    if (level === MOST_LEVELS) break;
    const groups = groupNotes(notes, fits.inner);
    if (groups === null) return { kind: 'failed', reason: 'notes_too_large' };
    const next = reduceLevel(groups, { level, reductions });
    if (!Array.isArray(next)) return next;
    notes = next;
  }
  return { kind: 'failed', reason: 'not_converging' };
}

/** Results of a level, or the group that is still missing. A group of one stands as it is where others shrink. */
function reduceLevel(
  groups: readonly (readonly Notes[])[],
  { level, reductions }: { readonly level: number; readonly reductions: ReadonlyMap<string, AcceptedReduction> },
): Notes[] | WantedReduction {
  const isStuck = groups.every((group) => group.length === 1);
  const results: Notes[] = [];
  for (const [index, group] of groups.entries()) {
    const [first] = group;
    if (first !== undefined && group.length === 1 && !isStuck) {
      results.push(first);
      continue;
    }
    const key = keyOf(`level ${level}`, group);
    const made = reductions.get(key);
    if (made === undefined) return { kind: 'inner', key, level, group: index + 1, notes: group };
    results.push({ fingerprint: key, text: made.text, from: first?.from ?? 1, through: group.at(-1)?.through ?? 1 });
  }
  return results;
}

/** Neighbours as far as one request takes them; null where notes fit none alone. */
export function groupNotes(
  notes: readonly Notes[],
  fits: (notes: readonly Notes[]) => boolean,
): readonly (readonly Notes[])[] | null {
  const groups: Notes[][] = [];
  for (const note of notes) {
    const newest = groups.at(-1);
    if (newest !== undefined && fits([...newest, note])) newest.push(note);
    else if (fits([note])) groups.push([note]);
    else return null;
  }
  return groups;
}

/** What a reduction was made from, and as what: the same inputs for the last one are another reduction. */
function keyOf(kind: string, notes: readonly Notes[]): string {
  const inputs = notes.map(({ fingerprint }) => fingerprint);
  return createHash('sha256')
    .update(toJson([kind, ...inputs]))
    .digest('hex');
}
