import type { LogEvent, StoredEvent } from '@/server/contract/events/event';
import type { TrimAction } from '@/server/contract/events/view-events';
import type { Part } from '@/server/contract/shapes';
import type { NewEvent } from '@/server/core/log/new-event';
import { builtHash as hash, LogDesk } from './log-builder-desk';
import * as verbs from './log-builder-verbs';
import { isKnown } from './log-state-path';
import type { Item, LogState, SessionState } from './state-shape';

export interface BuiltCall {
  readonly name: string;
  readonly args?: unknown;
  /** Its result; null leaves the call open. */
  readonly result?: string | null;
  readonly callId?: string;
  readonly options?: verbs.ResultOptions;
}

export interface SessionOptions {
  readonly title?: string | null;
  readonly owner?: string;
  readonly agentId?: string | null;
  readonly settings?: Record<string, unknown> | null;
}

/**
 * A log told as a story, for tests and for the built-in sample: `aLog().says('hi').replies('hello').compacts().events()`. Ids, times and `seq`
 * are the same in every run. Verbs append to the current branch at its head; a message opens a turn, a reply ends
 * it, calls leave it open. Whatever is not a possible event throws.
 */
export class LogBuilder {
  readonly #desk = new LogDesk();
  #calls = 0;

  /** Opens the log and its root session; every other verb does so by itself when nothing is open. */
  session({ title = null, owner = 'ada', agentId = null, settings = null }: SessionOptions = {}): this {
    const logId = this.#desk.nextId();
    this.#desk.goTo(logId);
    this.#desk.append({ type: 'log.opened', format: 'tidemark-log', logId, app: 'test' });
    this.#desk.append({ type: 'branch.opened', kind: 'root', owner, title, agentId, settings });
    return this;
  }

  /** A person's message and the start of its turn. A turn still open is ended as finished first. */
  says(text: string, fields: verbs.SaysOptions = {}): this {
    const desk = this.#open();
    verbs.endTurn(desk, 'finished');
    const turnId = desk.nextId();
    const message = desk.append(verbs.userMessage(text, turnId, fields));
    verbs.startTurn(desk, message.id, turnId);
    return this;
  }

  /** A message that waits: durable, not placed. */
  queues(text: string, fields: verbs.SaysOptions = {}): this {
    const desk = this.#open();
    desk.append(verbs.userMessage(text, desk.nextId(), fields));
    return this;
  }

  /** Starts the turn of the oldest message that waits. */
  startsQueued(): this {
    const desk = this.#open();
    verbs.endTurn(desk, 'finished');
    const message = desk.state.queue[0];
    if (!message) throw new TypeError('nothing waits');
    verbs.startTurn(desk, message.id, message.turnId ?? desk.nextId());
    return this;
  }

  /** A turn without a message: *Continue*. */
  continues(): this {
    const desk = this.#open();
    verbs.startTurn(desk, null, desk.nextId());
    return this;
  }

