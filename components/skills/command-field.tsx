'use client';

import { useState } from 'react';
import { type SkillCommand, skillCommandSchema } from '@/server/contract/skill';
import { CheckRow, Field, TextInput } from '../ui/field';

export type CommandFieldProps = {
  readonly command: SkillCommand | undefined;
  readonly onChange: (command: SkillCommand | undefined) => void;
};

/** A slash command the skill brings along. A name that is not allowed stays in the field and is not saved. */
export function CommandField({ command, onChange }: CommandFieldProps) {
  const [on, setOn] = useState(command !== undefined);
  const [name, setName] = useState(command?.name ?? '');
  const [argument, setArgument] = useState(command?.argument ?? '');
  const problem = on && name !== '' ? problemOf({ name, argument }) : null;
  const set = (next: SkillCommand, kept: boolean) => {
    setName(next.name);
    setArgument(next.argument);
    setOn(kept);
    if (!kept) onChange(undefined);
    else if (skillCommandSchema.safeParse(next).success) onChange(next);
  };
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="title-3 mb-1">Command</legend>
      <CheckRow
        label="Offer it in the slash menu"
        checked={on}
        onChange={(event) => set({ name, argument }, event.target.checked)}
      />
      {on ? (
        <div className="flex flex-wrap gap-3">
          <Field label="Name" error={problem} className="w-48">
            {(control) => (
              <TextInput
                {...control}
                face="machine"
                placeholder="columns"
                value={name}
                onChange={(event) => set({ name: event.target.value, argument }, true)}
              />
            )}
          </Field>
          <Field label="Argument hint" className="min-w-48 flex-1">
            {(control) => (
              <TextInput
                {...control}
                placeholder="table, or empty"
                value={argument}
                onChange={(event) => set({ name, argument: event.target.value }, true)}
              />
            )}
          </Field>
        </div>
      ) : null}
    </fieldset>
  );
}

function problemOf(command: SkillCommand): string | null {
  const parsed = skillCommandSchema.safeParse(command);
  return parsed.success ? null : (parsed.error.issues[0]?.message ?? 'This name is not allowed.');
}
