import type { LogEvent, StoredEvent } from '@/server/contract/events/event';
import type { AssistantMessage, Message, ToolMessage, UserMessage } from '@/server/contract/message';
import { membersOfType } from './growing-list';
import { isKnown, linkOf, stateLinesBack } from './log-state-path';
import type { Item, LogState, SessionState } from './state-shape';
import { type BoundaryInput, toSummaryMessage, toTrimMessage } from './transcript-boundary';
import { type CallIndex, indexCalls } from './transcript-calls';
import { BEFORE_FIRST, type Crossroads, findCrossroads } from './transcript-crossroads';
import { toLost, toNote, toTurnEnd, toUnreadable } from './transcript-note';
import { toAssistantParts, toToolParts, toUserParts } from './transcript-parts';
import { type Alternatives, findAlternatives } from './transcript-siblings';

interface Stage extends BoundaryInput {
  readonly calls: CallIndex;
  readonly alternatives: ReadonlyMap<string, Alternatives>;
  /** Where forks begin and reverts went, by the item they stand after. */
  readonly crossroads: ReadonlyMap<string, Crossroads>;
  /** Items by the `seq` of their point. */
  readonly itemsAt: ReadonlyMap<number, Item>;
  /** Boundaries by the item they stand after. */
  readonly boundaries: ReadonlyMap<string, readonly Message[]>;
}

/**
 * The whole transcript of a state, in transcript order: items at their points, a summary right after the item its
 * `summary_through` names, a trim and a note where their lines stand, ends of turns that did not simply finish, lines
 * that cannot be read, and last the messages that wait. Undone summaries stay, marked. Same log, same answer.
 */
export function projectTranscript(state: SessionState, log: LogState): readonly Message[] {
  return projectTranscriptPart(state, log, { from: 0, to: state.items.length });
}

/** Items of a path by their places in it, half-open. */
export interface TranscriptPart {
  readonly from: number;
  readonly to: number;
}

/**
 * As `projectTranscript`, only what stands from one item up to the next one behind the part: all messages of a page
 * without the history around it being looked at (rel-S21). The part that ends with the path has the messages that wait.
 */
export function projectTranscriptPart(state: SessionState, log: LogState, part: TranscriptPart): readonly Message[] {
  const { items, path } = state;
  const isFirst = part.from <= 0;
  const isLast = part.to >= items.length;
  const first = isFirst ? 0 : placeOfLine(path, items.at(part.from)?.point ?? Number.POSITIVE_INFINITY);
  const end = isLast ? path.length : placeOfLine(path, items.at(part.to)?.point ?? 0);
  const shown = path.slice(first, end);
  const known = countedOf([...shown, ...untilNextReply(path, end)], log);
  const lines = countedOf(membersOfType(path, TOLD_ELSEWHERE), log);
  const input = { log, state, lines: [...lines].sort((one, other) => one.seq - other.seq) };
  const members = items.slice(isFirst ? 0 : part.from, isLast ? items.length : part.to);
  const stage: Stage = {
    ...input,
    calls: indexCalls(log, state, known),
    alternatives: findAlternatives(log, state),
    crossroads: findCrossroads(log, state),
    itemsAt: new Map(members.map((item) => [item.point, item])),
    boundaries: placeSummaries(input, new Set(members.map(({ id }) => id))),
  };
  const walked = walkLines(stage, shown, isFirst ? null : (members[0]?.turnId ?? null));
  if (!isLast) return walked;
  const queued = state.queue.map((event) =>
    toUser(stage, { event, number: null, turnId: event.turnId, point: event.seq }),
  );
  return [...walked, ...queued];
}

/** Lines that decide how a boundary looks wherever they stand. */
const TOLD_ELSEWHERE = ['checkpoint.committed', 'checkpoint.reverted', 'prompt.kept', 'view.untrimmed'];

const countedOf = (lines: readonly LogEvent[], log: LogState): readonly StoredEvent[] =>
  lines.filter(isKnown).filter((event) => !log.ignored.has(event.id));

