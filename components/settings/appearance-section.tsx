'use client';

import type { ReactNode } from 'react';
import type { Appearance } from '../ui/appearance';
import { useAppearance } from '../ui/appearance-provider';
import { Switch } from '../ui/field';
import { Segmented } from '../ui/segmented';
import { SettingRow } from './setting-row';

const themes = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const;
const densities = [
  { value: 'comfortable', label: 'Comfortable' },
  { value: 'compact', label: 'Compact' },
] as const;
const sizes: readonly { readonly value: Appearance['reading']; readonly label: string }[] = [
  { value: '15', label: '15' },
  { value: '16', label: '16' },
  { value: '18', label: '18' },
  { value: '20', label: '20' },
];

/** The look of this device; nothing here is sent anywhere. */
export function AppearanceSection() {
  const { appearance, change } = useAppearance();
  return (
    <>
      <GroupRow label="Theme" hint="System follows this computer.">
        <Segmented label="Theme" value={appearance.theme} options={themes} onChange={(theme) => change({ theme })} />
      </GroupRow>
      <SettingRow label="More contrast" hint="Stronger lines and small text. Also on when this computer asks for it.">
        {(control) => (
          <Switch
            {...control}
            checked={appearance.contrast === 'more'}
            onChange={(event) => change({ contrast: event.target.checked ? 'more' : 'system' })}
          />
        )}
      </SettingRow>
      <GroupRow label="Density" hint="Compact draws one line for a conversation and closer turns.">
        <Segmented
          label="Density"
          value={appearance.density}
          options={densities}
          onChange={(density) => change({ density })}
        />
      </GroupRow>
      <GroupRow label="Size of messages" hint="In pixels at the browser's usual text size.">
        <Segmented
          label="Size of messages"
          value={appearance.reading}
          options={sizes}
          onChange={(reading) => change({ reading })}
        />
      </GroupRow>
    </>
  );
}

type GroupRowProps = { readonly label: string; readonly hint: string; readonly children: ReactNode };

/** A row whose control is a group with a name of its own, so its words are no label of one field. */
function GroupRow({ label, hint, children }: GroupRowProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line py-3">
      <div className="min-w-48 flex-1">
        <div className="title-3">{label}</div>
        <div className="text-[0.8125rem] text-ink-2">{hint}</div>
      </div>
      {children}
    </div>
  );
}
