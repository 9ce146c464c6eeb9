'use client';

import { Popover } from '@base-ui/react/popover';
import { useQuery } from '@tanstack/react-query';
import { Plus, Square } from 'lucide-react';
import { useRef, useState } from 'react';
import { toModelKey } from '@/server/contract/names';
import { modelsQuery } from '../sync/queries';
import { Button } from '../ui/button';
import { OrderedList } from '../ui/ordered-list';
import { useListChanges } from '../ui/use-list-changes';
import { ModelPicker } from './model-picker';
import type { ListedModel } from './model-state';
import { SavedMark, SaveProblem } from './setting-row';
import { SummariserRow } from './summariser-row';
import { useSummariserOrder } from './use-summariser-order';
import { useTestOrder } from './use-test-order';

const mostModels = 16;

/** What the overlay is open for: a new row at the end, or another model in the place of a row. */
type Picking =
  | { readonly for: 'add' }
  | { readonly for: 'replace'; readonly key: string; readonly row: HTMLElement }
  | null;

export type SummarisationModelsProps = { readonly stored: readonly ListedModel[] };

/**
 * The models that write summaries, in the order they are tried; independent of the agent's own model (S1, S2). The whole
 * order is written as one list with its revision.
 */
export function SummarisationModels({ stored }: SummarisationModelsProps) {
  const { models, state, write, retry } = useSummariserOrder(stored);
  const known = useQuery(modelsQuery());
  const [picking, setPicking] = useState<Picking>(null);
  const add = useRef<HTMLButtonElement>(null);
  const changes = useListChanges({ items: models, keyOf: toModelKey, nameOf, onChange: write });
  const test = useTestOrder(models);
  const choose = (model: ListedModel) => {
    setPicking(null);
    if (picking?.for !== 'replace') return changes.change([...models, model], `${model.model} added.`);
    const next = models.map((row) => (toModelKey(row) === picking.key ? model : row));
    changes.change(next, `${model.model} took the place.`);
    changes.setFocusOn({ key: toModelKey(model), button: null });
  };
  return (
    <section aria-labelledby="summarisers" className="mb-6">
      <h3 id="summarisers" className="title-3">
        Summarisation models
      </h3>
      <p className="mb-2.5 text-[0.8125rem] text-ink-2">
        Models that write summaries, in order. The first is used. If it fails, the next is tried. An agent’s own model
        stays as it is.
      </p>
      {models.length === 0 ? (
        <p className="rounded-card border border-line bg-raised px-4 py-3 text-ink-2">
          Uses the conversation’s own model.
        </p>
      ) : (
        <OrderedList
          label="Models that write summaries, in order"
          changes={changes}
          sayPlace={(index) => (index === 0 ? 'used first' : '')}
          onActivate={(model, row) => setPicking({ for: 'replace', key: toModelKey(model), row })}
          onEmptied={() => add.current?.focus()}
        >
          {(model) => (
            <SummariserRow model={model} models={known.data?.models ?? null} test={test.tests.get(toModelKey(model))} />
          )}
        </OrderedList>
      )}
      <div className="mt-3 flex flex-wrap items-center gap-3">
        <PickerPopover picking={picking} onPicking={setPicking} trigger={add} models={models} onChoose={choose} />
        <TestButton test={test} count={models.length} />
        <SavedMark state={state} />
        <SaveProblem state={state} onRetry={retry} onKeepMine={retry} />
      </div>
    </section>
  );
}

const nameOf = (model: ListedModel) => model.model;

type TestButtonProps = { readonly test: ReturnType<typeof useTestOrder>; readonly count: number };

/** Costs what a summary of twenty lines costs with each model, so it says so before it is pressed. */
function TestButton({ test, count }: TestButtonProps) {
  if (test.running) {
    return (
      <Button look="quiet" onClick={test.stop}>
        <Square aria-hidden size={14} strokeWidth={1.75} />
        Stop the test
      </Button>
    );
  }
  const why = count === 0 ? 'Test order: there is no model in the list' : undefined;
  return (
    <Button
      look="quiet"
      disabled={count === 0}
      aria-label={why}
      title="Sends a sample of twenty lines to each model, in order"
      onClick={() => void test.run()}
    >
      Test order
    </Button>
  );
}

type PickerPopoverProps = {
  readonly picking: Picking;
  readonly onPicking: (picking: Picking) => void;
  readonly trigger: React.RefObject<HTMLButtonElement | null>;
  readonly models: readonly ListedModel[];
  readonly onChoose: (model: ListedModel) => void;
};

/** The overlay: under its button, or under the row whose place is chosen for; the focus goes back to where it came from. */
function PickerPopover({ picking, onPicking, trigger, models, onChoose }: PickerPopoverProps) {
  const full = models.length >= mostModels;
  const row = picking?.for === 'replace' ? picking.row : null;
  // While it closes the row is no longer named, and is still where the focus belongs; a row that was replaced is gone,
  // and the one in its place takes the focus by itself.
  const [from, setFrom] = useState<HTMLElement | null>(null);
  if (picking !== null && from !== row) setFrom(row);
  const finalFocus = () => (from === null ? trigger.current : from.isConnected ? from : false);
  return (
    <Popover.Root open={picking !== null} onOpenChange={(open) => onPicking(open ? { for: 'add' } : null)}>
      <Popover.Trigger
        disabled={full}
        render={
          <Button ref={trigger}>
            <Plus aria-hidden size={14} strokeWidth={1.75} />
            {full ? 'Sixteen is the most' : 'Add summarisation model'}
          </Button>
        }
      />
      <Popover.Portal>
        <Popover.Positioner anchor={row ?? undefined} align="start" sideOffset={8} className="z-50">
          <Popover.Popup
            aria-label="Choose a model"
            className="popup w-[40rem] overflow-hidden!"
            finalFocus={finalFocus}
          >
            <ModelPicker
              label={row ? 'Another model for this place' : 'Add summarisation model'}
              taken={models}
              foot={row ? 'Enter puts it in this place' : `Enter adds it as number ${models.length + 1}`}
              onChoose={onChoose}
              onClose={() => onPicking(null)}
            />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
