import type { StartTimer } from '@/server/model/stall-guard';
import { createSignal } from '@/server/model/testing/script';

/** Waits of a chain are over at once; guards against a silent provider fire when the test says so. */
export interface GuardClock {
  readonly startTimer: StartTimer;
  /** Fires every guard that runs and is at least this long, in ms. */
  readonly fireGuards: (atLeastMs?: number) => void;
  /** The next wait of a chain is held for ever; settles when it has begun. */
  readonly holdNextWait: () => Promise<void>;
}

/** `turns.stall_seconds` by default, and five times it (`stall-guard`). */
export const GUARD_MS = { silence: 120_000, content: 600_000 } as const;

export function createGuardClock(): GuardClock {
  const guards = new Map<symbol, { readonly ms: number; readonly fire: () => void }>();
  let holding: (() => void) | null = null;
  return {
    startTimer: (ms, fire) => {
      if (ms === GUARD_MS.silence || ms === GUARD_MS.content) {
        const id = Symbol(ms);
        guards.set(id, { ms, fire });
        return () => guards.delete(id);
      }
      if (ms > GUARD_MS.silence) return () => undefined;
      if (holding !== null) {
        holding();
        holding = null;
        return () => undefined;
      }
      const soon = setImmediate(fire);
      return () => clearImmediate(soon);
    },
    fireGuards: (atLeastMs = 0) => {
      for (const [id, { ms, fire }] of [...guards]) {
        if (ms >= atLeastMs && guards.delete(id)) fire();
      }
    },
    holdNextWait: () => {
      const begun = createSignal();
      holding = begun.resolve;
      return begun.promise;
    },
  };
}
