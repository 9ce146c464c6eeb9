import { type Agent, type AgentContent, type AgentVersionsAnswer, agentContentSchema } from '@/server/contract/agent';
import type { Skill, SkillContent, SkillVersionsAnswer } from '@/server/contract/skill';
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

export function toAgentVersions(
  library: Library<AgentContent>,
  id: string,
  uses: readonly PromptUse[],
): AgentVersionsAnswer {
  const on = (version: number) => uses.filter((use) => use.agentId === id && use.agentVersion === version).length;
  return { versions: library.versions(id).map((each) => ({ ...each, conversations: on(each.version) })) };
}

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
