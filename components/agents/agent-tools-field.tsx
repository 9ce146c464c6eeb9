'use client';

import { CheckRow } from '../ui/field';
import { offeredTools } from './known-tools';

export type AgentToolsFieldProps = { readonly tools: readonly string[]; readonly onChange: (tools: string[]) => void };

/** The tools an agent may use. Reading is free; what writes or reaches out asks first. */
export function AgentToolsField({ tools, onChange }: AgentToolsFieldProps) {
  const offered = offeredTools(tools);
  const set = (name: string, on: boolean) =>
    // Kept in the offered order, so ticking one off and on again is no change of version.
    onChange(offered.map((tool) => tool.name).filter((other) => (other === name ? on : tools.includes(other))));
  return (
    <fieldset className="flex flex-col">
      <legend className="title-3 mb-1">Tools</legend>
      {offered.map((tool) => (
        <CheckRow
          key={tool.name}
          className="border-b border-line py-1"
          checked={tools.includes(tool.name)}
          onChange={(event) => set(tool.name, event.target.checked)}
          label={
            <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3">
              <code className="w-36 text-mono">{tool.name}</code>
              <span className="text-ink-2">{tool.text}</span>
              {tool.asks ? <span className="ml-auto text-small text-ink-3">asks first</span> : null}
            </span>
          }
        />
      ))}
    </fieldset>
  );
}
