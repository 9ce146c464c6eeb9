'use client';

import { X } from 'lucide-react';
import { type KeyboardEvent, useId, useRef } from 'react';
import type { Session } from '@/server/contract/session';
import { DeskRegion } from '../shell/desk-region';
import { useShell } from '../shell/shell-context';
import { IconButton } from '../ui/icon-button';
import { ContextPanel } from './context-panel';
import { type DeskTab, deskTabs } from './desk-tab';
import { LedgerPanel } from './ledger-panel';
import { PlanPanel } from './plan-panel';

export type DeskPanelProps = {
  readonly session: Session;
  readonly tab: DeskTab;
  readonly onTab: (tab: DeskTab) => void;
  readonly onJump: (itemId: string) => void;
};

/** The right rail of a conversation: its plan, what the model reads, and every compaction. */
export function DeskPanel({ session, tab, onTab, onJump }: DeskPanelProps) {
  const { setDeskOpen } = useShell();
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const at = deskTabs.findIndex((one) => one.id === tab);
    const next = deskTabs[(at + step + deskTabs.length) % deskTabs.length];
    if (!next) return;
    onTab(next.id);
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.id}"]`)?.focus();
  };
  return (
    <DeskRegion>
      <div className="desk-head">
        <div ref={list} role="tablist" aria-label="Desk" className="flex min-w-0 items-stretch" onKeyDown={onKeyDown}>
          {deskTabs.map((one) => (
            <button
              key={one.id}
              type="button"
              role="tab"
              id={`${id}-${one.id}`}
              data-tab={one.id}
              aria-selected={one.id === tab}
              aria-controls={`${id}-panel`}
              tabIndex={one.id === tab ? 0 : -1}
              className="desk-tab"
              onClick={() => onTab(one.id)}
            >
              {one.name}
            </button>
          ))}
        </div>
        <IconButton icon={X} label="Close the Desk" className="ml-auto" onClick={() => setDeskOpen(false)} />
      </div>
      <div
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${tab}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable to be scrolled by keys.
        tabIndex={0}
        className="min-h-0 flex-1 overflow-y-auto px-5 py-4 focus-visible:-outline-offset-2"
      >
        {tab === 'plan' ? <PlanPanel sessionId={session.id} editable={session.readOnly === null} /> : null}
        {tab === 'context' ? <ContextPanel session={session} onJump={onJump} /> : null}
        {tab === 'ledger' ? <LedgerPanel sessionId={session.id} onJump={onJump} /> : null}
      </div>
    </DeskRegion>
  );
}
