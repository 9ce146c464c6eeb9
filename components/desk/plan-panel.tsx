'use client';

import { useQuery } from '@tanstack/react-query';
import { Circle, CircleCheck, CircleDot } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { PlanItem } from '@/server/contract/shapes';
import { toMessage } from '../sync/api-client';
import { planQuery } from '../sync/queries-chat';
import { Button } from '../ui/button';
import { useSpeak } from '../ui/live-region';
import { PlanEditor } from './plan-editor';

const marks = {
  pending: { icon: Circle, word: 'to do', tone: 'text-ink-3' },
  active: { icon: CircleDot, word: 'doing', tone: 'text-accent' },
  done: { icon: CircleCheck, word: 'done', tone: 'text-ok' },
} as const;

/** Changes of a plan are spoken at most this often. Milliseconds. */
const spokenEveryMs = 10_000;

/** What is being done stands first; the rest keeps its order. */
export function orderPlan(items: readonly PlanItem[]): readonly PlanItem[] {
  return [...items.filter((item) => item.status === 'active'), ...items.filter((item) => item.status !== 'active')];
}

function sayPlan(items: readonly PlanItem[]): string {
  return `${items.filter((item) => item.status === 'done').length} of ${items.length} done`;
}

export type PlanPanelProps = {
  readonly sessionId: string;
  /** False in a conversation that can only be read. */
  readonly editable: boolean;
};

/** The plan as the application keeps it, written by the agent and by the person (ux 13, L5). */
export function PlanPanel({ sessionId, editable }: PlanPanelProps) {
  const plan = useQuery(planQuery(sessionId));
  const [editing, setEditing] = useState(false);
  const open = useRef<HTMLButtonElement>(null);
  const items = plan.data?.items ?? [];
  useSpokenPlan(plan.data ? sayPlan(items) : null);
  if (plan.isError) return <p className="text-danger">{toMessage(plan.error)}</p>;
  if (!plan.data) return null;
  const close = () => {
    setEditing(false);
    requestAnimationFrame(() => open.current?.focus());
  };
  if (editing) return <PlanEditor sessionId={sessionId} items={items} onDone={close} />;
  const edit = editable ? (
    <Button ref={open} look="link" className="mt-3" onClick={() => setEditing(true)}>
      {items.length === 0 ? 'Write a plan' : 'Edit the plan'}
    </Button>
  ) : null;
  if (items.length === 0) {
    return (
      <>
        <p className="record text-record text-ink-2">
          No plan yet. For longer work the agent keeps its steps here, and they survive every compaction.
        </p>
        {edit}
      </>
    );
  }
  return (
    <>
      <h2 className="title-3 numbers mb-2">{sayPlan(items)}</h2>
      <ul className="plan">
        {orderPlan(items).map((item) => {
          const { icon: Icon, word, tone } = marks[item.status];
          return (
            <li key={item.id} data-status={item.status}>
              <Icon aria-hidden size={16} strokeWidth={1.75} className={`mt-0.5 shrink-0 ${tone}`} />
              <span className="min-w-0 flex-1">{item.text}</span>
              <span className="sr-only">, {word}</span>
            </li>
          );
        })}
      </ul>
      {edit}
    </>
  );
}

function useSpokenPlan(words: string | null): void {
  const speak = useSpeak();
  const said = useRef<{ readonly words: string | null; readonly at: number }>({ words: null, at: 0 });
  useEffect(() => {
    if (words === null || said.current.words === words) return;
    const first = said.current.words === null;
    const waitMs = first ? 0 : Math.max(0, said.current.at + spokenEveryMs - Date.now());
    const timer = setTimeout(() => {
      if (!first) speak(`Plan: ${words}`);
      said.current = { words, at: Date.now() };
    }, waitMs);
    return () => clearTimeout(timer);
  }, [words, speak]);
}
