import fc from 'fast-check';
import type { NewEvent } from '@/server/core/log/new-event';
import { nameHead } from '@/server/core/projection/find-tips';
import {
  assistantMessage,
  builtModel,
  builtSummary,
  rangeOf,
  textPart,
  toolResult,
  userMessage,
} from '@/server/core/projection/log-builder-verbs';
import { isKnown } from '@/server/core/projection/log-state-path';
import { legalCuts, newestBatch } from '@/server/core/projection/responded';
import type { SessionState } from '@/server/core/projection/state-shape';
import { findAlternatives } from '@/server/core/projection/transcript-siblings';
import { planExpand, planFold, planUndo } from '@/server/core/travel/plan-checkpoint';
import { planFork } from '@/server/core/travel/plan-fork';
import { planEdit, planRevert } from '@/server/core/travel/plan-revert';
import { findUndoable, planRollback } from '@/server/core/travel/plan-rollback';
import { planUntrim } from '@/server/core/travel/plan-untrim';
import { selectPath } from '@/server/core/travel/select-path';
import { photograph, type Traveller } from './traveller';

/**
 * What the model of a journey remembers: how each place looked that a branch has left, by item, and how each head looked that a
 * revert moved away from, so that coming back can be held against it byte by byte.
 */
export interface Album {
  /** By branch and item id. */
  readonly places: Map<string, string>;
  /** By the id of a `head.reverted` line. */
  readonly heads: Map<string, string>;
  /** By branch: every head that it was about to leave, with the items there, the newest last. */
  readonly stays: Map<string, readonly Stay[]>;
  /** Journeys that were held against a photograph; a property that never compared would hold for nothing. */
  compared: number;
}

interface Stay {
  readonly items: ReadonlySet<string>;
  readonly photo: string;
}

interface Visit {
  readonly album: Album;
  readonly traveller: Traveller;
  readonly pick: number;
}

type Act = (visit: Visit) => Promise<void>;

const choose = <T>(list: readonly T[], pick: number): T | undefined => list[pick % Math.max(1, list.length)];
const idle = (state: SessionState) => state.openTurn === null && state.openCompaction === null;

/** In a running turn, else nothing. */
const inTurn =
  (act: (state: SessionState, visit: Visit) => readonly NewEvent[]): Act =>
  (visit) =>
    visit.traveller.append(({ session }) => (session.openTurn === null ? [] : act(session, visit)));

/** Between turns, else nothing. */
const atRest =
  (act: (state: SessionState, visit: Visit) => readonly NewEvent[]): Act =>
  (visit) =>
    visit.traveller.append(({ session }) => (idle(session) ? act(session, visit) : []));