/** The place of a line in a path, or of the first one behind it: `seq` only grows. */
function placeOfLine(path: SessionState['path'], seq: number): number {
  let low = 0;
  let high = path.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((path.at(middle)?.seq ?? 0) < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** What became of a batch is told up to the reply after it. */
function untilNextReply(path: SessionState['path'], from: number): readonly LogEvent[] {
  const lines: LogEvent[] = [];
  for (let place = from; place < path.length; place += 1) {
    const line = path.at(place);
    if (line === undefined) break;
    lines.push(line);
    if (line.type === 'message.assistant') break;
  }
  return lines;
}

/** `turnId`: the turn that the first line stands in, where it does not begin one. */
function walkLines(stage: Stage, lines: readonly LogEvent[], before: string | null): readonly Message[] {
  const { log } = stage;
  const messages: Message[] = [];
  let turnId = before;
  for (const event of lines) {
    messages.push(...lostBefore(log, event));
    if (!isKnown(event) || log.ignored.has(event.id)) {
      messages.push(toUnreadable(event, log.ignored.get(event.id) ?? null));
      continue;
    }
    if (event.type === 'turn.started') turnId = event.turnId;
    messages.push(...showLine(stage, event, turnId));
    if (event.type === 'turn.ended') turnId = null;
  }
  return messages;
}

function showLine(stage: Stage, event: StoredEvent, turnId: string | null): readonly Message[] {
  const item = stage.itemsAt.get(event.seq);
  if (item) return [toItem(stage, item), ...(stage.boundaries.get(item.id) ?? [])];
  if (event.type === 'note') return [toNote(event, turnId)];
  if (event.type === 'view.trimmed') return [toTrimMessage(stage, event)];
  const end = event.type === 'turn.ended' ? toTurnEnd(event) : null;
  return end ? [end] : [];
}

/** A place where the path goes on from a stand-in, because the line it names is lost. */
function lostBefore(log: LogState, event: SessionState['path'][number]): readonly Message[] {
  const named = event.prev;
  const isLost = typeof named === 'number' && !log.bySeq.has(named) && !log.repeats.has(named);
  return isLost && linkOf(log, event) !== named ? [toLost(event, named)] : [];
}

function placeSummaries(input: BoundaryInput, shown: ReadonlySet<string>): ReadonlyMap<string, readonly Message[]> {
  const placed = new Map<string, Message[]>();
  for (const event of input.lines) {
    if (event.type !== 'checkpoint.committed' || !shown.has(event.covers.through)) continue;
    const { through } = event.covers;
    placed.set(through, [...(placed.get(through) ?? []), toSummaryMessage(input, event)]);
  }
  return placed;
}

function toItem(stage: Stage, item: Item): Message {
  const { event } = item;
  if (event.type === 'message.user') return toUser(stage, { ...item, event });
  return event.type === 'message.assistant' ? toAssistant(stage, item, event) : toTool(stage, item, event);
}

function commonOf(stage: Stage, item: Item) {
  const { number, turnId, event } = item;
  const alternatives = stage.alternatives.get(item.id);
  const before = number === 1 ? stage.crossroads.get(BEFORE_FIRST)?.left : undefined;
  const place = {
    ...{ number, turnId, bytes: event.bytes, ...stage.crossroads.get(item.id) },
    ...(before ? { leftBefore: before } : {}),
  };
  return alternatives ? { ...place, alternatives } : place;
}

interface Said {
  readonly event: StoredEvent<'message.user'>;
  readonly number: number | null;
  readonly turnId: string | null;
  readonly point: number;
}

function toUser(stage: Stage, { event, number, turnId, point }: Said): UserMessage {
  const { id, at, clientMessageId, kind, by } = event;
  const item = { id, number: number ?? 0, turnId, point, event };
  return {
    id,
    seq: point,
    at,
    role: 'user',
    parts: toUserParts(stage.state, event.parts),
    metadata: {
      ...commonOf(stage, item),
      number,
      clientMessageId,
      kind,
      by,
      ...follows(stage, point, number),
      queued: number === null,
    },
  };
}

/**
 * What another message in the place of this one comes after: all that stood when its turn began, a plan by hand too; but not
 * the prompt that was composed for that turn. Null: nothing but the beginning of the conversation stands before it.
 */
function follows({ log }: Stage, point: number, number: number | null): Pick<UserMessage['metadata'], 'follows'> {
  const placed = number === null ? undefined : log.bySeq.get(point);
  if (!placed) return {};
  for (const line of stateLinesBack(log, linkOf(log, placed))) {
    if (line.type === 'prompt.kept' && line.why === 'first') continue;
    return { follows: line.type === 'branch.opened' && line.kind !== 'fork' ? null : line.id };
  }
  return { follows: null };
}

function toAssistant(stage: Stage, item: Item, event: StoredEvent<'message.assistant'>): AssistantMessage {
  const { step, model, end, rawEnd, usage, ms, simulated } = event;
  const metadata = { ...commonOf(stage, item), step, model, end, rawEnd, usage, ms };
  return {
    id: item.id,
    seq: item.point,
    at: event.at,
    role: 'assistant',
    parts: toAssistantParts(stage.state, stage.calls, item),
    metadata: simulated === undefined ? metadata : { ...metadata, simulated },
  };
}

function toTool(stage: Stage, item: Item, event: StoredEvent<'tool.result'>): ToolMessage {
  const { callId, why, ms, cap, bytes } = event;
  return {
    id: item.id,
    seq: item.point,
    at: event.at,
    role: 'tool',
    parts: toToolParts(stage.state, item),
    metadata: { ...commonOf(stage, item), callId, why, ms, cap, viewBytes: event.viewBytes ?? bytes },
  };
}
