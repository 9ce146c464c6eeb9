'use client';

import { useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import Link from 'next/link';
import { useState } from 'react';
import { toModelKey } from '@/server/contract/names';
import type { ModelInfo } from '@/server/contract/provider';
import { toMessage } from '../sync/api-client';
import { modelsQuery } from '../sync/queries';
import { rankItems } from '../ui/combobox-match';
import { formatWindow } from '../ui/format-bytes';
import { MatchedText } from '../ui/matched-text';
import { useCombobox } from '../ui/use-combobox';
import { modelById } from './model-by-id';
import { type ListedModel, sayPrice, stateOfModel } from './model-state';

export type ModelPickerProps = {
  readonly label: string;
  /** Already in the list: shown with a tick, not to be chosen again. */
  readonly taken: readonly ListedModel[];
  /** What Enter does, in words at the foot. */
  readonly foot: string;
  readonly onChoose: (model: ListedModel) => void;
  readonly onClose: () => void;
};

type Entry = { readonly model: ListedModel; readonly info: ModelInfo | null };

const tones = { ok: 'text-ok', warn: 'text-warn', quiet: 'text-ink-2' } as const;
const keyOf = (entry: Entry) => toModelKey(entry.model);

/** A search box over every model, grouped by provider; Enter chooses and closes. Models off the lists are added by id. */
export function ModelPicker({ label, taken, foot, onChoose, onClose }: ModelPickerProps) {
  const [text, setText] = useState('');
  const { data, error } = useQuery(modelsQuery());
  const models = data?.models ?? [];
  const takenKeys = new Set(taken.map(toModelKey));
  const ranked = rankItems(models, text, { textsOf: (info) => [info.label, info.providerName, toModelKey(info)] });
  const providers = [...new Set(ranked.map(({ item }) => item.providerName))];
  const groups = providers.map((name) => ({ name, rows: ranked.filter(({ item }) => item.providerName === name) }));
  const byId = ranked.length === 0 ? modelById(text, models) : null;
  const entries: readonly Entry[] = byId
    ? [{ model: byId, info: null }]
    : groups.flatMap(({ rows }) => rows.map(({ item }) => ({ model: item, info: item })));
  const combobox = useCombobox({
    open: true,
    items: entries,
    keyOf,
    reasonOf: (entry) => (takenKeys.has(keyOf(entry)) ? 'Already in list' : null),
    onChoose: ({ model }) => onChoose({ provider: model.provider, model: model.model }),
    onClose,
  });
  return (
    <>
      <div className="flex h-12 items-center gap-2.5 border-b border-line px-4">
        <Search aria-hidden size={16} strokeWidth={1.75} className="shrink-0 text-ink-2" />
        <input
          // biome-ignore lint/a11y/noAutofocus: the overlay was opened to type here.
          autoFocus
          aria-label={label}
          placeholder="Model, provider or provider/id"
          className="min-w-0 flex-1 bg-transparent text-[1rem] outline-none!"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={combobox.onKeyDown}
          {...combobox.inputProps}
        />
        <span className="numbers text-small text-ink-2" role="status">
          {ranked.length} of {models.length}
        </span>
      </div>
      <div
        {...combobox.listProps}
        role="listbox"
        aria-label="Models"
        className="max-h-80 min-h-24 overflow-y-auto p-1.5"
      >
        {groups.map(({ name, rows }, index) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options in a listbox has no element of its own.
          <div key={name} role="group" aria-label={name}>
            <div aria-hidden className="flex justify-between px-2.5 pt-2.5 pb-1 text-[0.8125rem] text-ink-2">
              <span>{name}</span>
              {index === 0 ? <span className="max-rail:hidden">window · $ per million in, out</span> : null}
            </div>
            {rows.map(({ item, match }) => (
              <ModelOption
                key={keyOf({ model: item, info: item })}
                info={item}
                bold={match.bold}
                taken={takenKeys.has(toModelKey(item))}
                optionProps={combobox.optionProps(
                  entries.find((entry) => entry.info === item) ?? { model: item, info: item },
                )}
              />
            ))}
          </div>
        ))}
        {byId ? (
          <div {...combobox.optionProps(entries[0] ?? { model: byId, info: null })} className="menu-row">
            Add “{byId.model}” by id at {byId.provider}
          </div>
        ) : null}
      </div>
      {error ? <p className="px-4 pb-3 text-danger">{toMessage(error)}</p> : null}
      {data && models.every((info) => info.simulated) ? (
        <p className="px-4 pb-3">
          {models.length === 0 ? 'There is no model yet. ' : 'Only the practice model is here. '}
          <Link href="/settings/models" className="text-accent hover:underline">
            Add a key first
          </Link>
        </p>
      ) : null}
      {ranked.length === 0 && !byId && text !== '' ? (
        <p className="px-4 pb-3 text-ink-2">No such model. Type provider/id to add one by id.</p>
      ) : null}
      <p className="border-t border-line px-4 py-2.5 text-small text-ink-2">{foot}</p>
    </>
  );
}

type ModelOptionProps = {
  readonly info: ModelInfo;
  readonly bold: readonly { readonly from: number; readonly to: number }[];
  readonly taken: boolean;
  readonly optionProps: ReturnType<ReturnType<typeof useCombobox<Entry>>['optionProps']>;
};

function ModelOption({ info, bold, taken, optionProps }: ModelOptionProps) {
  const state = stateOfModel(info);
  return (
    <div {...optionProps} className="menu-row model-option">
      <span className="min-w-0 truncate">
        <MatchedText text={info.label} bold={bold} />
        {info.vision ? <span className="ml-2 text-small text-ink-3">reads images</span> : null}
      </span>
      <span className="numbers text-right whitespace-nowrap">{formatWindow(info.windowTokens)}</span>
      <span className="numbers text-right text-ink-2 max-rail:hidden">{sayPrice(info)}</span>
      <span className={`text-right ${taken ? 'text-ink-2' : tones[state.tone]}`}>
        {taken ? 'Already in list ✓' : state.text}
      </span>
    </div>
  );
}