/** Everything that may happen; what is not possible now does nothing, and refusals append nothing. */
export const ACTS: Readonly<Record<string, Act>> = {
  says: atRest((state, { traveller, pick }) => {
    const [messageId, turnId] = [traveller.nextId(), traveller.nextId()];
    return [
      { ...userMessage(`message ${pick}`, turnId), id: messageId },
      ...startTurn(state, traveller, { turnId, messageId }),
    ];
  }),
  queues: ({ traveller, pick }) => traveller.append(() => [userMessage(`waits ${pick}`, traveller.nextId())]),
  'starts queued': atRest((state, { traveller }) => {
    const message = state.queue[0];
    return message ? startTurn(state, traveller, { turnId: message.turnId ?? message.id, messageId: message.id }) : [];
  }),
  calls: inTurn((state, { traveller, pick }) => toBatch(state, traveller, pick)),
  masks: inTurn((state, { traveller, pick }) => {
    const target = choose(newestBatch(state), pick)?.event;
    if (target?.type !== 'tool.result' || hasOpenCall(state)) return [];
    const byCall = `mask_${traveller.nextId()}`;
    const { id: item, callId, bytes } = target;
    return [
      assistantMessage([{ type: 'tool_call', callId: byCall, name: 'mask_tool_result', args: {} }]),
      { type: 'view.masked', item, callId, note: 'not needed', bytes, byCall },
      toolResult(byCall, 'mask_tool_result', 'Masked.'),
    ];
  }),
  replies: inTurn((state, { pick }) => [assistantMessage([textPart(`reply ${pick}`)]), ...endTurn(state, 'finished')]),
  fails: inTurn((state) => endTurn(state, 'failed')),
  plans: ({ traveller, pick }) =>
    traveller.append(({ session }) => [toPlan(pick, session.items.at(-1)?.id ?? null, 'person')]),
  marks: ({ traveller, pick }) => traveller.append(() => [{ type: 'carry.marked', text: `carry ${pick}`, by: 'ada' }]),
  'orders marks': ({ traveller }) =>
    traveller.append(({ session }) => [
      { type: 'carry.ordered', carryIds: session.carryOvers.map(({ id }) => id).reverse() },
    ]),
  compacts: atRest((state, { traveller, pick }) => toCompaction(state, traveller, pick)),
  trims: atRest((state, { pick }) => {
    const item = choose(state.items, pick)?.id;
    const nothing = { count: 0, bytes: 0 };
    const kinds = { results: nothing, trips: nothing, replies: nothing, messages: nothing };
    const actions = item === undefined ? [] : [{ item, do: pick % 2 === 0 ? ('stub' as const) : ('drop' as const) }];
    return actions.length === 0 ? [] : [{ type: 'view.trimmed', actions, kinds, before: 9, after: 8, room: 8 }];
  }),
  untrims: async ({ traveller, pick }) => {
    await traveller.travel(({ session }) => planUntrim(session, choose(session.trims, pick)?.id ?? session.branch));
  },
  undoes: async ({ traveller }) => {
    await traveller.travel(({ session: state }) =>
      planUndo({ state, compactionId: state.checkpoint?.event.compactionId ?? state.branch, by: 'ada' }),
    );
  },
  expands: (visit) => show(visit, planExpand),
  folds: (visit) => show(visit, planFold),
  forks: (visit) => fork(visit),
  switches: async ({ traveller, pick }) => {
    traveller.here = choose(traveller.branches, pick) ?? traveller.here;
  },
  reverts: (visit) => revert(visit),
  'takes an arrow': (visit) => takeArrow(visit),
  edits: (visit) => edit(visit),
  'rolls back': (visit) => rollBack(visit),
  restarts: ({ traveller }) => traveller.restart(),
};

/** One step as fast-check runs it; the album is its model, the traveller the real thing. */
class Step implements fc.AsyncCommand<Album, Traveller> {
  constructor(
    private readonly verb: string,
    private readonly pick: number,
  ) {}

  check(): boolean {
    return true;
  }

  async run(album: Album, traveller: Traveller): Promise<void> {
    await ACTS[this.verb]?.({ album, traveller, pick: this.pick });
  }

  toString(): string {
    return `${this.verb} ${this.pick}`;
  }
}

const OFTEN = 'says calls replies says calls masks replies compacts expands folds reverts edits plans'
  .split(' ')
  .concat(['rolls back', 'rolls back', 'takes an arrow', 'takes an arrow']);

export const aStep = fc
  .tuple(fc.constantFrom(...OFTEN, ...Object.keys(ACTS)), fc.nat(40))
  .map(([verb, pick]) => new Step(verb, pick));

function startTurn(
  state: SessionState,
  traveller: Traveller,
  turn: { readonly turnId: string; readonly messageId: string | null },
): readonly NewEvent[] {
  const promptId = state.keptPrompt?.id ?? traveller.nextId();
  const first = state.keptPrompt === null ? [toPrompt(promptId, 'first')] : [];
  const why = turn.messageId === null ? 'continue' : 'message';
  return [...first, { type: 'turn.started', ...turn, why, model: builtModel, promptId }];
}

const toPrompt = (id: string, why: 'first' | 'compaction'): NewEvent => ({
  ...{ id, type: 'prompt.kept', text: `prompt ${id}`, sections: [], tools: [], agentVersion: null },
  ...{ memoryHash: null, wording: 1, bytes: 40, toolsBytes: 2, why },
});

/** Results of calls still open come first, then the end: section 5, 7. */
function endTurn(state: SessionState, outcome: 'finished' | 'failed'): readonly NewEvent[] {
  const { openTurn } = state;
  return openTurn === null ? [] : [{ type: 'turn.ended', turnId: openTurn.turnId, outcome, steps: 1 }];
}

/** A batch of one to three calls with all its results; sometimes a plan stands before one of them. */
function toBatch(state: SessionState, traveller: Traveller, pick: number): readonly NewEvent[] {
  if (hasOpenCall(state)) return [];
  const messageId = traveller.nextId();
  const calls = Array.from({ length: 1 + (pick % 3) }, () => ({ callId: traveller.nextId(), name: 'read_file' }));
  const parts = calls.map((call) => ({ type: 'tool_call' as const, ...call, args: { pick } }));
  let newest = messageId;
  const results = calls.flatMap(({ callId, name }, at): readonly NewEvent[] => {
    const id = traveller.nextId();
    const plan = pick % 4 === 1 && at === 0 ? [{ ...toPlan(pick, newest, 'model'), callId }] : [];
    newest = id;
    return [...plan, { ...toolResult(callId, name, `result ${pick} ${at}`), id }];
  });
  return [{ ...assistantMessage(parts), id: messageId }, ...results];
}

