import type { EventBus, Published } from '@/server/ports/event-bus';

/** Fan-out within one process. A listener that throws is left to itself; the others still hear. */
export function createEventBus(onError: (error: unknown) => void): EventBus {
  const listeners = new Set<(published: Published) => void>();
  return {
    publish: (published) => {
      for (const listener of [...listeners]) {
        try {
          listener(published);
        } catch (error) {
          onError(error);
        }
      }
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}
