import { vi } from 'vitest';
import { idOf } from '../../sync/fold-stream-arbitraries';
import { aSession } from '../../sync/testing/a-session';
import type { TravelActions } from '../../sync/travel-actions';
import type { TravelScope } from '../travel-context';

const yes = { ok: true, value: aSession() } as const;
const changed = {
  ok: true,
  value: { ...aSession(), change: { beforeBytes: 62_000, afterBytes: 65_000, from: idOf(44) } },
} as const;

/** What the server says while a reply runs. */
export const refusal = { ok: false, message: 'A reply runs. Stop it, or wait for its end.' } as const;

/** A server that agrees to whatever it is asked, unless told otherwise. */
export function aTravel(changes: Partial<TravelActions> = {}): TravelActions {
  return {
    revert: vi.fn(async () => yes),
    rollback: vi.fn(async () => yes),
    tryAgain: vi.fn(async () => ({ ...yes, moved: true })),
    edit: vi.fn(async () => ({ ok: true, value: idOf(9) }) as const),
    fork: vi.fn(async () => yes),
    previewUndo: vi.fn(async () => changed),
    undoSummary: vi.fn(async () => changed),
    expand: vi.fn(async () => changed),
    fold: vi.fn(async () => changed),
    undoTrim: vi.fn(async () => changed),
    ...changes,
  };
}

/** The travel of a page on which nothing runs; null: one on which nothing can be changed. */
export function aTravelScope(travel: TravelActions | null, changes: Partial<TravelScope> = {}): TravelScope {
  return {
    travel,
    blocked: null,
    context: aSession().context,
    parent: null,
    inForce: idOf(50),
    countNewer: () => 0,
    tips: new Set(),
    shownAgain: { ids: new Set(), parts: 0 },
    pointBefore: async () => idOf(1),
    newestPoint: () => idOf(4),
    lastItemOf: (id) => id,
    branchFrom: vi.fn(async () => null),
    land: vi.fn(),
    endAt: vi.fn(),
    tell: vi.fn(),
    report: vi.fn(),
    ...changes,
  };
}
