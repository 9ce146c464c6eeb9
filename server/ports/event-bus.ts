import type { StreamEvent } from '@/server/contract/stream';

/** A stream event on its way to whoever watches. Durable ones carry the `seq` a client may resume after. */
export interface Published {
  readonly event: StreamEvent;
  /** Null for what belongs to no session. */
  readonly sessionId: string | null;
  /** `seq` of the durable line it shows; null for ephemeral events. */
  readonly seq: number | null;
  /** More of the same line follows: whoever breaks off here has to be told the whole line again. */
  readonly moreOfLine?: boolean;
}

/** Fan-out inside one installation. Nothing durable is published before it is on disk (perf-F2). */
export interface EventBus {
  publish(published: Published): void;
  /** Returns how to stop listening. A listener that throws harms nobody else. */
  subscribe(listener: (published: Published) => void): () => void;
}
