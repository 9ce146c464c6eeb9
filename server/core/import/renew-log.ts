import type { EventDraft, LogEvent, StoredEvent } from '@/server/contract/events/event';
import type { ImportWarning } from '@/server/contract/import';

/** A log of this application, read back, that is to become another one. */
export interface RenewInput {
  readonly events: readonly LogEvent[];
  readonly nextId: () => string;
  readonly owner: string;
  /** The agent that answers from here on, where the one it was held with is not here; null: none. */
  readonly agentOf: (agentId: string) => string | null;
}

export type Renewed =
  | {
      readonly ok: true;
      readonly logId: string;
      readonly sessions: readonly string[];
      readonly drafts: readonly EventDraft[];
      readonly warnings: readonly ImportWarning[];
    }
  | { readonly ok: false; readonly why: 'newer_version' | 'no_log' };

/**
 * A copy of a log under new ids, so that an import never touches what is here (reliability, "import writes by id").
 * Every line keeps its order and time; references by id and by `seq` follow, `seq` being the place in the new file.
 * Lines about the old file's own damage are left out, since the new file has none.
 */
export function renewLog({ events, nextId, owner, agentOf }: RenewInput): Renewed {
  const known: StoredEvent[] = [];
  for (const event of events) {
    if ('unknown' in event) return { ok: false, why: 'newer_version' };
    if (event.type !== 'log.sealed' && event.type !== 'log.damage') known.push(event);
  }
  const root = known.find((event) => event.type === 'branch.opened');
  if (known[0]?.type !== 'log.opened' || !root) return { ok: false, why: 'no_log' };
  const ids = new Map<string, string>();
  for (const event of known) if (!ids.has(event.branch)) ids.set(event.branch, nextId());
  for (const event of known) if (!ids.has(event.id)) ids.set(event.id, nextId());
  const seqs = new Map(known.map((event, index) => [event.seq, index + 1]));
  const drafts = known.map((event) => renewEvent(event, { ids, seqs, owner, agentOf }));
  const sessions = known.flatMap((event) =>
    event.type === 'branch.opened' && event.kind !== 'subagent' ? [ids.get(event.branch) ?? event.branch] : [],
  );
  return { ok: true, logId: ids.get(root.branch) ?? root.branch, sessions, drafts, warnings: [] };
}

interface Renewal {
  readonly ids: ReadonlyMap<string, string>;
  readonly seqs: ReadonlyMap<number, number>;
  readonly owner: string;
  readonly agentOf: (agentId: string) => string | null;
}

function renewEvent(event: StoredEvent, renewal: Renewal): EventDraft {
  const { v: _version, seq: _seq, ...fields } = event;
  const renewed = renewIds(fields, renewal.ids);
  const seqOf = (seq: number) => renewal.seqs.get(seq) ?? 1;
  const linked = renewed.prev == null ? renewed : { ...renewed, prev: seqOf(renewed.prev) };
  switch (linked.type) {
    case 'branch.opened': {
      const parent = linked.parent === null ? null : { ...linked.parent, seq: seqOf(linked.parent.seq) };
      const agentId = linked.agentId === null ? null : renewal.agentOf(linked.agentId);
      return { ...linked, parent, agentId, owner: renewal.owner };
    }
    case 'head.reverted':
      return { ...linked, to: seqOf(linked.to), from: seqOf(linked.from) };
    case 'head.restored':
      return { ...linked, to: seqOf(linked.to) };
    case 'checkpoint.committed':
      return { ...linked, undoTo: linked.undoTo === null ? null : seqOf(linked.undoTo) };
    default:
      return linked;
  }
}

/** Every value that is exactly one of the old ids becomes its new one; texts that merely hold an id stay as they are. */
function renewIds<T>(value: T, ids: ReadonlyMap<string, string>): T;
function renewIds(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return ids.get(value) ?? value;
  if (Array.isArray(value)) return value.map((entry) => renewIds(entry, ids));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, renewIds(entry, ids)]));
}
