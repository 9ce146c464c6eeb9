'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type Agent, type AgentContent, agentSchema } from '@/server/contract/agent';
import { callApi } from '../sync/api-client';
import { agentQuery, agentsQuery, agentVersionsQuery, skillsQuery } from '../sync/queries';
import { Field, TextArea, TextInput } from '../ui/field';
import { ContentView } from '../versions/content-view';
import { DocumentEditor } from '../versions/document-editor';
import { InstructionsField } from '../versions/instructions-field';
import { useDraft } from '../versions/use-draft';
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
  const path = `/agents/${agent.id}`;
  const refresh = () => client.invalidateQueries({ queryKey: agentsQuery().queryKey });
  const draft = useDraft<AgentContent>({
    document: agent,
    save: async (patch, revision) => {
      const answer = await callApi(path, { method: 'PATCH', body: { ...patch, revision }, schema: agentSchema });
      void refresh();
      return answer;
    },
    reload: () => client.fetchQuery({ ...agentQuery(agent.id), staleTime: 0 }),
  });
  const { content, change } = draft;
  const publish = async (note: string) => {
    await draft.flush();
    const body = { note: note || undefined, revision: draft.revision() };
    await callApi(`${path}/publish`, { method: 'POST', body, schema: agentSchema });
    await refresh();
  };
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
      <Field label="Name">
        {(control) => (
          <TextInput
            {...control}
            maxLength={60}
            value={content.name}
            onChange={(event) => change({ name: event.target.value })}
          />
        )}
      </Field>
      <Field label="Purpose" hint="Shown where a conversation begins.">
        {(control) => (
          <TextArea
            {...control}
            rows={2}
            value={content.purpose}
            onChange={(event) => change({ purpose: event.target.value })}
          />
        )}
      </Field>
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
