import type { ReactNode } from 'react';

export type ContentPart = {
  readonly label: string;
  readonly value: string | readonly string[];
  readonly machine?: boolean;
};

/** A published content to read: parts with their labels, empty ones left out. */
export function ContentView({ parts }: { readonly parts: readonly ContentPart[] }) {
  return (
    <dl className="flex flex-col gap-4">
      {parts
        .filter((part) => part.value.length > 0)
        .map((part) => (
          <div key={part.label}>
            <dt className="title-3 mb-1">{part.label}</dt>
            <dd>{renderValue(part)}</dd>
          </div>
        ))}
    </dl>
  );
}

function renderValue({ value, machine }: ContentPart): ReactNode {
  if (typeof value !== 'string') {
    return (
      <ul className="list-disc pl-5">
        {value.map((text) => (
          <li key={text} className={machine ? 'font-machine text-mono' : undefined}>
            {text}
          </li>
        ))}
      </ul>
    );
  }
  if (!machine) return <p className="max-w-(--prose) whitespace-pre-wrap">{value}</p>;
  return (
    <pre className="rounded-control border border-line bg-sunken p-3.5 font-machine text-mono break-words whitespace-pre-wrap">
      {value}
    </pre>
  );
}
