'use client';

import { NumberSetting } from './setting-fields';
import { WithSettings } from './with-settings';

export function CarryOverSection() {
  return (
    <WithSettings>
      {({ carry_over, tools }) => (
        <>
          <NumberSetting
            label="Carry-over bound"
            hint="What is marked survives word for word up to this size."
            value={carry_over.bound_bytes}
            min={0}
            max={65_536}
            unit="bytes"
            toPatch={(value) => ({ carry_over: { bound_bytes: Math.round(value ?? carry_over.bound_bytes) } })}
          />
          <NumberSetting
            label="Largest tool result"
            hint="A longer one is kept whole, but only its beginning and end are sent to the model."
            value={tools.result_cap_bytes}
            min={1024}
            max={1_048_576}
            unit="bytes"
            toPatch={(value) => ({ tools: { result_cap_bytes: Math.round(value ?? tools.result_cap_bytes) } })}
          />
        </>
      )}
    </WithSettings>
  );
}
