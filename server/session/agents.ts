import {
  type Agent,
  type AgentContent,
  type AgentsAnswer,
  type AgentVersionsAnswer,
  agentContentSchema,
  type CreateAgent,
  type PatchAgent,
} from '@/server/contract/agent';
import { AppError } from '@/server/contract/error';
import type { VersionRef } from '@/server/contract/names';
import type {
  CreateSkill,
  PatchSkill,
  Skill,
  SkillContent,
  SkillsAnswer,
  SkillVersionsAnswer,
} from '@/server/contract/skill';
import type { Publish } from '@/server/contract/versions';
import type { Library, LibraryEntry } from './library';

/** What is known of each conversation's prompt: enough to count who is behind. */
export interface PromptUse {
  readonly sessionId: string;
  readonly agentId: string | null;
  readonly agentVersion: number | null;
  readonly skills: readonly { readonly id: string; readonly version: number }[];
  readonly behind: boolean;
}

export const AGENT_TEXTS: readonly (keyof AgentContent)[] = ['instructions', 'purpose'];
export const SKILL_TEXTS: readonly (keyof SkillContent)[] = ['instructions', 'description'];

/** A new agent with nothing chosen yet but its name. */
export function newAgentContent(content: Partial<AgentContent> & { readonly name: string }): AgentContent {
  return agentContentSchema.parse({
    purpose: '',
    openers: [],
    instructions: '',
    skills: [],
    tools: ['list_files', 'read_file', 'search_files', 'update_plan', 'mask_tool_result', 'recall'],
    model: null,
    fallbacks: [],
    settings: {},
    ...content,
  });
}

/** A new skill; what is missing is empty. */
export function newSkillContent(content: Partial<SkillContent> & { readonly name: string }): SkillContent {
  return { description: '', instructions: '', ...content };
}

/** An agent as the API answers it, with how many conversations it has and how many are behind (P3). */
export function toAgent(
  entry: LibraryEntry<AgentContent>,
  uses: readonly PromptUse[],
  defaultId: string | null,
): Agent {
  const own = uses.filter((use) => use.agentId === entry.stored.id);
  return {
    id: entry.stored.id,
    ...toVersioned(entry),
    draft: entry.draft,
    published: entry.published,
    conversations: own.length,
    behind: own.filter((use) => use.behind).length,
    isDefault: entry.stored.id === defaultId,
  };
}

/** A skill as the API answers it, with the agents that name it in what they published or draft. */
export function toSkill(entry: LibraryEntry<SkillContent>, agents: Library<AgentContent>): Skill {
  const names = (content: AgentContent | null) =>
    content?.skills.some((skill) => skill.id === entry.stored.id) ?? false;
  const usedBy = agents
    .list()
    .filter((agent) => names(agent.published) || names(agent.draft))
    .map((agent) => ({ id: agent.stored.id, name: agent.draft.name }));
  return { id: entry.stored.id, ...toVersioned(entry), draft: entry.draft, published: entry.published, usedBy };
}

/** Published versions of an agent, with how many conversations were composed with each. */
export function toAgentVersions(
  library: Library<AgentContent>,
  id: string,
  uses: readonly PromptUse[],
): AgentVersionsAnswer {
  const on = (version: number) => uses.filter((use) => use.agentId === id && use.agentVersion === version).length;
  return { versions: library.versions(id).map((each) => ({ ...each, conversations: on(each.version) })) };
}

/** The same of a skill. */
export function toSkillVersions(
  library: Library<SkillContent>,
  id: string,
  uses: readonly PromptUse[],
): SkillVersionsAnswer {
  const on = (version: number) =>
    uses.filter((use) => use.skills.some((skill) => skill.id === id && skill.version === version)).length;
  return { versions: library.versions(id).map((each) => ({ ...each, conversations: on(each.version) })) };
}

function toVersioned<Content>({ stored, draftChanged }: LibraryEntry<Content>) {
  return {
    current: stored.currentVersion > 0 ? stored.currentVersion : null,
    revision: stored.revision,
    draftChanged,
    createdAt: new Date(stored.createdAt).toISOString(),
    updatedAt: new Date(stored.draftAt).toISOString(),
  };
}

export interface CatalogueDeps {
  readonly agents: Library<AgentContent>;
  readonly skills: Library<SkillContent>;
  /** Prompt use of every conversation, from the index. */
  readonly promptUses: () => readonly PromptUse[];
  /** Who publishes, where nobody else is known. */
  readonly owner: string;
}

/** New conversations without an agent named use the oldest published one. */
export function defaultAgentId(agents: Library<AgentContent>): string | null {
  const published = agents.list().filter((entry) => entry.published !== null);
  // By when it was made, not by id: the first agent's id is fixed and says nothing about its age.
  return published.sort((a, b) => a.stored.createdAt - b.stored.createdAt)[0]?.stored.id ?? null;
}

/** The agents page and its API. Errors as in `Library`. */
export function createAgentsUse({ agents, promptUses, owner }: CatalogueDeps) {
  const show = (entry: LibraryEntry<AgentContent>) => toAgent(entry, promptUses(), defaultAgentId(agents));
  return {
    list: (q?: string): AgentsAnswer => ({ agents: agents.list(q).map(show) }),
    get: (id: string) => show(agents.get(id)),
    create: (content: CreateAgent) => show(agents.create(newAgentContent(content))),
    patch: (id: string, { revision, ...change }: PatchAgent) => show(agents.patch(id, change, revision)),
    publish: (id: string, request: Publish) => show(agents.publish(id, request, owner)),
    versions: (id: string) => toAgentVersions(agents, id, promptUses()),
    diff: (id: string, from: VersionRef, to: VersionRef) => agents.diff(id, from, to),
    remove: (id: string) => {
      if (agents.get(id).stored.id === defaultAgentId(agents)) {
        throw new AppError('conflict', 'New conversations begin with this agent, so it cannot be removed.');
      }
      agents.remove(id);
    },
  };
}

/** The skills page and its API. Errors as in `Library`. */
export function createSkillsUse({ agents, skills, promptUses, owner }: CatalogueDeps) {
  const show = (entry: LibraryEntry<SkillContent>) => toSkill(entry, agents);
  return {
    list: (q?: string): SkillsAnswer => ({ skills: skills.list(q).map(show) }),
    get: (id: string) => show(skills.get(id)),
    create: (content: CreateSkill) => show(skills.create(newSkillContent(content))),
    patch: (id: string, { revision, command, ...change }: PatchSkill) =>
      show(skills.patch(id, command === undefined ? change : { ...change, command: command ?? undefined }, revision)),
    publish: (id: string, request: Publish) => show(skills.publish(id, request, owner)),
    versions: (id: string) => toSkillVersions(skills, id, promptUses()),
    diff: (id: string, from: VersionRef, to: VersionRef) => skills.diff(id, from, to),
    remove: (id: string) => skills.remove(id),
  };
}
