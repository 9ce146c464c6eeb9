'use client';

import { useQuery } from '@tanstack/react-query';
import { MessageSquare, Wrench } from 'lucide-react';
import type { ViewEntry } from '@/server/contract/context';
import type { Session } from '@/server/contract/session';
import { ContextBar } from '../chat/context-bar';
import { toSegments, wordMeter } from '../chat/meter-segments';
import { contextQuery } from '../sync/queries-chat';
import { formatBytes } from '../ui/format-bytes';
import { formatCost } from '../ui/format-cost';

const mostItems = 10;

const kilo = (bytes: number) => (bytes / 1000).toFixed(1);

export type ContextPanelProps = {
  readonly session: Session;
  /** Goes to an item in the transcript. */
  readonly onJump: (itemId: string) => void;
};

/** What the next request would send, part by part, and what in it is largest (ux 9). */
export function ContextPanel({ session, onJump }: ContextPanelProps) {
  const { context } = session;
  if (context.budgetBytes === 0) {
    return (
      <p className="record text-record text-ink-2">No model is chosen yet, so there is no budget to measure by.</p>
    );
  }
  const words = wordMeter(context);
  const assumed = context.windowSource === 'unknown';
  return (
    <>
      <div className="flex items-baseline gap-2">
        <h2 className="title-1 numbers">
          {assumed
            ? formatBytes(context.usedBytes)
            : `${formatBytes(context.usedBytes)} of ${formatBytes(context.budgetBytes)}`}
        </h2>
        <span className="numbers ml-auto text-ink-2">{words.short}</span>
      </div>
      <p className="numbers text-small text-ink-2">{sayBasis(session)}</p>
      <div className="my-2.5">
        <ContextBar meter={context} width={280} height={14} />
      </div>
      <SegmentTable session={session} />
      {session.cost === null ? null : (
        <p className="numbers mt-3 text-ink-2">Cost so far: {formatCost(session.cost)}</p>
      )}
      <LargestItems sessionId={session.id} onJump={onJump} />
    </>
  );
}

function sayBasis({ context }: Session): string {
  const tokens = context.reportedTokens;
  const reported =
    tokens === null ? '' : `about ${Math.max(1, Math.round(tokens / 1000))}k tokens, reported at the last reply`;
  const words = [
    context.windowSource === 'unknown' ? 'the limit is assumed' : '',
    context.basis === 'estimated' ? 'estimated; measured at the next reply' : reported,
    `compacts by itself at ${formatBytes(floorOf(context) + Math.max(0, context.triggerBytes))}`,
  ];
  return words.filter(Boolean).join(' · ');
}

function floorOf({ floor }: Session['context']): number {
  return floor.reduce((sum, part) => sum + part.bytes, 0);
}

function SegmentTable({ session }: { readonly session: Session }) {
  const { budgetBytes, usedBytes } = session.context;
  const share = (bytes: number) => `${Math.round((bytes / budgetBytes) * 100)}\u00a0%`;
  return (
    <table className="context-table numbers">
      <thead>
        <tr>
          <th scope="col">Part</th>
          <th scope="col">kB</th>
          <th scope="col">share</th>
        </tr>
      </thead>
      <tbody>
        {toSegments(session.context).map((segment) => (
          <tr key={segment.name}>
            <th scope="row">
              <span aria-hidden className="swatch" data-segment={segment.name} />
              {segment.label}
            </th>
            <td>{kilo(segment.bytes)}</td>
            <td>{share(segment.bytes)}</td>
          </tr>
        ))}
        <tr>
          <th scope="row">
            <span aria-hidden className="swatch" data-segment="free" />
            Free
          </th>
          <td>{kilo(Math.max(0, budgetBytes - usedBytes))}</td>
          <td>{share(Math.max(0, budgetBytes - usedBytes))}</td>
        </tr>
      </tbody>
    </table>
  );
}

function LargestItems({
  sessionId,
  onJump,
}: {
  readonly sessionId: string;
  readonly onJump: (itemId: string) => void;
}) {
  const view = useQuery(contextQuery(sessionId));
  const largest = (view.data?.entries ?? []).toSorted((a, b) => b.bytes - a.bytes).slice(0, mostItems);
  if (largest.length === 0) return null;
  return (
    <section className="mt-6">
      <h3 className="title-3 mb-1">Largest items</h3>
      <ol className="largest">
        {largest.map((entry, index) => (
          <li key={`${entry.itemIds.join(' ')} ${entry.callId ?? index}`}>
            <LargestItem entry={entry} onJump={onJump} />
          </li>
        ))}
      </ol>
    </section>
  );
}

const kindNames: Readonly<Record<ViewEntry['kind'], string>> = {
  raw: '',
  masked: 'masked',
  stub: 'dropped to fit',
  dropped: 'left out',
  summary: 'Summary',
  plan: 'Plan',
  carry_over: 'Carry-over',
};

/** Previews of results begin with their frame, which says nothing to a person. */
function nameOf(entry: ViewEntry): string {
  const text = entry.preview
    .replace(/^<\w+[^>]*>\s*/, '')
    .replace(/\s+/g, ' ')
    .trim();
  return text === '' ? kindNames[entry.kind] || entry.role : text;
}

function LargestItem({ entry, onJump }: { readonly entry: ViewEntry; readonly onJump: (itemId: string) => void }) {
  const Icon = entry.role === 'tool' ? Wrench : MessageSquare;
  const target = entry.itemIds.length === 1 ? entry.itemIds[0] : undefined;
  const inside = (
    <>
      <Icon aria-hidden size={14} strokeWidth={1.75} className="shrink-0 text-ink-2" />
      <span className="min-w-0 flex-1 truncate text-left">{nameOf(entry)}</span>
      <span className="numbers">{formatBytes(entry.bytes)}</span>
    </>
  );
  if (!target) return <span className="largest-row">{inside}</span>;
  return (
    <button type="button" className="largest-row" onClick={() => onJump(target)}>
      {inside}
    </button>
  );
}
