import type { PlacedEvent, PreparedDraft } from './encode-line-draft';

export interface BatchPlace {
  readonly nextSeq: number;
  /** `seq` of an event that is durable already, for a `prev` that names it by id. */
  readonly seqOf: (id: string) => number | undefined;
}

export type PlacedBatch =
  | { readonly kind: 'placed'; readonly events: readonly PlacedEvent[] }
  | { readonly kind: 'missing'; readonly id: string };

/**
 * Gives drafts their `seq`, one after the other, and turns each `prev` into a number. A `prev` may name an
 * event before it in the same call or one that `seqOf` knows; any other is `missing` and nothing is placed.
 */
export function placeDrafts(drafts: readonly PreparedDraft[], { nextSeq, seqOf }: BatchPlace): PlacedBatch {
  const own = new Map<string, number>();
  const events: PlacedEvent[] = [];
  for (const draft of drafts) {
    const { prev } = draft;
    const named = typeof prev === 'object' && prev !== null ? prev.id : null;
    const link = named === null ? null : (own.get(named) ?? seqOf(named));
    if (link === undefined) return { kind: 'missing', id: named ?? '' };
    const seq = nextSeq + events.length;
    events.push(draft.place({ seq, prev: typeof prev === 'number' ? prev : link }));
    own.set(draft.id, seq);
  }
  return { kind: 'placed', events };
}
