'use client';

import { Popover } from '@base-ui/react/popover';
import { ChevronDown } from 'lucide-react';
import type { Model } from '@/server/contract/shapes';
import { ModelPicker } from '../settings/model-picker';

export type ModelButtonProps = {
  readonly model: Model | null;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly onChoose: (model: Model) => void;
};

/** Which model answers next, and the choice of another. */
export function ModelButton({ model, open, onOpenChange, onChoose }: ModelButtonProps) {
  const name = model === null ? 'No model' : model.model;
  return (
    <Popover.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <Popover.Trigger
        render={
          <button type="button" className="button min-w-0" data-look="quiet" aria-label={`Model: ${name}`}>
            <span className="truncate">{name}</span>
            <ChevronDown aria-hidden size={14} strokeWidth={1.75} className="shrink-0" />
          </button>
        }
      />
      <Popover.Portal>
        <Popover.Positioner side="top" align="start" sideOffset={8} className="z-50">
          <Popover.Popup className="popup w-[40rem]" aria-label="Choose a model">
            <ModelPicker
              label="Model for this conversation"
              taken={[]}
              foot="Enter chooses; it answers from the next message on"
              onChoose={(chosen) => {
                onChoose(chosen);
                onOpenChange(false);
              }}
              onClose={() => onOpenChange(false)}
            />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
