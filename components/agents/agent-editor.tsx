'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type Agent, type AgentContent, agentSchema } from '@/server/contract/agent';
import { agentQuery, agentsQuery, agentVersionsQuery, skillsQuery } from '../sync/queries';
import { ContentView } from '../versions/content-view';
import { DocumentEditor } from '../versions/document-editor';
import { InstructionsField } from '../versions/instructions-field';
import { NameFields } from '../versions/name-fields';
import { useVersionedDraft } from '../versions/use-versioned-draft';
import { AgentModelField } from './agent-model-field';
import { AgentSkillsField } from './agent-skills-field';
import { AgentToolsField } from './agent-tools-field';
import { OpenersField } from './openers-field';

function sayEffect(conversations: number): string {
  if (conversations === 0) return 'No conversation is affected; new ones begin with it.';
  const count = conversations === 1 ? '1 conversation' : `${conversations} conversations`;
  return `${count} will be behind. Each takes the new version when it next compacts.`;
}

/** The draft of one agent; everything in it affects behaviour, so everything in it is versioned (P2). */
export function AgentEditor({ agent }: { readonly agent: Agent }) {
  const client = useQueryClient();
  const versions = useQuery(agentVersionsQuery(agent.id));
  const { draft, publish } = useVersionedDraft<AgentContent, Agent>({
    document: agent,
    path: `/agents/${agent.id}`,
    schema: agentSchema,
    reload: () => client.fetchQuery({ ...agentQuery(agent.id), staleTime: 0 }),
    refresh: () => client.invalidateQueries({ queryKey: agentsQuery().queryKey }),
  });
  const { content, change } = draft;
  return (
    <DocumentEditor
      kind="agents"
      id={agent.id}
      name={content.name}
      current={agent.current}
      draftChanged={agent.draftChanged}
      versions={versions.data?.versions ?? []}
      effect={sayEffect(agent.conversations)}
      draft={draft}
      onPublish={publish}
      onRestore={change}
      renderContent={(old) => <AgentContentView content={old} />}
    >
      <NameFields
        name={content.name}
        onName={(name) => change({ name })}
        about={{ label: 'Purpose', hint: 'Shown where a conversation begins.', value: content.purpose }}
        onAbout={(purpose) => change({ purpose })}
      />
      <OpenersField openers={content.openers} onChange={(openers) => change({ openers })} />
      <InstructionsField value={content.instructions} onChange={(instructions) => change({ instructions })} />
      <AgentSkillsField skills={content.skills} onChange={(skills) => change({ skills })} />
      <AgentToolsField tools={content.tools} onChange={(tools) => change({ tools })} />
      <AgentModelField model={content.model} onChange={(model) => change({ model })} />
    </DocumentEditor>
  );
}

function AgentContentView({ content }: { readonly content: AgentContent }) {
  const skills = useQuery(skillsQuery());
  const nameOf = (id: string) => skills.data?.skills.find((skill) => skill.id === id)?.draft.name ?? id;
  return (
    <ContentView
      parts={[
        { label: 'Name', value: content.name },
        { label: 'Purpose', value: content.purpose },
        { label: 'Openers', value: content.openers },
        { label: 'Instructions', value: content.instructions, machine: true },
        {
          label: 'Skills',
          value: content.skills.map(
            ({ id, version }) => `${nameOf(id)}, ${version === 'latest' ? 'latest' : `v${version}`}`,
          ),
        },
        { label: 'Tools', value: content.tools, machine: true },
        {
          label: 'Model',
          value: content.model ? `${content.model.provider}/${content.model.model}` : 'First ready model',
        },
      ]}
    />
  );
}