/** Batches are appended whole, so a call is open only where a head was taken in the middle of one. */
function hasOpenCall({ items }: SessionState): boolean {
  const at = items.findLastIndex(({ event }) => event.type === 'message.assistant');
  const message = items[at]?.event;
  const calls = message?.type === 'message.assistant' ? message.parts.filter((part) => part.type === 'tool_call') : [];
  return items.slice(at + 1).filter(({ event }) => event.type === 'tool.result').length < calls.length;
}

function toPlan(pick: number, after: string | null, by: 'model' | 'person'): NewEvent<'plan.set'> {
  const status = pick % 3 === 1 ? ('done' as const) : ('active' as const);
  const items = pick % 3 === 0 ? [] : [{ id: 'p1', text: `step ${pick}`, status }];
  return { type: 'plan.set', items, by, after };
}

function toCompaction(state: SessionState, traveller: Traveller, pick: number): readonly NewEvent[] {
  const cut = choose(legalCuts(state), pick);
  if (cut === undefined) return [];
  const covered = state.items.slice(0, cut);
  const covers = rangeOf(covered);
  const compactionId = traveller.nextId();
  const first = covered.find(({ event }) => event.type === 'message.user' && event.kind === 'person');
  const numbers = { budget: 4000, floor: 100, room: 3900, trigger: 3000, commit: 2000, view: 1000 };
  const promptId = traveller.nextId();
  const base = { compactionId, model: builtModel };
  return [
    { type: 'compaction.started', compactionId, trigger: 'manual', source: covers, numbers, chain: [builtModel] },
    { type: 'compaction.attempt', ...base, n: 1, requestBytes: covers.bytes, ms: 1, outcome: 'accepted' },
    ...(pick % 2 === 0 ? [toPrompt(promptId, 'compaction')] : []),
    {
      ...{ type: 'checkpoint.committed', ...base, text: builtSummary, covers, keep: first ? [first.id] : [] },
      ...{ previous: state.checkpoint?.event.id ?? null, sourceBytes: covers.bytes, bytes: 500, undoTo: state.head },
    },
    { type: 'compaction.ended', compactionId, outcome: 'committed', before: covers.bytes, after: 500 },
  ];
}

async function show({ traveller, pick }: Visit, plan: typeof planExpand): Promise<void> {
  await traveller.travel(({ session: state }) => {
    const event = state.checkpoint?.event;
    const covered = state.items.slice(0, event?.covers.items ?? 0);
    const from = choose(covered, pick)?.id ?? state.branch;
    const through = choose(covered, pick + (pick % 3))?.id ?? state.branch;
    return plan({ state, compactionId: event?.id ?? state.branch, from, through });
  });
}

/** Ids of all that was ever placed here, left ones too, and of every other line of a path. */
async function placesOf({ traveller }: Visit): Promise<readonly string[]> {
  const { log, session } = await traveller.load();
  return [...log.byId.keys()].filter((id) => selectPath(log, session.branch, id) !== null);
}

async function fork(visit: Visit): Promise<void> {
  const { traveller, pick } = visit;
  const itemId = choose(await placesOf(visit), pick);
  if (itemId === undefined || traveller.branches.length > 5) return;
  const branch = traveller.nextId();
  const { log, session } = await traveller.load();
  const there = selectPath(log, session.branch, itemId);
  await traveller.open(branch, (loaded) => {
    const planned = planFork(loaded.log, loaded.session, itemId);
    if (!planned.ok) throw new Error(planned.text);
    return { events: [planned.opened], opens: { branch, head: planned.head } };
  });
  compare(visit, { is: await traveller.state(), was: there && photograph(there), what: 'a fork' });
}

/** Takes a picture of where it stands and of where it goes, then goes there. */
async function revert(visit: Visit): Promise<void> {
  const { traveller, album, pick } = visit;
  const itemId = choose([null, ...(await placesOf(visit))], pick) ?? null;
  await remember(visit);
  const before = await traveller.state();
  const isDone = await traveller.travel(({ log, session: state }) => planRevert({ log, state, itemId, by: 'ada' }));
  if (!isDone) return;
  await keepHead(visit, before);
  if (itemId === null) return;
  const key = `${traveller.here} ${itemId}`;
  compare(visit, { is: await traveller.state(), was: album.places.get(key) ?? null, what: 'a revert' });
}

