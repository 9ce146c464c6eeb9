import { z } from 'zod';
import { AppError } from '@/server/contract/error';
import type { PromptAnswer } from '@/server/contract/prompt';
import { type SessionSummary, sessionSummarySchema } from '@/server/contract/session';
import type { Model } from '@/server/contract/shapes';
import { projectSessionRow } from '@/server/core/projection/session-row';
import type { LogState, SessionState } from '@/server/core/projection/state-shape';
import { judgeBehind, type PromptStatus } from '@/server/core/prompt/behind';
import type { IndexedSession } from '@/server/ports/session-index';
import type { PromptUse } from './agents';
import { PRACTICE_PROVIDER } from './model-registry';
import { agentNow, composeNow, type PromptLibraries } from './prompt-sources';
import { type ContextDeps, readContext } from './session-context';

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

/** A session as a row of the index. */
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

/** Null for a session before its first turn, and for a row of another release. */
export function promptFactsOf(indexed: IndexedSession): PromptFacts | null {
  const parsed = rowSchema.safeParse(indexed.row);
  return parsed.success ? parsed.data.kept : null;
}

/** The same row with another summary. */
export function withBehind(indexed: IndexedSession, summary: SessionSummary): IndexedSession {
  return { ...indexed, row: { summary, kept: promptFactsOf(indexed) } };
}

/** Which versions a listed conversation uses; null for one that is not listed and for a row of another release. */
export function promptUseOf(indexed: IndexedSession): PromptUse | null {
  const parsed = rowSchema.safeParse(indexed.row);
  if (!parsed.success || indexed.deleted || indexed.kind === 'subagent') return null;
  const { summary, kept } = parsed.data;
  const { id: sessionId, agentId, behind } = summary;
  return { sessionId, agentId, agentVersion: kept?.agentVersion ?? null, skills: kept?.skills ?? [], behind };
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
