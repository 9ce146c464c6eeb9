import type { AgentContent } from '@/server/contract/agent';
import type { SkillContent } from '@/server/contract/skill';
import { type ComposedPrompt, composePrompt, type PromptSkill } from '@/server/core/prompt/compose';
import { APPLICATION_TEXT } from '@/server/core/prompt/wording';
import { BUILT_IN_TOOLS, pickTools, toSchemas } from '@/server/tools/toolbox';
import type { Library } from './library';

export interface PromptLibraries {
  readonly agents: Library<AgentContent>;
  readonly skills: Library<SkillContent>;
}

/** The agent of a conversation as published now; `gone` where it was deleted. */
export type AgentNow =
  | { readonly kind: 'none' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'here'; readonly id: string; readonly version: number; readonly content: AgentContent };

/** The agent with this id as it is published now. */
export function agentNow({ agents }: PromptLibraries, agentId: string | null): AgentNow {
  if (agentId === null) return { kind: 'none' };
  const published = agents.published(agentId, 'latest');
  return published === null ? { kind: 'gone' } : { kind: 'here', id: agentId, ...published };
}

/**
 * What would be composed for this agent now (P1, P3); null where the agent was deleted: then the kept copy stays.
 * A deleted skill is left out, an agent's pin of a version is kept to.
 */
export function composeNow(libraries: PromptLibraries, agent: AgentNow): ComposedPrompt | null {
  if (agent.kind === 'gone') return null;
  const content = agent.kind === 'here' ? agent.content : null;
  const tools = content === null ? BUILT_IN_TOOLS : pickTools(content.tools);
  return composePrompt({
    application: APPLICATION_TEXT,
    agent:
      agent.kind === 'here' ? { id: agent.id, version: agent.version, instructions: agent.content.instructions } : null,
    skills: (content?.skills ?? []).flatMap(({ id, version }) => toPromptSkill(libraries.skills, id, version)),
    memories: [],
    tools: toSchemas(tools),
  });
}

function toPromptSkill(skills: Library<SkillContent>, id: string, version: number | 'latest'): readonly PromptSkill[] {
  const published = skills.published(id, version);
  if (published === null) return [];
  return [
    { id, name: published.content.name, version: published.version, instructions: published.content.instructions },
  ];
}
