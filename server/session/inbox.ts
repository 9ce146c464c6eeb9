/** Outcomes of effects that run side by side, taken one at a time by the loop that stepped them off. */
export interface Inbox<T> {
  put(outcome: T): void;
  take(): Promise<T>;
  /** Work whose outcome comes by `put`; if it throws, `take` throws that. */
  follow(work: Promise<unknown>): void;
}

/** An empty inbox, for one loop to take from. */
export function createInbox<T>(): Inbox<T> {
  const held: T[] = [];
  let broken: { readonly error: unknown } | null = null;
  let wake: (() => void) | null = null;
  const stir = () => {
    wake?.();
    wake = null;
  };
  return {
    put: (outcome) => {
      held.push(outcome);
      stir();
    },
    take: async () => {
      for (;;) {
        if (broken) throw broken.error;
        const next = held.shift();
        if (next !== undefined) return next;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    follow: (work) => {
      work.catch((error: unknown) => {
        broken ??= { error };
        stir();
      });
    },
  };
}
