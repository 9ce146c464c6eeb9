import { MOST_REREAD_RANGES } from './bounds';

/** Item numbers, both ends included. */
export interface RereadRange {
  readonly from: number;
  readonly through: number;
}

export type Reread =
  | { readonly kind: 'none' }
  | { readonly kind: 'ranges'; readonly ranges: readonly RereadRange[] }
  | { readonly kind: 'reread_malformed' }
  | { readonly kind: 'reread_unavailable' };

const WHOLE = new RegExp(`^REREAD:\\s*\\d+-\\d+(\\s*,\\s*\\d+-\\d+){0,${MOST_REREAD_RANGES - 1}}$`);

/**
 * Reads a reducer's wish for raw items (R8, `contract.md` 13): the whole reply, or it is none. A first line that begins with
 * `REREAD:` in any other reply is malformed; a range outside the covered items, or reversed, is unavailable.
 * `coveredThrough` is the number of the last covered item: what an older checkpoint covers can be asked for too.
 */
export function parseReread(reply: string, coveredThrough: number): Reread {
  const text = reply.trim();
  if (!text.startsWith('REREAD:')) return { kind: 'none' };
  if (!WHOLE.test(text)) return { kind: 'reread_malformed' };
  const ranges = [...text.matchAll(/(\d+)-(\d+)/g)].map(([, from, through]) => ({
    from: Number(from),
    through: Number(through),
  }));
  const isThere = ({ from, through }: RereadRange) => from >= 1 && from <= through && through <= coveredThrough;
  return ranges.every(isThere) ? { kind: 'ranges', ranges } : { kind: 'reread_unavailable' };
}
