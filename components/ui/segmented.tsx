'use client';

import { useId } from 'react';

export type SegmentedProps<Value extends string> = {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value) => void;
};

/** A choice of a few words side by side: radio buttons underneath, so arrows move and Tab leaves. */
export function Segmented<Value extends string>({ label, value, options, onChange }: SegmentedProps<Value>) {
  const name = useId();
  return (
    <fieldset className="inline-flex overflow-clip rounded-control border border-line-2 bg-raised">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className="flex min-h-[1.875rem] cursor-pointer items-center border-line-2 px-2.5 text-ui text-ink-2 not-first-of-type:border-l has-checked:bg-accent-wash has-checked:font-[650] has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-focus pointer-coarse:min-h-[2.75rem]"
        >
          <input
            type="radio"
            name={name}
            className="sr-only"
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
