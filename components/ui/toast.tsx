'use client';

import { X } from 'lucide-react';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from 'react';
import { Button } from './button';
import { IconButton } from './icon-button';
import { isFocusLost } from './is-focus-lost';
import { useSpeak } from './live-region';

/** How long an undo is offered, in milliseconds. */
export const undoMs = 10_000;

export type UndoOffer = {
  readonly text: string;
  readonly onUndo: () => void;
  /** The offer is over: time is up, it was closed, a newer one took its place, or the page goes away. Called once, never after `onUndo`. */
  readonly onExpire?: () => void;
};

type Shown = UndoOffer & { readonly number: number };

const OfferContext = createContext<(offer: UndoOffer) => void>(() => undefined);

function returnFocus(from: Element | null): void {
  const target = from?.isConnected ? from : document.getElementById('main');
  if (target instanceof HTMLElement) target.focus({ preventScroll: true });
}

/** Toasts are for undo and for nothing else: an error stands where its cause is. A newer offer replaces the older. */
export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const [shown, setShown] = useState<Shown | null>(null);
  const open = useRef<Shown | null>(null);
  const region = useRef<HTMLElement>(null);
  const cameFrom = useRef<Element | null>(null);
  const holdsFocus = useRef(false);
  const speak = useSpeak();
  const settle = useCallback((how: 'undo' | 'expire') => {
    const offer = open.current;
    open.current = null;
    holdsFocus.current = region.current?.contains(document.activeElement) ?? false;
    setShown(null);
    if (how === 'undo') offer?.onUndo();
    else offer?.onExpire?.();
  }, []);
  // The button that was pressed is gone: back to where the focus came from, unless what came back by the undo has it already.
  useEffect(() => {
    if (shown !== null || !holdsFocus.current) return;
    holdsFocus.current = false;
    if (isFocusLost()) returnFocus(cameFrom.current);
  }, [shown]);
  const expire = useCallback(() => settle('expire'), [settle]);
  const offer = useCallback(
    (next: UndoOffer) => {
      const number = (open.current?.number ?? 0) + 1;
      open.current?.onExpire?.();
      open.current = { ...next, number };
      setShown(open.current);
      speak(`${next.text} Undo is offered for ten seconds.`);
    },
    [speak],
  );
  useEffect(() => {
    window.addEventListener('pagehide', expire);
    return () => window.removeEventListener('pagehide', expire);
  }, [expire]);
  return (
    <OfferContext value={offer}>
      {children}
      <section
        ref={region}
        onFocus={({ relatedTarget, currentTarget }) => {
          if (!currentTarget.contains(relatedTarget)) cameFrom.current = relatedTarget;
        }}
        aria-label="Undo"
        data-toast=""
        // Kept for assistive technology beside an open dialog; the words themselves are spoken by the live region.
        aria-live="off"
        data-print="never"
        className="pointer-events-none fixed inset-x-0 bottom-4 z-50 flex justify-center px-4 [:root:has(.composer-form)_&]:bottom-[calc(var(--foot-height,8rem)+1rem)]"
      >
        {shown ? <Toast key={shown.number} text={shown.text} onUndo={() => settle('undo')} onExpire={expire} /> : null}
      </section>
    </OfferContext>
  );
}

type ToastProps = { readonly text: string; readonly onUndo: () => void; readonly onExpire: () => void };

/** The clock stands still while the pointer or the focus is on the toast, so nobody races it. */
function Toast({ text, onUndo, onExpire }: ToastProps) {
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(onExpire, undoMs);
    return () => clearTimeout(timer);
  }, [held, onExpire]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: pointer and focus only hold the clock; the buttons act.
    <div
      className="opens pointer-events-auto flex items-center gap-3 rounded-card border border-line-2 bg-raised py-1.5 pr-1.5 pl-4 shadow-float"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span>{text}</span>
      <Button look="link" onClick={onUndo}>
        Undo
      </Button>
      <IconButton icon={X} label="Close" size="small" onClick={onExpire} />
    </div>
  );
}

export function useUndoToast(): (offer: UndoOffer) => void {
  return useContext(OfferContext);
}
