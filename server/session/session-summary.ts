import { z } from 'zod';
import { AppError } from '@/server/contract/error';
import type { PromptAnswer } from '@/server/contract/prompt';
import { type Session, type SessionSummary, sessionSummarySchema } from '@/server/contract/session';
import type { Model } from '@/server/contract/shapes';
import { toContextMeter } from '@/server/core/projection/context-answer';
import { projectSessionRow, statusOf, sumUsage } from '@/server/core/projection/session-row';
import { foldSession } from '@/server/core/projection/session-state';
import type { LogState, SessionState } from '@/server/core/projection/state-shape';
import { judgeBehind, type PromptStatus } from '@/server/core/prompt/behind';
import { findUndoable } from '@/server/core/travel/plan-rollback';
import type { IndexedSession } from '@/server/ports/session-index';
import type { PromptUse } from './agents';
import type { LoadedSession } from './append-events';
import { PRACTICE_PROVIDER } from './model-registry';
import { agentNow, composeNow, type PromptLibraries } from './prompt-sources';
import { type ContextDeps, readContext, sessionSettingsOf, viewNow } from './session-context';

/** What the index keeps of a session beside its columns. */
const rowSchema = z.object({
  summary: sessionSummarySchema,
  kept: z
    .object({
      agentVersion: z.number().int().nullable(),
      skills: z.array(z.object({ id: z.string(), version: z.number().int() })),
    })
    .nullable(),
});

/** How a conversation's kept prompt stands against what would be composed now (P3). */
export function promptStatus(libraries: PromptLibraries, session: SessionState): PromptStatus {
  return judgeBehind(session.keptPrompt, composeNow(libraries, agentNow(libraries, session.opened.agentId)));
}

/** A row of the list, with what no log knows: the agent's name, the model in use, and whether it is behind. */
export function summariseSession(deps: ContextDeps, session: SessionState, log: LogState): SessionSummary {
  const agent = agentNow(deps, session.opened.agentId);
  const model = session.model ?? modelInUse(deps, session);
  return projectSessionRow(session, log, {
    agentName: agent.kind === 'here' ? agent.content.name : null,
    model,
    behind: !promptStatus(deps, session).current,
    practice: model?.provider === PRACTICE_PROVIDER,
  });
}

function modelInUse(deps: ContextDeps, session: SessionState): Model | null {
  try {
    return readContext(deps, session).choice.chain[0] ?? null;
  } catch (error) {
    // Nothing is ready or the provider is gone: the row says nothing, the turn will say why. Anything else is a fault.
    if (!(error instanceof AppError)) throw error;
    return null;
  }
}

export function toIndexed(session: SessionState, summary: SessionSummary, logId: string): IndexedSession {
  const { keptPrompt } = session;
  const skills = keptPrompt?.skills.map(({ id, version }) => ({ id, version })) ?? [];
  return {
    id: session.branch,
    logId,
    kind: session.opened.kind,
    agentId: session.opened.agentId,
    title: summary.title,
    pinned: summary.pinned,
    archived: summary.archived,
    deleted: session.deleted,
    updatedAt: Date.parse(summary.updatedAt),
    headSeq: summary.headSeq,
    row: { summary, kept: keptPrompt === null ? null : { agentVersion: keptPrompt.agentVersion, skills } },
  };
}

/** Null for a row of another release: the index is rebuilt then. */
export function summaryOf(indexed: IndexedSession): SessionSummary | null {
  const parsed = rowSchema.safeParse(indexed.row);
  return parsed.success ? parsed.data.summary : null;
}

/** Versions the kept prompt was made from; null before the first turn. */
export interface PromptFacts {
  readonly agentVersion: number | null;
  readonly skills: readonly { readonly id: string; readonly version: number }[];
}

export function promptFactsOf(indexed: IndexedSession): PromptFacts | null {
  const parsed = rowSchema.safeParse(indexed.row);
  return parsed.success ? parsed.data.kept : null;
}

/** The same row with another summary. */
export function withBehind(indexed: IndexedSession, summary: SessionSummary): IndexedSession {
  return { ...indexed, row: { summary, kept: promptFactsOf(indexed) } };
}

export function promptUseOf(indexed: IndexedSession): PromptUse | null {
  const parsed = rowSchema.safeParse(indexed.row);
  if (!parsed.success || indexed.deleted) return null;
  const { summary, kept } = parsed.data;
  const { id: sessionId, agentId, behind } = summary;
  return { sessionId, agentId, agentVersion: kept?.agentVersion ?? null, skills: kept?.skills ?? [], behind };
}

