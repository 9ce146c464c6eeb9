import type { StartTimer } from '@/server/model/stall-guard';
import { createSignal } from '@/server/model/testing/script';

/** The waits of a chain, in a test's hand. Guards against silence (two minutes and more) never fire. */
export interface HandClock {
  readonly startTimer: StartTimer;
  /** Milliseconds of every wait that began, in order. */
  readonly waits: readonly number[];
  /** Settles when a wait has begun that is held. */
  readonly held: Promise<void>;
}

const SHORTEST_GUARD_MS = 100_000;

/** Every wait is over at once, or, with `holds`, the first that is this long never is. */
export function createHandClock({ holds = null }: { readonly holds?: number | null } = {}): HandClock {
  const waits: number[] = [];
  const held = createSignal();
  return {
    waits,
    held: held.promise,
    startTimer: (ms, fire) => {
      if (ms >= SHORTEST_GUARD_MS) return () => undefined;
      waits.push(ms);
      if (ms === holds) {
        held.resolve();
        return () => undefined;
      }
      const soon = setImmediate(fire);
      return () => clearImmediate(soon);
    },
  };
}
