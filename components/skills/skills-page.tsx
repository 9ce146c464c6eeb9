'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { type Skill, skillSchema } from '@/server/contract/skill';
import { PageFrame } from '../shell/main-header';
import { callApi, toMessage } from '../sync/api-client';
import { skillsQuery } from '../sync/queries';
import { Button } from '../ui/button';
import { type DocumentEntry, DocumentList } from '../versions/document-list';
import { SkillEditor } from './skill-editor';

function toEntry(skill: Skill): DocumentEntry {
  const used = skill.usedBy.length === 1 ? 'used by 1 agent' : `used by ${skill.usedBy.length} agents`;
  return {
    id: skill.id,
    name: skill.draft.name,
    about: skill.draft.description,
    facts: [skill.current === null ? 'draft only' : `v${skill.current}`, used],
    behind: 0,
  };
}

/** All skills, and the editor of one. */
export function SkillsPage({ skillId }: { readonly skillId: string | null }) {
  const client = useQueryClient();
  const router = useRouter();
  const skills = useQuery(skillsQuery());
  const create = async (name: string) => {
    const skill = await callApi('/skills', { method: 'POST', body: { name }, schema: skillSchema });
    await client.invalidateQueries({ queryKey: skillsQuery().queryKey });
    router.push(`/skills/${skill.id}`);
  };
  const skill = skills.data?.skills.find((candidate) => candidate.id === skillId);
  return (
    <PageFrame title="Skills">
      <div className="flex h-full">
        {skills.isError ? (
          <div className="p-6">
            <p className="mb-3 text-danger">{toMessage(skills.error)}</p>
            <Button onClick={() => void skills.refetch()}>Try again</Button>
          </div>
        ) : null}
        {skills.data ? (
          <DocumentList
            noun="skill"
            base="/skills"
            entries={skills.data.skills.map(toEntry)}
            currentId={skillId}
            onCreate={create}
          />
        ) : null}
        {skill ? <SkillEditor key={skill.id} skill={skill} /> : null}
        {skills.data && skillId !== null && !skill ? (
          <p className="record p-6 text-record text-ink-2">There is no such skill.</p>
        ) : null}
      </div>
    </PageFrame>
  );
}
