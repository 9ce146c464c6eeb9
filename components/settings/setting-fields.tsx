'use client';

import { type KeyboardEvent, type ReactNode, useEffect, useState } from 'react';
import type { SettingsPatch } from '@/server/contract/settings';
import { Select, Switch, TextInput } from '../ui/field';
import { SettingRow } from './setting-row';
import { useSaveSettings } from './use-save-settings';

type Common = { readonly label: string; readonly hint?: ReactNode };

export type SwitchSettingProps = Common & {
  readonly value: boolean;
  readonly toPatch: (value: boolean) => SettingsPatch;
};

export function SwitchSetting({ label, hint, value, toPatch }: SwitchSettingProps) {
  const { state, save, retry } = useSaveSettings();
  return (
    <SettingRow label={label} hint={hint} state={state} onRetry={retry} onKeepMine={retry}>
      {(control) => <Switch {...control} checked={value} onChange={(event) => save(toPatch(event.target.checked))} />}
    </SettingRow>
  );
}

export type ChoiceSettingProps<Value extends string> = Common & {
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly toPatch: (value: Value) => SettingsPatch;
};

export function ChoiceSetting<Value extends string>(props: ChoiceSettingProps<Value>) {
  const { label, hint, value, options, toPatch } = props;
  const { state, save, retry } = useSaveSettings();
  const choose = (text: string) => {
    const option = options.find((candidate) => candidate.value === text);
    if (option) save(toPatch(option.value));
  };
  return (
    <SettingRow label={label} hint={hint} state={state} onRetry={retry} onKeepMine={retry}>
      {(control) => (
        <Select {...control} value={value} onChange={(event) => choose(event.target.value)}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </Select>
      )}
    </SettingRow>
  );
}

export type NumberSettingProps = Common & {
  /** In the unit that is shown; null where it may be left to a rule. */
  readonly value: number | null;
  readonly min: number;
  readonly max: number;
  readonly unit: string;
  /** Shown while the value is null; a field without it must hold a number. */
  readonly emptyText?: string;
  readonly toPatch: (value: number | null) => SettingsPatch;
};

function readNumber(text: string, { min, max, emptyText }: NumberSettingProps): number | null | 'refused' {
  if (text.trim() === '') return emptyText === undefined ? 'refused' : null;
  const value = Number(text.replace(',', '.'));
  return Number.isFinite(value) && value >= min && value <= max ? value : 'refused';
}

/** A number with its unit. Saved when it is left or Enter is pressed; one out of range stays in the field and is not sent. */
export function NumberSetting(props: NumberSettingProps) {
  const { label, hint, value, min, max, unit, emptyText, toPatch } = props;
  const { state, save, retry } = useSaveSettings();
  const shown = value === null ? '' : String(value);
  const [text, setText] = useState(shown);
  useEffect(() => setText(shown), [shown]);
  const read = readNumber(text, props);
  const range = `Between ${min.toLocaleString('en')} and ${max.toLocaleString('en')} ${unit}.`;
  const commit = () => {
    if (read !== 'refused' && read !== value) save(toPatch(read));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') commit();
    if (event.key === 'Escape') setText(shown);
  };
  return (
    <SettingRow
      label={label}
      hint={hint}
      state={state}
      problem={read === 'refused' ? range : null}
      onRetry={retry}
      onKeepMine={retry}
    >
      {(control) => (
        <span className="flex items-center gap-1.5">
          <TextInput
            {...control}
            inputMode="decimal"
            aria-invalid={read === 'refused' ? true : undefined}
            placeholder={emptyText}
            className="numbers w-24 text-right"
            value={text}
            onChange={(event) => setText(event.target.value)}
            onBlur={commit}
            onKeyDown={onKeyDown}
          />
          <span className="w-10 text-ink-2">{unit}</span>
        </span>
      )}
    </SettingRow>
  );
}
