import type { z } from 'zod';
import { classOf, type EVENT_DEFINITIONS, type EventDraft, type EventType } from '@/server/contract/events/event';

type Definitions = typeof EVENT_DEFINITIONS;

/**
 * What a use case or a state machine wants appended: the type and its fields. Branch, time, `prev` and, where
 * none is given, the id are stamped on by the writer.
 */
export type NewEvent<T extends EventType = EventType> = {
  readonly [K in T]: { readonly id?: string; readonly type: K } & Readonly<z.input<Definitions[K]['fields']>>;
}[T];

export interface Stamp {
  readonly branch: string;
  readonly logId: string;
  /** `seq` of the P line the branch's path ends with; null for a branch that opens with this batch. */
  readonly head: number | null;
  readonly at: string;
  readonly nextId: () => string;
}

/**
 * Turns events into drafts: P lines are chained from the head through the batch, a `head.*` line moves the head
 * for what follows it (`contract.md` 2), L lines carry the log's id as their branch. An event that names its own
 * `prev` by id keeps it.
 */
export function stampEvents(events: readonly NewEvent[], stamp: Stamp): readonly EventDraft[] {
  let head: number | null | { readonly id: string } = stamp.head;
  const drafts: EventDraft[] = [];
  for (const event of events) {
    const id = event.id ?? stamp.nextId();
    const eventClass = classOf(event);
    const branch = eventClass === 'L' ? stamp.logId : stamp.branch;
    const envelope = { id, branch, at: stamp.at };
    if (eventClass === 'P') {
      drafts.push({ ...event, ...envelope, prev: head });
      head = { id };
    } else {
      drafts.push({ ...event, ...envelope });
      if (event.type === 'head.reverted' || event.type === 'head.restored') head = event.to;
    }
  }
  return drafts;
}
