import type { LogEvent, StoredEvent } from '@/server/contract/events/event';
import type { Model, Usage } from '@/server/contract/shapes';

/** Input and output of replies of one model that reported both, told apart by what a price asks for. */
export interface Spent {
  readonly model: Model;
  readonly plain: number;
  readonly read: number;
  readonly written: number;
  readonly output: number;
}

/**
 * What a branch adds up to over all its lines, whatever its head is. Kept line by line, so that a row of the list, its
 * usage and its cost never ask for the history again (perf-B1).
 */
export interface BranchLedger {
  /** `seq` and time of its newest line that counts; null before one. */
  readonly newest: { readonly seq: number; readonly at: string } | null;
  /** `seq` of its newest `head.*`; 0 where the head never moved. */
  readonly headMovedSeq: number;
  /** Some line of it moved the head back, undone or not. */
  readonly everReverted: boolean;
  /** Reverts that no `head.restored` undid, the oldest first. */
  readonly standingReverts: readonly StoredEvent<'head.reverted'>[];
  readonly lastTurn: Pick<StoredEvent<'turn.ended'>, 'outcome' | 'code' | 'at'> | null;
  readonly deletedAt: string | null;
  readonly usage: Usage;
  readonly spent: readonly Spent[];
  /** What attempts at compaction cost, as booked; null where none has a known cost. */
  readonly booked: number | null;
}

const NO_USAGE: Usage = { input: null, output: null, cachedRead: null, cachedWrite: null, reasoning: null };

/** A branch without a line. */
export const EMPTY_LEDGER: BranchLedger = {
  newest: null,
  headMovedSeq: 0,
  everReverted: false,
  standingReverts: [],
  lastTurn: null,
  deletedAt: null,
  usage: NO_USAGE,
  spent: [],
  booked: null,
};

/** The ledger with one line more of its branch. Lines of a newer version and those that do not count add nothing. */
export function stepLedger(ledger: BranchLedger, event: LogEvent, isIgnored: boolean): BranchLedger {
  if ('unknown' in event) return ledger;
  if (isIgnored) return event.type === 'head.reverted' ? { ...ledger, everReverted: true } : ledger;
  return stepKnown({ ...ledger, newest: { seq: event.seq, at: event.at } }, event);
}

function stepKnown(ledger: BranchLedger, event: StoredEvent): BranchLedger {
  switch (event.type) {
    case 'head.reverted':
      return {
        ...ledger,
        headMovedSeq: event.seq,
        everReverted: true,
        standingReverts: [...ledger.standingReverts, event],
      };
    case 'head.restored': {
      const standingReverts = ledger.standingReverts.filter(({ id }) => id !== event.undoes);
      return { ...ledger, headMovedSeq: event.seq, standingReverts };
    }
    case 'turn.ended':
      return { ...ledger, lastTurn: { outcome: event.outcome, code: event.code, at: event.at } };
    case 'session.deleted':
      return { ...ledger, deletedAt: event.at };
    case 'message.assistant':
      return { ...ledger, usage: addUsage(ledger.usage, event.usage), spent: addSpent(ledger.spent, event) };
    case 'compaction.attempt':
      return {
        ...ledger,
        usage: addUsage(ledger.usage, event.usage),
        booked: event.cost === null ? ledger.booked : (ledger.booked ?? 0) + event.cost,
      };
    default:
      return ledger;
  }
}

/** A number that nobody reported stays null and is not guessed. */
function addUsage(sum: Usage, usage: Usage | null): Usage {
  if (usage === null) return sum;
  const add = (one: number | null, other: number | null) => (other === null ? one : (one ?? 0) + other);
  return {
    input: add(sum.input, usage.input),
    output: add(sum.output, usage.output),
    cachedRead: add(sum.cachedRead, usage.cachedRead),
    cachedWrite: add(sum.cachedWrite, usage.cachedWrite),
    reasoning: add(sum.reasoning, usage.reasoning),
  };
}

function addSpent(spent: readonly Spent[], { usage, model }: StoredEvent<'message.assistant'>): readonly Spent[] {
  if (usage === null || usage.input === null || usage.output === null) return spent;
  const read = Math.min(usage.input, usage.cachedRead ?? 0);
  const written = Math.min(usage.input - read, usage.cachedWrite ?? 0);
  const place = spent.findIndex((one) => one.model.provider === model.provider && one.model.model === model.model);
  const known = spent[place] ?? { model, plain: 0, read: 0, written: 0, output: 0 };
  const sum: Spent = {
    model,
    plain: known.plain + usage.input - read - written,
    read: known.read + read,
    written: known.written + written,
    output: known.output + usage.output,
  };
  return place < 0 ? [...spent, sum] : spent.with(place, sum);
}
