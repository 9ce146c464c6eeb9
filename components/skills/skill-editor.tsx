'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { type Skill, type SkillContent, skillSchema } from '@/server/contract/skill';
import { agentsQuery, skillQuery, skillsQuery, skillVersionsQuery } from '../sync/queries';
import { ContentView } from '../versions/content-view';
import { DocumentEditor } from '../versions/document-editor';
import { InstructionsField } from '../versions/instructions-field';
import { NameFields } from '../versions/name-fields';
import { useVersionedDraft } from '../versions/use-versioned-draft';
import { CommandField } from './command-field';

function sayEffect(usedBy: Skill['usedBy']): string {
  if (usedBy.length === 0) return 'No agent uses it yet, so no conversation is affected.';
  const names = usedBy.map((agent) => agent.name).join(', ');
  return `Conversations of ${names} will be behind where the agent takes the latest version. A pinned version stays.`;
}

/** The draft of one skill, and which agents it reaches. */
export function SkillEditor({ skill }: { readonly skill: Skill }) {
  const client = useQueryClient();
  const versions = useQuery(skillVersionsQuery(skill.id));
  const { draft, publish } = useVersionedDraft<SkillContent, Skill>({
    document: skill,
    path: `/skills/${skill.id}`,
    schema: skillSchema,
    reload: () => client.fetchQuery({ ...skillQuery(skill.id), staleTime: 0 }),
    // A published one moves the agents that take the newest.
    refresh: () =>
      Promise.all([skillsQuery(), agentsQuery()].map(({ queryKey }) => client.invalidateQueries({ queryKey }))),
    // A command that was taken away must be said: what is left out of a patch stays.
    toBody: (patch) => ('command' in patch ? { ...patch, command: patch.command ?? null } : patch),
  });
  const { content, change } = draft;
  return (
    <DocumentEditor
      kind="skills"
      id={skill.id}
      name={content.name}
      current={skill.current}
      draftChanged={skill.draftChanged}
      versions={versions.data?.versions ?? []}
      effect={sayEffect(skill.usedBy)}
      draft={draft}
      onPublish={publish}
      onRestore={(old) => change({ ...old, command: old.command })}
      renderContent={(old) => <SkillContentView content={old} />}
    >
      <NameFields
        name={content.name}
        onName={(name) => change({ name })}
        about={{ label: 'Description', hint: 'One sentence on when it helps.', value: content.description }}
        onAbout={(description) => change({ description })}
      />
      <InstructionsField value={content.instructions} onChange={(instructions) => change({ instructions })} />
      <CommandField command={content.command} onChange={(command) => change({ command })} />
      <section aria-labelledby="used-by" className="flex flex-col gap-1">
        <h2 id="used-by" className="title-3">
          Used by
        </h2>
        {skill.usedBy.length === 0 ? <p className="text-ink-2">No agent yet.</p> : null}
        <ul className="flex flex-wrap gap-x-4 gap-y-1">
          {skill.usedBy.map((agent) => (
            <li key={agent.id}>
              <Link href={`/agents/${agent.id}`} className="inline-block py-0.5 text-accent hover:underline">
                {agent.name}
              </Link>
            </li>
          ))}
        </ul>
      </section>
    </DocumentEditor>
  );
}

function SkillContentView({ content }: { readonly content: SkillContent }) {
  return (
    <ContentView
      parts={[
        { label: 'Name', value: content.name },
        { label: 'Description', value: content.description },
        { label: 'Instructions', value: content.instructions, machine: true },
        {
          label: 'Command',
          value: content.command ? `/${content.command.name} ${content.command.argument}`.trim() : '',
        },
      ]}
    />
  );
}