  /** The last reply of the turn, which then ends as finished. */
  replies(text: string, fields: verbs.RepliesOptions = {}): this {
    this.thinks([verbs.textPart(text)], fields);
    verbs.endTurn(this.#desk, 'finished');
    return this;
  }

  /** An assistant message as it is given; the turn stays open. */
  thinks(parts: readonly Part[], fields: verbs.RepliesOptions = {}): this {
    this.#turn().append(verbs.assistantMessage(parts, fields));
    return this;
  }

  /** One call and its result (null: none yet); the turn stays open. */
  calls(name: string, args: unknown = {}, result: string | null = 'done', options: verbs.ResultOptions = {}): this {
    return this.batch([{ name, args, result, options }]);
  }

  /** Calls of one assistant message and their results, in order. */
  batch(calls: readonly BuiltCall[], text = ''): this {
    const made = calls.map((call) => ({ ...call, callId: call.callId ?? this.#nextCall() }));
    const parts = made.map(({ callId, name, args }): Part => ({ type: 'tool_call', callId, name, args: args ?? {} }));
    this.thinks(text === '' ? parts : [verbs.textPart(text), ...parts]);
    for (const { callId, name, result, options } of made) {
      if (result !== null) this.#desk.append(verbs.toolResult(callId, name, result ?? 'done', options));
    }
    return this;
  }

  /** The result of a call that was left open. */
  answers(callId: string, text: string, options: verbs.ResultOptions = {}): this {
    const call = this.state().items.flatMap(({ event }) => (event.type === 'message.assistant' ? event.parts : []));
    const name = call.find((part) => part.type === 'tool_call' && part.callId === callId);
    this.#desk.append(verbs.toolResult(callId, name?.type === 'tool_call' ? name.name : 'tool', text, options));
    return this;
  }

  ends(outcome: 'finished' | 'failed' | 'cancelled' | 'interrupted' = 'finished', code?: string): this {
    verbs.endTurn(this.#desk, outcome, code);
    return this;
  }

  fails(code = 'provider_network'): this {
    return this.ends('failed', code);
  }

  parks(callIds: readonly string[] = []): this {
    const { openTurn } = this.state();
    if (!openTurn) throw new TypeError('no turn runs');
    return this.append('turn.parked', { turnId: openTurn.turnId, waiting: [...callIds] });
  }

  /** Sets the plan. `[x]`, `[>]`, `[ ]` say how far each is. Without a running turn a person did it. */
  plan(lines: readonly string[]): this {
    const desk = this.#open();
    const by = desk.state.openTurn ? 'model' : 'person';
    return this.append('plan.set', { items: lines.map(verbs.planItem), by, after: verbs.newestItemIdAt(desk) });
  }

  /** The model masks a result of the newest batch (default: the newest result). */
  masks(at?: number, note = 'not needed'): this {
    const item =
      at === undefined ? this.state().items.findLast(({ event }) => event.type === 'tool.result') : this.item(at);
    if (item?.event.type !== 'tool.result') throw new TypeError('no result to mask');
    const byCall = this.#nextCall();
    this.thinks([{ type: 'tool_call', callId: byCall, name: 'mask_tool_result', args: { item: item.number, note } }]);
    this.append('view.masked', { item: item.id, callId: item.event.callId, note, bytes: item.event.bytes, byCall });
    this.#desk.append(verbs.toolResult(byCall, 'mask_tool_result', 'Masked.'));
    return this;
  }

  /** A whole compaction: started, one accepted attempt, committed, ended. */
  compacts(options: verbs.CompactsOptions = {}): this {
    verbs.compact(this.#open(), options);
    return this;
  }

  /** A compaction that ends without a checkpoint; `undefined` leaves it open. */
  triesToCompact(
    outcome?: 'failed' | 'rejected' | 'cancelled' | 'skipped',
    trigger: 'auto' | 'manual' | 'overflow' = 'manual',
  ): this {
    const compactionId = this.#open().nextId();
    verbs.startCompaction(this.#desk, { compactionId, trigger, covers: null });
    return outcome === undefined ? this : this.append('compaction.ended', { compactionId, outcome, reason: 'test' });
  }

  /** Undoes the checkpoint in force. */
  undoesCheckpoint(): this {
    return this.append('checkpoint.reverted', { checkpointId: this.#checkpoint().id, by: 'ada' });
  }

  expands(from: number, through: number): this {
    const range = { from: this.itemId(from), through: this.itemId(through) };
    return this.append('checkpoint.expanded', { checkpointId: this.#checkpoint().id, ...range });
  }

  folds(from: number, through: number): this {
    const range = { from: this.itemId(from), through: this.itemId(through) };
    return this.append('checkpoint.folded', { checkpointId: this.#checkpoint().id, ...range });
  }

  /** `trims({ 3: 'stub', 5: 'drop' })`, or actions as they are written. */
  trims(actions: Readonly<Record<number, 'stub' | 'drop'>> | readonly TrimAction[]): this {
    const list = Array.isArray(actions)
      ? actions
      : Object.entries(actions).map(([at, what]) => ({ item: this.itemId(Number(at)), do: what }));
    verbs.trim(this.#open(), list);
    return this;
  }

  /** Lifts the newest trim. */
  untrims(why: 'room' | 'person' = 'room'): this {
    return this.append('view.untrimmed', { trimId: this.state().trims.at(-1)?.id ?? '', why });
  }

  marks(text: string, sourceItem: string | null = null): this {
    return this.append('carry.marked', { text, sourceItem, by: 'ada' });
  }

  /** A new session at an item of the current one (default: its newest), which becomes the current one. */
  forks(at?: number): this {
    const desk = this.#open();
    const item = at === undefined ? desk.state.items.at(-1) : this.item(at);
    const seq = item?.point ?? desk.head;
    if (seq === null) throw new TypeError('nothing to fork');
    const parent = { branch: desk.branch, seq, itemId: item?.id ?? null };
    desk.goTo(desk.nextId());
    desk.appendAt({ type: 'branch.opened', kind: 'fork', parent, owner: 'ada' }, seq);
    return this;
  }

  /** A subagent under a call of the current branch, which becomes the current branch. */
  delegates(callId: string): this {
    const desk = this.#open();
    const parent = { branch: desk.branch, seq: desk.head ?? 1, itemId: verbs.newestItemIdAt(desk), callId };
    desk.goTo(desk.nextId());
    desk.appendAt({ type: 'branch.opened', kind: 'subagent', parent, owner: 'ada' }, null);
    return this;
  }

  /** Goes on writing on another branch. */
  on(branch: string): this {
    this.#desk.goTo(branch);
    return this;
  }

  /** Moves the head to an item's point; null: before the first item. */
  reverts(at: number | string | null): this {
    const item = at === null ? null : verbs.itemAt(this.#desk, at);
    const to = item?.point ?? this.state().opened.seq;
    return this.append('head.reverted', { to, item: item?.id ?? null, from: this.state().head, by: 'ada' });
  }

  /** Undoes the newest revert: exactly the head before it. */
  rollsBack(): this {
    const undone = new Set(this.events().flatMap((event) => (event.type === 'head.restored' ? [event.undoes] : [])));
    const event = this.events().findLast(
      (line) => line.type === 'head.reverted' && line.branch === this.branch && !undone.has(line.id),
    );
    if (event?.type !== 'head.reverted') throw new TypeError('nothing to undo');
    return this.append('head.restored', { to: event.from, undoes: event.id, by: 'ada' });
  }

  /** Any event at the head, fields as they are written. */
  append<T extends NewEvent['type']>(type: T, fields: Omit<Extract<NewEvent, { type: T }>, 'type'>): this;
  append(type: NewEvent['type'], fields: object): this {
    this.#open().appendFields(type, fields);
    return this;
  }

  /** An event as a use case or a state machine wants it appended. */
  appends(event: NewEvent): this {
    this.#open().append(event);
    return this;
  }

  /** A line of a newer version; on the path when `prev` is given. */
  appendsNewer(fields: { readonly prev?: number | null } = {}): this {
    this.#open().appendUnknown(fields);
    return this;
  }

  events(): readonly StoredEvent[] {
    return this.#desk.events.filter(isKnown);
  }

  /** Newer lines too. */
  lines(): readonly LogEvent[] {
    return this.#desk.events;
  }

  log(): LogState {
    return this.#open().log;
  }

  /** The state of the current branch at its head. */
  state(): SessionState {
    return this.#open().state;
  }

  get branch(): string {
    return this.#open().branch;
  }

  item(at: number | string): Item {
    return verbs.itemAt(this.#desk, at);
  }

  itemId(at: number): string {
    return this.item(at).id;
  }

  #checkpoint(): StoredEvent<'checkpoint.committed'> {
    const { checkpoint } = this.state();
    if (!checkpoint) throw new TypeError('no checkpoint is in force');
    return checkpoint.event;
  }

  #nextCall(): string {
    this.#calls += 1;
    return `call_${this.#calls}`;
  }

  #open(): LogDesk {
    if (this.#desk.branch === '') this.session();
    return this.#desk;
  }

  /** A verb of the model outside any turn begins one without a message. */
  #turn(): LogDesk {
    if (!this.#open().state.openTurn) this.continues();
    return this.#desk;
  }
}

export const builtHash = hash;

/** An empty story; see `LogBuilder`. */
export function aLog(): LogBuilder {
  return new LogBuilder();
}
