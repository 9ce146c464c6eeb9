'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { type Skill, skillSchema } from '@/server/contract/skill';
import { callApi } from '../sync/api-client';
import { skillsQuery } from '../sync/queries';
import type { DocumentEntry } from '../versions/document-list';
import { DocumentsPage } from '../versions/documents-page';
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
    <DocumentsPage
      title="Skills"
      noun="skill"
      base="/skills"
      entries={skills.data?.skills.map(toEntry) ?? null}
      currentId={skillId}
      onCreate={create}
      error={skills.error}
      onRetry={() => void skills.refetch()}
      editor={skill ? <SkillEditor key={skill.id} skill={skill} /> : null}
    />
  );
}
