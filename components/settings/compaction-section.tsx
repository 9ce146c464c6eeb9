'use client';

import type { Settings } from '@/server/contract/settings';
import { ChoiceSetting, NumberSetting, SwitchSetting } from './setting-fields';
import { SummarisationModels } from './summarisation-models';
import { SummaryInstructions } from './summary-instructions';
import { WithSettings } from './with-settings';

const presets: readonly { readonly value: Settings['compaction']['preset']; readonly label: string }[] = [
  { value: 'roomy', label: 'Roomy' },
  { value: 'thrifty', label: 'Thrifty' },
];

const percent = (ratio: number) => Math.round(ratio * 1000) / 10;

type RatioKey = 'trigger_ratio' | 'tail_ratio' | 'low_mark_ratio';

const ratios: readonly {
  readonly key: RatioKey;
  readonly label: string;
  readonly hint: string;
  readonly min: number;
  readonly max: number;
}[] = [
  {
    key: 'trigger_ratio',
    label: 'Trigger',
    hint: 'How full the room is when a conversation compacts.',
    min: 50,
    max: 95,
  },
  { key: 'tail_ratio', label: 'Tail', hint: 'How much of the newest part stays word for word.', min: 0, max: 40 },
  {
    key: 'low_mark_ratio',
    label: 'Low mark',
    hint: 'How far a trim goes when nothing could be written.',
    min: 30,
    max: 80,
  },
];

/** Who writes summaries, when, and what stays as it was. */
export function CompactionSection() {
  return (
    <WithSettings>
      {({ compaction, routing }) => (
        <>
          <SummarisationModels stored={routing.summarization_models} />
          <SwitchSetting
            label="Compact by itself"
            hint="When the trigger is reached. Off, only what you ask for."
            value={compaction.auto}
            toPatch={(auto) => ({ compaction: { auto } })}
          />
          <ChoiceSetting
            label="Preset"
            hint="Roomy keeps more and costs more a turn; thrifty compacts earlier and shorter."
            value={compaction.preset}
            options={presets}
            toPatch={(preset) => ({ compaction: { preset } })}
          />
          {ratios.map(({ key, label, hint, min, max }) => (
            <NumberSetting
              key={key}
              label={label}
              hint={hint}
              value={percent(compaction[key])}
              min={min}
              max={max}
              unit="%"
              toPatch={(value) => ({ compaction: { [key]: (value ?? percent(compaction[key])) / 100 } })}
            />
          ))}
          <SwitchSetting
            label="Keep the tail when asked by hand"
            hint="Off, /compact folds everything up to now."
            value={compaction.manual_keeps_tail}
            toPatch={(manual_keeps_tail) => ({ compaction: { manual_keeps_tail } })}
          />
          <SummaryInstructions value={compaction.instructions} />
        </>
      )}
    </WithSettings>
  );
}
