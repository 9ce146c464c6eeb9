'use client';

import { Popover } from '@base-ui/react/popover';
import { useQuery } from '@tanstack/react-query';
import { Check, Plus, TriangleAlert } from 'lucide-react';
import Link from 'next/link';
import { useRef, useState } from 'react';
import { toModelKey } from '@/server/contract/names';
import type { ModelInfo } from '@/server/contract/provider';
import { modelsQuery } from '../sync/queries';
import { Button } from '../ui/button';
import { formatWindow } from '../ui/format-bytes';
import { OrderedList } from '../ui/ordered-list';
import { ModelPicker } from './model-picker';
import { findModel, type ListedModel, type ModelState, stateOfModel } from './model-state';
import { SaveProblem } from './setting-row';
import { useSaveSettings } from './use-save-settings';

const mostModels = 16;

const tones = { ok: 'text-ok', warn: 'text-warn', quiet: 'text-ink-2' } as const;

/** What the overlay is open for: a new row at the end, or another model in the place of a row. */
type Picking = { readonly for: 'add' } | { readonly for: 'replace'; readonly key: string } | null;

/** The models that write summaries, in the order they are tried (S1, S2). The whole order is sent as one list with its revision. */
export function SummarisationModels({ models }: { readonly models: readonly ListedModel[] }) {
  const { state, save, retry } = useSaveSettings();
  const known = useQuery(modelsQuery());
  const [picking, setPicking] = useState<Picking>(null);
  const add = useRef<HTMLButtonElement>(null);
  const write = (next: readonly ListedModel[]) => save({ routing: { summarization_models: [...next] } });
  const choose = (model: ListedModel) => {
    setPicking(null);
    if (picking?.for === 'replace') write(models.map((row) => (toModelKey(row) === picking.key ? model : row)));
    else write([...models, model]);
  };
  const full = models.length >= mostModels;
  return (
    <section aria-labelledby="summarisers" className="mb-6">
      <h3 id="summarisers" className="title-3">
        Models that write summaries, in order
      </h3>
      <p className="mb-2.5 text-[0.8125rem] text-ink-2">The first is used. If it fails, the next is tried.</p>
      {models.length === 0 ? (
        <p className="rounded-card border border-line bg-raised px-4 py-3 text-ink-2">
          Uses the conversation's own model.
        </p>
      ) : (
        <OrderedList
          label="Models that write summaries, in order"
          items={models}
          keyOf={toModelKey}
          nameOf={(model) => model.model}
          sayPlace={(index) => (index === 0 ? 'used first' : '')}
          onChange={write}
          onActivate={(model) => setPicking({ for: 'replace', key: toModelKey(model) })}
          onEmptied={() => add.current?.focus()}
        >
          {(model) => <SummariserRow model={model} models={known.data?.models ?? null} />}
        </OrderedList>
      )}
      <div className="mt-3 flex items-center gap-3">
        <Popover.Root open={picking !== null} onOpenChange={(open) => setPicking(open ? { for: 'add' } : null)}>
          <Popover.Trigger
            disabled={full}
            render={
              <Button ref={add}>
                <Plus aria-hidden size={14} strokeWidth={1.75} />
                {full ? `Sixteen is the most` : 'Add summarisation model'}
              </Button>
            }
          />
          <Popover.Portal>
            <Popover.Positioner align="start" sideOffset={8} className="z-50">
              <Popover.Popup aria-label="Choose a model" className="popup w-[40rem] overflow-hidden!">
                <ModelPicker
                  label={picking?.for === 'replace' ? 'Another model for this place' : 'Add summarisation model'}
                  taken={models}
                  foot={
                    picking?.for === 'replace'
                      ? 'Enter puts it in this place'
                      : `Enter adds it as number ${models.length + 1}`
                  }
                  onChoose={choose}
                  onClose={() => setPicking(null)}
                />
              </Popover.Popup>
            </Popover.Positioner>
          </Popover.Portal>
        </Popover.Root>
        {state.state === 'saved' ? (
          <span className="flex items-center gap-1 text-small text-ok">
            <Check aria-hidden size={14} strokeWidth={1.75} />
            Saved
          </span>
        ) : null}
        <SaveProblem state={state} onRetry={retry} onKeepMine={retry} />
      </div>
    </section>
  );
}

/** `models`: null while they are being read; nothing is said about a model then. */
type SummariserRowProps = { readonly model: ListedModel; readonly models: readonly ModelInfo[] | null };

function SummariserRow({ model, models }: SummariserRowProps) {
  const info = findModel(models ?? [], model);
  const state = stateOfModel(info);
  return (
    <div className="grid grid-cols-[1fr] items-center gap-x-3 rail:grid-cols-[1.4fr_1fr_4rem_2fr]">
      <span className="truncate font-[650]">{info?.label ?? model.model}</span>
      <span className="truncate text-ink-2 max-rail:hidden">{info?.providerName ?? model.provider}</span>
      <span className="numbers text-right max-rail:hidden">{info ? formatWindow(info.windowTokens) : ''}</span>
      {models === null ? null : <SummariserState state={state} />}
    </div>
  );
}

function SummariserState({ state }: { readonly state: ModelState }) {
  const Icon = state.tone === 'warn' ? TriangleAlert : Check;
  return (
    <span className={`flex flex-wrap items-center gap-x-1.5 ${tones[state.tone]}`}>
      <Icon aria-hidden size={14} strokeWidth={1.75} />
      {state.text}
      {state.needsKey ? (
        <Link href="/settings/models" className="text-accent hover:underline">
          Add
        </Link>
      ) : null}
    </span>
  );
}