/** The conversation whole, with its meter (api.md). */
export function toSession(deps: ContextDeps, { session, log }: LoadedSession): Session {
  return {
    ...summariseSession(deps, session, log),
    usage: sumUsage(session, log),
    cost: null,
    context: toMeter(deps, session),
    settings: sessionSettingsOf(session),
    activity: toActivity(session),
    readOnly: session.fromNewerVersion
      ? { why: 'newer_version', text: 'Written by a newer version of Tidemark: it can be read and exported here.' }
      : null,
    undoable: toUndoable({ session, log }),
    damage: log.damage.map(({ from, to, why }) => ({ from, to, why })),
  };
}

function toUndoable({ session, log }: LoadedSession): Session['undoable'] {
  const undoable = findUndoable(log, session);
  if (undoable === null) return null;
  const { at } = undoable.event;
  if (undoable.what === 'compaction')
    return { what: 'compaction', itemId: null, items: undoable.event.covers.items, at };
  const here = new Set(session.items.map(({ id }) => id));
  const there = foldSession(log, session.branch, { head: undoable.to }).items;
  return {
    what: 'revert',
    itemId: there.at(-1)?.id ?? null,
    items: there.filter(({ id }) => !here.has(id)).length,
    at,
  };
}

function toMeter(deps: ContextDeps, session: SessionState): Session['context'] {
  try {
    const context = readContext(deps, session);
    const { view, numbers } = viewNow(context, session);
    const first = context.choice.chain[context.budget.setBy] ?? context.choice.chain[0];
    const facts = first ? deps.model.describe(first) : null;
    return toContextMeter({
      view,
      numbers,
      basis: isMeasured(session) ? 'measured' : 'estimated',
      windowTokens: facts?.window ?? null,
      windowSource: toWindowSource(facts?.windowFrom ?? null),
      reportedTokens: newestReply(session)?.usage?.input ?? null,
      deferred: false,
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return NO_METER;
  }
}

const NO_METER: Session['context'] = {
  budgetBytes: 0,
  roomBytes: 0,
  usedBytes: 0,
  floor: [],
  basis: 'estimated',
  triggerBytes: 0,
  conversation: [],
  windowTokens: null,
  windowSource: 'unknown',
  reportedTokens: null,
  deferred: false,
  floorTooLarge: false,
};

const newestReply = (session: SessionState) => {
  const event = session.items.findLast((item) => item.event.type === 'message.assistant')?.event;
  return event?.type === 'message.assistant' ? event : null;
};

/** The newest reply said what it was charged for, and nothing has been folded since. */
function isMeasured(session: SessionState): boolean {
  const reply = newestReply(session);
  const folded = session.checkpoint?.event.seq ?? 0;
  return reply?.usage?.input != null && reply.seq > folded;
}

function toWindowSource(from: 'set' | 'reported' | 'table' | null): Session['context']['windowSource'] {
  if (from === 'set') return 'chosen';
  if (from === 'reported') return 'reported';
  return from === 'table' ? 'known' : 'unknown';
}

function toActivity(session: SessionState): Session['activity'] {
  const status = statusOf(session);
  const { openCompaction, openTurn } = session;
  if (status === 'compacting' && openCompaction) {
    const { compactionId, at, trigger, chain } = openCompaction;
    return {
      kind: 'compaction',
      compactionId,
      jobId: null,
      since: at,
      trigger,
      model: chain[0] ?? null,
      stage: 'one_shot',
    };
  }
  if (!openTurn) return null;
  return { kind: 'turn', turnId: openTurn.turnId, since: openTurn.at, model: openTurn.model };
}

/** `GET …/prompt`: what the behind banner says (P3, P4). */
export function toPromptAnswer(deps: ContextDeps, session: SessionState, dismissed: string | null): PromptAnswer {
  const status = promptStatus(deps, session);
  const agent = agentNow(deps, session.opened.agentId);
  const toolNow = new Set(composeNow(deps, agent)?.tools.map((tool) => tool.name) ?? []);
  const keptTools = session.keptPrompt?.tools.map((tool) => tool.name) ?? [];
  return {
    current: status.current,
    composedAt: status.composedAt,
    instructionsChanged: status.instructionsChanged,
    memoriesChanged: status.memoriesChanged,
    toolsChanged: status.toolsChanged,
    skills: [...status.skills],
    agent: {
      id: session.opened.agentId,
      name: agent.kind === 'here' ? agent.content.name : null,
      deleted: agent.kind === 'gone',
      from: status.kept.agentVersion,
      to: agent.kind === 'here' ? agent.version : null,
    },
    kept:
      session.keptPrompt === null ? null : { agentVersion: status.kept.agentVersion, skills: [...status.kept.skills] },
    wouldBe: { agentVersion: status.wouldBe.agentVersion, skills: [...status.wouldBe.skills] },
    hash: status.hash,
    dismissed: status.hash !== null && status.hash === dismissed,
    toolsRemoved: agent.kind === 'here' ? keptTools.filter((name) => !toolNow.has(name)) : [],
    sections: [...(session.keptPrompt?.sections ?? [])].map(({ name, bytes }) => ({ name, bytes })),
  };
}
