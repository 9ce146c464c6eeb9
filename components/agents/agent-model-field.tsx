'use client';

import { useQuery } from '@tanstack/react-query';
import type { AgentContent } from '@/server/contract/agent';
import { toModelKey } from '@/server/contract/names';
import { modelsQuery } from '../sync/queries';
import { Field, Select } from '../ui/field';
import { formatWindow } from '../ui/format-bytes';

type Model = AgentContent['model'];

export type AgentModelFieldProps = { readonly model: Model; readonly onChange: (model: Model) => void };

/** A model, or the first ready one. A model that is not there (any more) stays in the list as what it is. */
export function AgentModelField({ model, onChange }: AgentModelFieldProps) {
  const models = useQuery(modelsQuery());
  const known = models.data?.models ?? [];
  const value = model === null ? '' : toModelKey(model);
  const missing = value !== '' && !known.some((info) => toModelKey(info) === value);
  const choose = (key: string) => {
    const info = known.find((candidate) => toModelKey(candidate) === key);
    if (key === '') onChange(null);
    else if (info) onChange({ provider: info.provider, model: info.model });
  };
  return (
    <Field label="Model" hint="A conversation may choose another for itself.">
      {(control) => (
        <Select {...control} className="self-start" value={value} onChange={(event) => choose(event.target.value)}>
          <option value="">First ready model</option>
          {missing ? <option value={value}>{value} (not connected)</option> : null}
          {known.map((info) => (
            <option key={toModelKey(info)} value={toModelKey(info)}>
              {info.providerName}: {info.label}, {formatWindow(info.windowTokens)}
              {info.state === 'key_missing' ? ' (key missing)' : ''}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
