'use client';

import { NumberSetting } from './setting-fields';
import { WithSettings } from './with-settings';

const bytesPerKb = 1000;

export function GeneralSection() {
  return (
    <WithSettings>
      {({ context_budget, turns, requests }) => (
        <>
          <NumberSetting
            label="Context budget"
            hint="How much of a conversation a model is sent at most. Left empty: 400 kB, or less for a smaller window."
            value={context_budget === null ? null : context_budget / bytesPerKb}
            min={2}
            max={4000}
            unit="kB"
            emptyText="400"
            toPatch={(value) => ({ context_budget: value === null ? null : Math.round(value * bytesPerKb) })}
          />
          <NumberSetting
            label="Steps in a turn"
            hint="A reply that uses more tools than this is asked to finish."
            value={turns.max_steps}
            min={1}
            max={500}
            unit="steps"
            toPatch={(value) => ({ turns: { max_steps: Math.round(value ?? turns.max_steps) } })}
          />
          <NumberSetting
            label="Give up on a silent model"
            hint="After so long without a word the request is ended."
            value={turns.stall_seconds}
            min={10}
            max={1800}
            unit="s"
            toPatch={(value) => ({ turns: { stall_seconds: Math.round(value ?? turns.stall_seconds) } })}
          />
          <NumberSetting
            label="Tries for a request"
            hint="How often one request is sent before the next model, or the error."
            value={requests.tries}
            min={1}
            max={6}
            unit="tries"
            toPatch={(value) => ({ requests: { tries: Math.round(value ?? requests.tries) } })}
          />
        </>
      )}
    </WithSettings>
  );
}
