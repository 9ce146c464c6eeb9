import type { EventType, StoredEvent } from '@/server/contract/events/event';
import { baseOf, heldMembers, membersOfType } from './growing-list';
import { isKnown } from './log-state-path';
import type { LogState, SessionState } from './state-shape';

/** A line by its place and its type; its body is read when somebody asks. */
export interface TypedLine<T extends EventType = EventType> {
  readonly seq: number;
  readonly type: T;
}

/** Lines of a branch of some types that count for state, in file order. Of those not held no body is read. */
export function linesOfTypes<T extends EventType>(
  log: LogState,
  branchId: string,
  types: readonly T[],
): readonly TypedLine<T>[] {
  const lines = log.branches.get(branchId)?.lines ?? [];
  const base = baseOf(lines);
  const before = types.flatMap((type) => (base?.ofType?.(type) ?? []).map((seq) => ({ seq, type })));
  // A beginning that cannot tell its types is read, as any array is.
  const rest = base !== null && !base.ofType ? lines : heldMembers(lines).members;
  const held = rest.flatMap((seq) => {
    const event = log.bySeq.get(seq);
    return event && isKnown(event) && isOneOf(event, types) && !log.ignored.has(event.id)
      ? [{ seq, type: event.type }]
      : [];
  });
  return [...before.sort((a, b) => a.seq - b.seq), ...held];
}

/** Lines that are read in one go; who reads many of them may stop there for others. */
const LINES_A_STEP = 64;

/** The lines themselves, in file order, with a stop after every few; no other is read. */
export function* eventSteps<T extends EventType>(
  log: LogState,
  branchId: string,
  types: readonly T[],
): Generator<void, readonly StoredEvent<T>[]> {
  const events: StoredEvent<T>[] = [];
  for (const [place, { seq }] of linesOfTypes(log, branchId, types).entries()) {
    if (place % LINES_A_STEP === LINES_A_STEP - 1) yield;
    const event = log.bySeq.get(seq);
    if (event && isKnown(event) && isOneOf(event, types)) events.push(event);
  }
  return events;
}

/** What steps lead to, with no stop between them. */
export function runSteps<T>(steps: Generator<void, T>): T {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** Lines of some types on the path of a session that count for state, in its order; no other is read. */
export function pathOfTypes<T extends EventType>(
  log: LogState,
  { path }: SessionState,
  types: readonly T[],
): readonly StoredEvent<T>[] {
  const found = membersOfType(path, types).flatMap((event) =>
    isKnown(event) && isOneOf(event, types) && !log.ignored.has(event.id) ? [event] : [],
  );
  return found.sort((a, b) => a.seq - b.seq);
}

function isOneOf<T extends EventType>(
  event: { readonly type: EventType },
  types: readonly T[],
): event is StoredEvent<T> {
  return types.some((type) => type === event.type);
}