/** An arrow of "2 of 3": what it leads to is as this branch left it, plan, summary and parts shown again included. */
async function takeArrow(visit: Visit): Promise<void> {
  const { traveller, album, pick } = visit;
  await remember(visit);
  const { log, session: before } = await traveller.load();
  const alternatives = choose([...findAlternatives(log, before).values()], pick);
  if (!alternatives) return;
  const { ids, tips, index } = alternatives;
  const place = (index + 1) % ids.length;
  const [id, tip] = [ids[place] ?? '', tips[place] ?? ''];
  const isDone = await traveller.travel((now) =>
    planRevert({ log: now.log, state: now.session, itemId: tip, by: 'ada' }),
  );
  if (!isDone) return;
  await keepHead(visit, before);
  const stay = album.stays.get(traveller.here)?.findLast(({ items }) => items.has(id));
  compare(visit, { is: await traveller.state(), was: stay?.photo ?? null, what: 'an arrow' });
}

async function edit(visit: Visit): Promise<void> {
  const { traveller, pick } = visit;
  const itemId = choose([null, ...(await placesOf(visit))], pick) ?? null;
  await remember(visit);
  const before = await traveller.state();
  const turnId = traveller.nextId();
  const message = userMessage(`edited ${pick}`, turnId);
  if (message.type !== 'message.user') return;
  const isDone = await traveller.travel(({ log, session: state }) =>
    planEdit({ log, state, itemId, by: 'ada', message }),
  );
  if (isDone) await keepHead(visit, before);
}

async function rollBack(visit: Visit): Promise<void> {
  const { traveller, album } = visit;
  await remember(visit);
  const { log, session } = await traveller.load();
  const undoable = findUndoable(log, session);
  const isDone = await traveller.travel((loaded) => planRollback(loaded.log, loaded.session, 'ada'));
  if (!isDone || undoable?.what !== 'revert') return;
  compare(visit, { is: await traveller.state(), was: album.heads.get(undoable.event.id) ?? null, what: 'a rollback' });
}

/** How every place of the branch looks now; one known already must look as it did (nothing that is left ever changes). */
async function remember(visit: Visit): Promise<void> {
  const { log, session } = await visit.traveller.load();
  const stay = { items: new Set(session.items.map(({ id }) => id)), photo: photograph(session) };
  const { stays } = visit.album;
  stays.set(session.branch, [...(stays.get(session.branch) ?? []), stay]);
  for (const id of await placesOf(visit)) {
    const there = selectPath(log, session.branch, id);
    const key = `${session.branch} ${id}`;
    if (there === null) continue;
    compare(visit, { is: there, was: visit.album.places.get(key) ?? null, what: 'a place' });
    visit.album.places.set(key, photograph(there));
  }
}

/** Whatever a revert left can be looked at by its tip, and looks as it did when it was left, to the byte. */
export async function holdTips(album: Album, traveller: Traveller): Promise<void> {
  const visit = { album, traveller, pick: 0 };
  const { log } = await traveller.load();
  for (const [id, photo] of album.heads) {
    const event = log.byId.get(id);
    if (!event || !isKnown(event) || event.type !== 'head.reverted') throw new Error(`no revert ${id}`);
    const there = selectPath(log, event.branch, nameHead(log, event.from) ?? '');
    if (there === null) throw new Error(`the tip of ${id} names no place`);
    compare(visit, { is: there, was: photo, what: 'a tip' });
  }
}

async function keepHead({ traveller, album }: Visit, before: SessionState): Promise<void> {
  const { log } = await traveller.load();
  const lines = log.branches.get(traveller.here)?.lines ?? [];
  // Nothing is appended where the head stood there already: the newest such line is then an older one, with its picture.
  const event = lines.map((seq) => log.bySeq.get(seq)).findLast((line) => line?.type === 'head.reverted');
  if (event && !album.heads.has(event.id)) album.heads.set(event.id, photograph(before));
}

function compare(
  { album }: Visit,
  { is, was, what }: { readonly is: SessionState; readonly was: string | null; readonly what: string },
): void {
  if (was === null) return;
  album.compared += 1;
  const now = photograph(is);
  if (now !== was) throw new Error(`${what} does not look as it did:\n${now}\n${was}`);
}
