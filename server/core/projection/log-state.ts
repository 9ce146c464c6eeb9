import { classOf, type LogEvent } from '@/server/contract/events/event';
import { type Finding, toViolation } from '@/server/core/log/check-log-finding';
import { judgeEvent, judgeReference } from '@/server/core/log/check-log-rules';
import { stepLedger } from './branch-ledger';
import { withMember } from './growing-list';
import { GrowingMap } from './growing-map';
import { openBranch, openLostBranch, stepBranch } from './log-state-branch';
import { firstOf, isKnown, isPathLine, linesBack, standInFor } from './log-state-path';
import { tallyAt } from './log-state-tally';
import { type BranchState, type DamageRange, type LogState, sentKey, type Violation } from './state-shape';

/** What a reader yields: an event, or bytes that are none (`ports/session-log` says more about each). */
export type FoldableRecord =
  | { readonly kind: 'event'; readonly event: LogEvent }
  | { readonly kind: 'damage' | 'torn'; readonly range: DamageRange };

/** A state under construction, and what belongs to it alone, so that it may push to it. */
interface Draft {
  readonly state: { -readonly [K in keyof LogState]: LogState[K] };
  readonly branches: Map<string, BranchState>;
  ownViolations: Violation[] | null;
}

interface Joining {
  readonly branch: BranchState;
  readonly event: LogEvent;
  readonly link: number | null;
}

/** The state of a log without a line. */
export function emptyLogState(): LogState {
  return newDraft().state;
}

/**
 * Replays a whole log. Never stops: lost lines are stood in for and events in breach of `contract.md` section 5
 * are ignored for state, both listed in `violations`. Folding a prefix and appending the rest yields the same.
 */
export function foldLog(records: Iterable<FoldableRecord>): LogState {
  const draft = newDraft();
  // Collected apart: a file of a million damaged lines must not be copied a million times (rel-S22).
  const damage: DamageRange[] = [];
  draft.state.damage = damage;
  for (const record of records) {
    if (record.kind === 'event') take(draft, record.event);
    else damage.push(record.range);
  }
  return draft.state;
}

/** As `foldLog`, of events alone. */
export function foldEvents(events: Iterable<LogEvent>): LogState {
  const draft = newDraft();
  for (const event of events) take(draft, event);
  return draft.state;
}

/** The state with one line more. The state given stays as it is; what both hold is shared, not copied. */
export function appendToLog(state: LogState, event: LogEvent): LogState {
  const branches = new Map(state.branches);
  const draft: Draft = { state: { ...state, branches }, branches, ownViolations: null };
  take(draft, event);
  return draft.state;
}

function newDraft(): Draft {
  const branches = new Map<string, BranchState>();
  const state: LogState = {
    logId: '',
    newestSeq: 0,
    bySeq: GrowingMap.empty(),
    byId: GrowingMap.empty(),
    branches,
    damage: [],
    ignored: GrowingMap.empty(),
    violations: [],
    repeats: GrowingMap.empty(),
    links: GrowingMap.empty(),
    placedBy: GrowingMap.empty(),
    sent: GrowingMap.empty(),
  };
  return { state: { ...state }, branches, ownViolations: null };
}

function take(draft: Draft, event: LogEvent): void {
  const { state } = draft;
  if (event.seq <= state.newestSeq) {
    find(draft, event, { rule: 1, ignored: true, text: `after line ${state.newestSeq}` });
    return;
  }
  state.newestSeq = event.seq;
  const first = state.byId.get(event.id);
  if (first) {
    state.repeats = state.repeats.with(event.seq, first.seq);
    return;
  }
  const isLogLine = isKnown(event) && classOf(event) === 'L';
  // An unreadable line that does not even say its branch is kept and belongs to none.
  if (isLogLine || event.branch === '') takeLogLine(draft, event);
  else takeBranchLine(draft, event);
}

function takeLogLine(draft: Draft, event: LogEvent): void {
  if (isKnown(event) && event.type === 'log.opened' && draft.state.logId === '') draft.state.logId = event.logId;
  hold(draft, event);
}

