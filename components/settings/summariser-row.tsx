'use client';

import { Check, TriangleAlert } from 'lucide-react';
import Link from 'next/link';
import type { ModelInfo } from '@/server/contract/provider';
import { ErrorDetails } from '../chat/error-details';
import { formatWindow } from '../ui/format-bytes';
import { findModel, type ListedModel, type ModelState, stateOfModel } from './model-state';
import { type RowTest, wordTest } from './test-words';

const tones = { ok: 'text-ok', warn: 'text-warn', quiet: 'text-ink-2', danger: 'text-danger' } as const;

export type SummariserRowProps = {
  readonly model: ListedModel;
  /** Null while they are being read; nothing is said about a model then. */
  readonly models: readonly ModelInfo[] | null;
  /** What became of it in *Test order*. */
  readonly test: RowTest | undefined;
};

/** One model of the order: what it is, whether it can write now, and what it wrote when it was tried. */
export function SummariserRow({ model, models, test }: SummariserRowProps) {
  const info = findModel(models ?? [], model);
  return (
    <>
      <div className="grid grid-cols-[1fr] items-center gap-x-3 rail:grid-cols-[minmax(0,1fr)_minmax(0,0.8fr)_3rem_minmax(0,2.4fr)]">
        <span className="truncate font-[650]">{info?.label ?? model.model}</span>
        <span className="truncate text-ink-2 max-rail:hidden">{info?.providerName ?? model.provider}</span>
        <span className="numbers text-right max-rail:hidden">{info ? formatWindow(info.windowTokens) : ''}</span>
        {models === null ? null : <SummariserState state={stateOfModel(info)} />}
      </div>
      {test ? <TestLine test={test} /> : null}
    </>
  );
}

function SummariserState({ state }: { readonly state: ModelState }) {
  const Icon = state.tone === 'warn' ? TriangleAlert : Check;
  return (
    <span className={`flex items-baseline gap-x-1.5 ${tones[state.tone]}`}>
      <Icon aria-hidden size={14} strokeWidth={1.75} className="shrink-0 translate-y-0.5" />
      <span className="min-w-0">
        {state.text}{' '}
        {state.needsKey ? (
          <Link href="/settings/models" className="text-accent hover:underline">
            Add
          </Link>
        ) : null}
      </span>
    </span>
  );
}

function TestLine({ test }: { readonly test: RowTest }) {
  const { text, tone } = wordTest(test);
  const refused = test.state === 'done' && test.row.outcome !== 'accepted' ? test.row : null;
  return (
    <div className="numbers flex flex-wrap items-center gap-x-2 text-small" data-test-result={test.state}>
      <span className={tones[tone]}>{text}</span>
      {refused ? <ErrorDetails detail={refused.detail} code={refused.reason} /> : null}
    </div>
  );
}
