'use client';

import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { AgentSkill } from '@/server/contract/agent';
import type { Skill } from '@/server/contract/skill';
import { skillsQuery } from '../sync/queries';
import { Select } from '../ui/field';
import { OrderedList } from '../ui/ordered-list';
import { useListChanges } from '../ui/use-list-changes';

export type AgentSkillsFieldProps = {
  readonly skills: readonly AgentSkill[];
  readonly onChange: (skills: AgentSkill[]) => void;
};

/** The skills of an agent in the order they stand in its prompt, each at one version or always the newest. */
export function AgentSkillsField({ skills, onChange }: AgentSkillsFieldProps) {
  const all = useQuery(skillsQuery());
  const add = useRef<HTMLSelectElement>(null);
  const known = all.data?.skills ?? [];
  const find = (id: string) => known.find((skill) => skill.id === id);
  const nameOf = (entry: AgentSkill) => find(entry.id)?.draft.name ?? 'A deleted skill';
  const free = known.filter((skill) => skill.current !== null && !skills.some((entry) => entry.id === skill.id));
  const changes = useListChanges({
    items: skills,
    keyOf: (entry) => entry.id,
    nameOf,
    onChange: (next) => onChange([...next]),
  });
  const setVersion = (id: string, version: AgentSkill['version']) =>
    onChange(skills.map((entry) => (entry.id === id ? { id, version } : entry)));
  const take = (id: string) => {
    const entry: AgentSkill = { id, version: 'latest' };
    changes.change([...skills, entry], `${nameOf(entry)} added.`);
  };
  return (
    <section aria-labelledby="agent-skills" className="flex flex-col gap-2">
      <h2 id="agent-skills" className="title-3">
        Skills
      </h2>
      {skills.length > 0 ? (
        <OrderedList label="Skills in order" changes={changes} onEmptied={() => add.current?.focus()}>
          {(entry) => (
            <SkillRow
              name={nameOf(entry)}
              entry={entry}
              skill={find(entry.id)}
              onVersion={(version) => setVersion(entry.id, version)}
            />
          )}
        </OrderedList>
      ) : null}
      <Select
        ref={add}
        aria-label="Add a skill"
        className="self-start"
        value=""
        disabled={free.length === 0}
        onChange={(event) => take(event.target.value)}
      >
        <option value="">{free.length === 0 ? 'No other published skill' : 'Add a skill…'}</option>
        {free.map((skill) => (
          <option key={skill.id} value={skill.id}>
            {skill.draft.name}
          </option>
        ))}
      </Select>
    </section>
  );
}

type SkillRowProps = {
  readonly name: string;
  readonly entry: AgentSkill;
  readonly skill: Skill | undefined;
  readonly onVersion: (version: AgentSkill['version']) => void;
};

function SkillRow({ name, entry, skill, onVersion }: SkillRowProps) {
  const newest = skill?.current ?? (entry.version === 'latest' ? 0 : entry.version);
  const versions = Array.from({ length: newest }, (_, index) => newest - index);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span className="min-w-32 flex-1 truncate font-[650]">{name}</span>
      <Select
        aria-label={`Version of ${name}`}
        value={String(entry.version)}
        onChange={(event) => onVersion(event.target.value === 'latest' ? 'latest' : Number(event.target.value))}
      >
        <option value="latest">latest{newest > 0 ? ` (v${newest})` : ''}</option>
        {versions.map((version) => (
          <option key={version} value={version}>
            v{version}
          </option>
        ))}
      </Select>
    </div>
  );
}
