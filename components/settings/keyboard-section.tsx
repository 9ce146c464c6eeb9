'use client';

import { type KeyboardEvent, useState } from 'react';
import { Button } from '../ui/button';
import { chordOf } from '../ui/chord';
import { Switch } from '../ui/field';
import { KeyCaps } from '../ui/key-caps';
import { noKeyPreferences, useKeyPreferences } from '../ui/key-preferences';
import { type CommandId, commandIds, keyboardCatalogue } from '../ui/keyboard-catalogue';
import { useKeyboard } from '../ui/keyboard-provider';
import { SettingRow } from './setting-row';

/** Every command and its key on this device; a press on a key's button records another. */
export function KeyboardSection() {
  const { preferences, setPreferences } = useKeyPreferences();
  const [recording, setRecording] = useState<CommandId | null>(null);
  const bind = (id: CommandId, chord: string) =>
    setPreferences({ ...preferences, bindings: { ...preferences.bindings, [id]: [chord] } });
  return (
    <>
      <SettingRow label="Single letters" hint="Keys such as C or / act while no field has the focus.">
        {(control) => (
          <Switch
            {...control}
            checked={preferences.singleLetters}
            onChange={(event) => setPreferences({ ...preferences, singleLetters: event.target.checked })}
          />
        )}
      </SettingRow>
      <ul className="my-2">
        {commandIds.map((id) => (
          <KeyRow
            key={id}
            id={id}
            recording={recording === id}
            onRecord={(on) => setRecording(on ? id : null)}
            onBind={(chord) => bind(id, chord)}
          />
        ))}
      </ul>
      <Button onClick={() => setPreferences(noKeyPreferences)}>Back to the default keys</Button>
    </>
  );
}

type KeyRowProps = {
  readonly id: CommandId;
  readonly recording: boolean;
  readonly onRecord: (on: boolean) => void;
  readonly onBind: (chord: string) => void;
};

function KeyRow({ id, recording, onRecord, onBind }: KeyRowProps) {
  const { keysOf, platform } = useKeyboard();
  const { action, scope } = keyboardCatalogue[id];
  const keys = keysOf(id);
  const record = (event: KeyboardEvent) => {
    if (!recording || event.key === 'Tab') return;
    const chord = chordOf(event, platform);
    event.preventDefault();
    event.stopPropagation();
    if (chord === null) return;
    // Escape alone leaves the key as it was; it closes things everywhere and cannot be given to anything else.
    if (chord !== 'Escape') onBind(chord);
    onRecord(false);
  };
  return (
    <li className="flex items-center gap-3 border-b border-line py-1.5">
      <span className="min-w-0 flex-1">
        {action} <span className="text-small text-ink-3">{scope}</span>
      </span>
      <Button
        look="quiet"
        aria-label={recording ? `Press the new key for ${action}` : `Key for ${action}: ${keys.join(' or ') || 'off'}`}
        aria-pressed={recording}
        onClick={() => onRecord(!recording)}
        onKeyDown={record}
        onBlur={() => onRecord(false)}
      >
        {recording ? 'Press a key…' : keys.length === 0 ? 'off' : keys.map((key) => <KeyCaps key={key} chord={key} />)}
      </Button>
    </li>
  );
}