function takeBranchLine(draft: Draft, event: LogEvent): void {
  const { state } = draft;
  if (state.logId === '') state.logId = event.branch;
  if (isKnown(event) && event.type === 'branch.opened' && !draft.branches.has(event.branch)) {
    draft.branches.set(event.branch, openBranch(event));
  }
  const branch = draft.branches.get(event.branch) ?? openLostBranch(state, event);
  const link = linkFor(draft, branch, event);
  if (isKnown(event)) {
    for (const finding of judgeEvent({ log: state, branch, event, link })) find(draft, event, finding);
  }
  hold(draft, event);
  place(draft, branch, event);
  if (isKnown(event) && event.type === 'message.user' && event.place === 'turn' && event.clientMessageId !== null)
    state.sent = state.sent.with(sentKey(event.branch, event.clientMessageId), event.seq);
  const lines = withMember(branch.lines, event.seq);
  const ledger = stepLedger(branch.ledger, event, state.ignored.has(event.id));
  const next = advance(draft, { branch, event, link });
  const tally = next.head === branch.head ? branch.tally : tallyAt(state, { branch, event, link, head: next.head });
  draft.branches.set(branch.id, { ...next, lines, ledger, tally });
}

/** Makes the line findable by `seq` and id. */
function hold({ state }: Draft, event: LogEvent): void {
  state.bySeq = state.bySeq.with(event.seq, event);
  state.byId = state.byId.with(event.id, event);
}

function find(draft: Draft, event: LogEvent, finding: Finding): void {
  const { state } = draft;
  const violation = toViolation(event, finding);
  const violations = draft.ownViolations ?? state.violations.slice();
  violations.push(violation);
  draft.ownViolations = violations;
  state.violations = violations;
  if (finding.ignored) state.ignored = state.ignored.with(event.id, violation.name);
}

/** What the branch's facts become. An ignored line still ends the path; a `head.*` line in force moves the head. */
function advance(draft: Draft, { branch, event, link }: Joining): BranchState {
  const { state } = draft;
  const isIgnored = state.ignored.has(event.id);
  const facts = isKnown(event) && !isIgnored ? stepBranch(branch, event) : branch;
  const newerBranchLine = branch.newerBranchLine || (!isKnown(event) && !isPathLine(event));
  if (isPathLine(event)) {
    const before = (link ?? 0) === branch.head ? branch.newerPathLine : hasNewerLine(state, link);
    const newerPathLine = before || !isKnown(event);
    return {
      ...facts,
      head: event.seq,
      newerBranchLine,
      newerPathLine,
      fromNewerVersion: newerBranchLine || newerPathLine,
    };
  }
  const head = targetOf(event) === null || isIgnored ? branch.head : (link ?? 0);
  const newerPathLine = head === branch.head ? branch.newerPathLine : hasNewerLine(state, head);
  return { ...facts, head, newerBranchLine, newerPathLine, fromNewerVersion: newerBranchLine || newerPathLine };
}

function hasNewerLine(state: LogState, head: number | null): boolean {
  for (const line of linesBack(state, head)) if (!isKnown(line)) return true;
  return false;
}

/**
 * Where a line links to: the P line it follows, or the head it sets; null for other lines and for the first of a
 * path. A reference that is lost or wrong is stood in for, and the mended link is remembered.
 */
function linkFor(draft: Draft, branch: BranchState, event: LogEvent): number | null {
  const named = isPathLine(event) ? event.prev : targetOf(event);
  if (named === null) return null;
  if (named === undefined) return isPathLine(event) ? mend(draft, event, headOrNull(branch)) : null;
  const target = firstOf(draft.state, named);
  const verdict = judgeReference({ log: draft.state, branch, event }, target);
  if (verdict === 'fine') return target === named ? target : mend(draft, event, target);
  if (verdict === 'wrong') {
    find(draft, event, {
      rule: 3,
      ignored: true,
      text: `it names line ${named}, which is no earlier line of its path`,
    });
    return mend(draft, event, headOrNull(branch));
  }
  find(draft, event, { rule: 3, ignored: false, text: `it names line ${named}, which is lost` });
  const isFork = isKnown(event) && event.type === 'branch.opened' && event.parent !== null;
  return mend(draft, event, standInFor(draft.state, isFork ? event.parent.branch : branch.id, named));
}

function mend({ state }: Draft, event: LogEvent, target: number | null): number | null {
  state.links = state.links.with(event.seq, target);
  return target;
}

const headOrNull = (branch: BranchState): number | null => (branch.head === 0 ? null : branch.head);

function targetOf(event: LogEvent): number | null {
  return isKnown(event) && (event.type === 'head.reverted' || event.type === 'head.restored') ? event.to : null;
}

/** A turn places its message once; what section 5, 5 objects to is not placed (again). */
function place({ state }: Draft, branch: BranchState, event: LogEvent): void {
  if (!isKnown(event) || event.type !== 'turn.started' || event.messageId === null || state.ignored.has(event.id))
    return;
  if (event.why !== 'approval' && branch.queue.includes(event.messageId)) {
    state.placedBy = state.placedBy.with(event.messageId, event.seq);
  }
}
