import type { z } from 'zod';
import * as compaction from './compaction-events';
import type { Envelope, EventClass } from './define';
import * as log from './log-events';
import * as session from './session-events';
import * as turn from './turn-events';
import * as view from './view-events';

/**
 * Every event this release can read or write, by its type. An unknown type is kept, never dropped,
 * and drawn as "made by a newer version" (`contract.md` 1).
 */
export const EVENT_DEFINITIONS = {
  'log.opened': log.logOpened,
  'log.sealed': log.logSealed,
  'log.damage': log.logDamage,
  'blob.added': log.blobAdded,
  'branch.opened': session.branchOpened,
  'session.changed': session.sessionChanged,
  'session.deleted': session.sessionDeleted,
  'session.restored': session.sessionRestored,
  'message.user': session.messageUser,
  'message.withdrawn': session.messageWithdrawn,
  'queue.ordered': session.queueOrdered,
  'turn.started': turn.turnStarted,
  'message.assistant': turn.messageAssistant,
  'tool.started': turn.toolStarted,
  'tool.result': turn.toolResult,
  'turn.parked': turn.turnParked,
  'turn.ended': turn.turnEnded,
  'approval.asked': turn.approvalAsked,
  'approval.decided': turn.approvalDecided,
  note: turn.note,
  'plan.set': view.planSet,
  'view.masked': view.viewMasked,
  'carry.marked': view.carryMarked,
  'carry.edited': view.carryEdited,
  'carry.removed': view.carryRemoved,
  'carry.ordered': view.carryOrdered,
  'prompt.kept': view.promptKept,
  'view.trimmed': view.viewTrimmed,
  'view.untrimmed': view.viewUntrimmed,
  'compaction.started': compaction.compactionStarted,
  'compaction.attempt': compaction.compactionAttempt,
  'compaction.previewed': compaction.compactionPreviewed,
  'compaction.ended': compaction.compactionEnded,
  'staging.planned': compaction.stagingPlanned,
  'staging.mode': compaction.stagingMode,
  'staging.map': compaction.stagingMap,
  'staging.buffer': compaction.stagingBuffer,
  'staging.reduce': compaction.stagingReduce,
  'staging.audit': compaction.stagingAudit,
  'staging.invalidated': compaction.stagingInvalidated,
  'checkpoint.committed': compaction.checkpointCommitted,
  'checkpoint.reverted': compaction.checkpointReverted,
  'checkpoint.expanded': compaction.checkpointExpanded,
  'checkpoint.folded': compaction.checkpointFolded,
  'head.reverted': compaction.headReverted,
  'head.restored': compaction.headRestored,
} as const;

type Definitions = typeof EVENT_DEFINITIONS;
export type EventType = keyof Definitions;

/** The fields of one event type, defaults filled in. */
export type FieldsOf<T extends EventType> = Readonly<z.output<Definitions[T]['fields']>>;

/**
 * A line as it stands in the log, parsed once at the shore. P lines carry `prev`, the `seq` of the P line
 * they follow (null for a root); lines of the other classes have `prev` undefined.
 */
export type StoredEvent<T extends EventType = EventType> = {
  readonly [K in T]: Readonly<Envelope> & { readonly type: K; readonly prev?: number | null } & FieldsOf<K>;
}[T];

/** A line of a type or shape this release does not know: kept whole, links the path, takes no appends. */
export interface UnknownEvent extends Readonly<Envelope> {
  readonly type: string;
  readonly prev?: number | null;
  readonly unknown: true;
  readonly raw: Readonly<Record<string, unknown>>;
}

export type LogEvent = StoredEvent | UnknownEvent;

/**
 * An event about to be appended: the driver gives it its `seq`. `prev` is named by `seq`, or by the id of
 * an event appended together with it or still on its way to the disk.
 */
export type EventDraft<T extends EventType = EventType> = {
  readonly [K in T]: {
    readonly id: string;
    readonly branch: string;
    readonly at: string;
    readonly type: K;
    readonly prev?: number | null | { readonly id: string };
  } & Readonly<z.input<Definitions[K]['fields']>>;
}[T];

export type ItemEvent = StoredEvent<'message.user' | 'message.assistant' | 'tool.result'>;

/** The class of a line; `message.user` with `place: "here"` is on the path (`contract.md` 3). */
export function classOf(event: { readonly type: EventType; readonly place?: unknown }): EventClass {
  if (event.type === 'message.user' && event.place === 'here') return 'P';
  return EVENT_DEFINITIONS[event.type].eventClass;
}

/** A type this release knows; any other line is kept, not understood (L5). */
export function isEventType(type: string): type is EventType {
  return Object.hasOwn(EVENT_DEFINITIONS, type);
}

/** An event that stands in the conversation: a message or a result. */
export function isItem(event: LogEvent): event is ItemEvent {
  return (
    !('unknown' in event) &&
    (event.type === 'message.user' || event.type === 'message.assistant' || event.type === 'tool.result')
  );
}
