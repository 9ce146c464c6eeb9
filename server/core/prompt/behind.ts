import { createHash } from 'node:crypto';
import type { StoredEvent } from '@/server/contract/events/event';
import type { ToolSchema } from '@/server/contract/events/view-events';
import { type ComposedPrompt, readSection } from './compose';

export interface SkillMoved {
  readonly id: string;
  readonly name: string;
  readonly change: 'newer' | 'added' | 'removed';
  readonly from: number | null;
  readonly to: number | null;
}

export interface PromptVersions {
  readonly agentVersion: number | null;
  readonly skills: readonly { readonly id: string; readonly name: string; readonly version: number }[];
}

/** The answer of `GET …/prompt` (P3, `contract.md` 15). */
export interface PromptStatus {
  readonly current: boolean;
  readonly composedAt: string | null;
  readonly instructionsChanged: boolean;
  readonly memoriesChanged: boolean;
  readonly toolsChanged: boolean;
  /** The agent was deleted: its kept copy stays for this conversation, so nothing else can be behind it. */
  readonly agentRemoved: boolean;
  readonly skills: readonly SkillMoved[];
  readonly kept: PromptVersions;
  readonly wouldBe: PromptVersions;
  /** Names this set of changes, for dismissing the banner until the next one. Null when current. */
  readonly hash: string | null;
}

type Kept = StoredEvent<'prompt.kept'>;

/**
 * Whether the kept prompt is what would be composed now, and what moved on. `kept` null: not composed yet, and
 * then it is current. `wouldBe` null: the agent was deleted; the kept copy stays in force and there is nothing to
 * catch up with. A deleted skill must not be in `wouldBe`; it shows as `removed`, its kept copy staying until the
 * next compaction. A new wording of the application alone makes no conversation behind (`contract.md` 15). An agent
 * version that changed nothing a model reads is behind without a named change: the mark is shown, the banner not.
 */
export function judgeBehind(kept: Kept | null, wouldBe: ComposedPrompt | null): PromptStatus {
  if (kept === null) return notComposed(wouldBe);
  if (wouldBe === null) return agentGone(kept);
  const skills = compareSkills(kept.skills, wouldBe.skills);
  const changes = {
    instructionsChanged: readSection(kept, 'agent') !== readSection(wouldBe, 'agent'),
    memoriesChanged: kept.memoryHash !== wouldBe.memoryHash,
    toolsChanged: hashTools(kept.tools) !== hashTools(wouldBe.tools),
    skills,
  };
  const sameAgent = kept.agentVersion === wouldBe.agentVersion && !changes.instructionsChanged;
  const current = sameAgent && !changes.memoriesChanged && !changes.toolsChanged && skills.length === 0;
  return {
    current,
    composedAt: kept.at,
    ...changes,
    agentRemoved: false,
    kept: versionsOf(kept),
    wouldBe: versionsOf(wouldBe),
    hash: current ? null : hashOf(wouldBe),
  };
}

/** The same prompt as the kept one would be sent, byte for byte: then nothing is appended and the prefix lives on. */
export function isSamePrompt(kept: Kept | null, wouldBe: ComposedPrompt): boolean {
  return kept !== null && kept.text === wouldBe.text && hashTools(kept.tools) === hashTools(wouldBe.tools);
}

const UNCHANGED = { instructionsChanged: false, memoriesChanged: false, toolsChanged: false, skills: [] } as const;
const NO_VERSIONS: PromptVersions = { agentVersion: null, skills: [] };

function notComposed(wouldBe: ComposedPrompt | null): PromptStatus {
  return {
    current: true,
    composedAt: null,
    ...UNCHANGED,
    agentRemoved: wouldBe === null,
    kept: NO_VERSIONS,
    wouldBe: wouldBe === null ? NO_VERSIONS : versionsOf(wouldBe),
    hash: null,
  };
}

function agentGone(kept: Kept): PromptStatus {
  const versions = versionsOf(kept);
  const hash = createHash('sha256')
    .update(JSON.stringify(['agent removed', kept.agentVersion]))
    .digest('hex');
  return {
    current: true,
    composedAt: kept.at,
    ...UNCHANGED,
    agentRemoved: true,
    kept: versions,
    wouldBe: versions,
    hash,
  };
}

/** Skills of the new prompt first, in its order, then those that are gone. The name is the newest one known. */
function compareSkills(kept: PromptVersions['skills'], wouldBe: PromptVersions['skills']): readonly SkillMoved[] {
  const before = new Map(kept.map((skill) => [skill.id, skill]));
  const after = new Set(wouldBe.map((skill) => skill.id));
  const moved: SkillMoved[] = [];
  for (const { id, name, version } of wouldBe) {
    const from = before.get(id)?.version ?? null;
    if (from === null) moved.push({ id, name, change: 'added', from, to: version });
    else if (from !== version) moved.push({ id, name, change: 'newer', from, to: version });
  }
  for (const { id, name, version } of kept) {
    if (!after.has(id)) moved.push({ id, name, change: 'removed', from: version, to: null });
  }
  return moved;
}

function versionsOf({ agentVersion, skills }: PromptVersions): PromptVersions {
  return { agentVersion, skills: skills.map(({ id, name, version }) => ({ id, name, version })) };
}

/** Order of tools is part of the prefix, so it counts; order of keys inside a schema does too. */
function hashTools(tools: readonly ToolSchema[]): string {
  const lines = tools.map(({ name, description, inputSchema }) => JSON.stringify([name, description, inputSchema]));
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}

/** Of the would-be set alone: dismissed stays dismissed until the next version, however the kept one came about. */
function hashOf(wouldBe: ComposedPrompt): string {
  const set = {
    agent: wouldBe.agentVersion,
    skills: wouldBe.skills.map(({ id, version }) => [id, version]),
    memories: wouldBe.memoryHash,
    tools: hashTools(wouldBe.tools),
  };
  return createHash('sha256').update(JSON.stringify(set)).digest('hex');
}
