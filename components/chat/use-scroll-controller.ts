'use client';

import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/**
 * Where the reader is. `following`: at the end, growth stays in sight. `anchored`: what was just sent rests near the top
 * and the reply grows beneath it; grown past the visible end it is followed. `free`: the reader went up; nothing moves
 * them (ux 5, case-E01).
 */
export type ScrollMode = 'following' | 'anchored' | 'free';

/** This near to the end counts as at the end. Pixels. */
export const nearEndPx = 64;
const anchorTopPx = 16;

interface Place {
  readonly key: string;
  /** Of the block's top edge, from the top of the view. Pixels. */
  readonly top: number;
}

interface Inner {
  mode: ScrollMode;
  place: Place | null;
  anchorKey: string | null;
  /** What rests near the top has a reply growing beneath it, which is followed once it would leave the view. */
  grows: boolean;
  lastTop: number;
  lastHeight: number;
}

export interface ScrollController {
  readonly viewRef: RefObject<HTMLElement | null>;
  readonly contentRef: RefObject<HTMLDivElement | null>;
  readonly spacerRef: RefObject<HTMLDivElement | null>;
  readonly mode: ScrollMode;
  /** Something newer than what is in sight lies further down. */
  readonly below: boolean;
  readonly toEnd: () => void;
  /** Rests the block of this key near the top; what grows beneath it is followed once it would leave the view. */
  readonly anchor: (key: string) => void;
  /** Rests it there to be read: whatever comes beneath it does not move it. */
  readonly rest: (key: string) => void;
  /** The block that rests there is another element now; a reader who has moved on meanwhile is left alone. */
  readonly renameAnchor: (key: string) => void;
  /** Brings a block into sight without following it afterwards. */
  readonly show: (element: HTMLElement) => void;
}

function blocksOf(content: HTMLElement): readonly HTMLElement[] {
  return [...content.querySelectorAll<HTMLElement>('[data-block]')];
}

function topIn(view: HTMLElement, element: HTMLElement): number {
  return element.getBoundingClientRect().top - view.getBoundingClientRect().top;
}

/** The first block that reaches into the view: what is being read. */
function readPlace(view: HTMLElement, content: HTMLElement): Place | null {
  const viewTop = view.getBoundingClientRect().top;
  const block = blocksOf(content).find((element) => element.getBoundingClientRect().bottom > viewTop + 1);
  return block ? { key: block.dataset.block ?? '', top: topIn(view, block) } : null;
}

function findBlock(content: HTMLElement, key: string): HTMLElement | null {
  return content.querySelector<HTMLElement>(`[data-block="${CSS.escape(key)}"]`);
}

/** Room under the newest turn, so that its first line can rest near the top before the reply has grown. */
function sizeSpacer(parts: { view: HTMLElement; content: HTMLElement; spacer: HTMLElement; key: string | null }): void {
  const { view, content, spacer, key } = parts;
  const block = key === null ? null : findBlock(content, key);
  const below = block ? content.getBoundingClientRect().bottom - block.getBoundingClientRect().top : 0;
  const wanted = block ? Math.max(0, view.clientHeight - below - anchorTopPx) : 0;
  spacer.style.height = `${Math.floor(wanted)}px`;
}

/** The end of the transcript lies under the visible end: by more than this many pixels. */
function endsBelow(view: HTMLElement, content: HTMLElement, byPx: number): boolean {
  return content.getBoundingClientRect().bottom - view.getBoundingClientRect().bottom > byPx;
}

function settle(inner: Inner, parts: { view: HTMLElement; content: HTMLElement; spacer: HTMLElement }): void {
  const { view, content } = parts;
  sizeSpacer({ ...parts, key: inner.anchorKey });
  if (inner.mode === 'following') view.scrollTop = view.scrollHeight;
  else {
    const block = inner.place ? findBlock(content, inner.place.key) : null;
    // A block that left, or was replaced by its summary, gives no place to keep.
    if (block && inner.place) view.scrollTop += topIn(view, block) - inner.place.top;
    if (inner.mode === 'anchored' && inner.grows && endsBelow(view, content, 1)) {
      inner.mode = 'following';
      view.scrollTop = view.scrollHeight;
    }
  }
  inner.lastTop = view.scrollTop;
  inner.lastHeight = view.scrollHeight;
}

/** Keeps the reader's place through everything that changes the height of a transcript. */
export function useScrollController(options: {
  readonly ready: boolean;
  readonly storageKey: string;
}): ScrollController {
  const { ready, storageKey } = options;
  const viewRef = useRef<HTMLElement>(null);
  const contentRef = useRef<HTMLDivElement>(null);
  const spacerRef = useRef<HTMLDivElement>(null);
  const inner = useRef<Inner>({
    mode: 'following',
    place: null,
    anchorKey: null,
    grows: false,
    lastTop: 0,
    lastHeight: 0,
  });
  const [mode, setMode] = useState<ScrollMode>('following');
  const [below, setBelow] = useState(false);

  const parts = useCallback(() => {
    const [view, content, spacer] = [viewRef.current, contentRef.current, spacerRef.current];
    return view && content && spacer ? { view, content, spacer } : null;
  }, []);
  const enter = useCallback((next: ScrollMode) => {
    inner.current.mode = next;
    setMode(next);
  }, []);
  /** What the reader did since the last write of ours: went up, came back to the end, moved while up there. */
  const notice = useCallback(
    (view: HTMLElement, content: HTMLElement) => {
      const state = inner.current;
      const moved = view.scrollTop - state.lastTop;
      const shrank = view.scrollHeight < state.lastHeight;
      const left = view.scrollHeight - view.clientHeight - view.scrollTop;
      state.lastTop = view.scrollTop;
      state.lastHeight = view.scrollHeight;
      setBelow(endsBelow(view, content, nearEndPx));
      // Our own writes leave nothing to see here; a shorter page is not the reader going up.
      if (moved === 0 || shrank) return;
      if (moved < 0 && left > 1) enter('free');
      else if (moved > 0 && left <= nearEndPx) enter('following');
      state.place = readPlace(view, content);
      store(storageKey, state.mode === 'free' ? state.place : null);
    },
    [enter, storageKey],
  );
  const apply = useCallback(() => {
    const found = parts();
    if (!found) return;
    // A scroll whose event is still to come counts first: a click may follow it within the same frame.
    notice(found.view, found.content);
    settle(inner.current, found);
    setMode(inner.current.mode);
    setBelow(endsBelow(found.view, found.content, nearEndPx));
  }, [parts, notice]);

  // After every drawing: what grew above or below must not move what is read.
  useLayoutEffect(() => {
    if (ready) apply();
  });

  useLayoutEffect(() => {
    if (!ready) return;
    const stored = readStored(storageKey);
    if (stored === null) return;
    inner.current.place = stored;
    enter('free');
    apply();
  }, [ready, storageKey, apply, enter]);

  useEffect(() => {
    const found = parts();
    if (!found || !ready) return;
    const observer = new ResizeObserver(apply);
    observer.observe(found.content);
    observer.observe(found.view);
    return () => observer.disconnect();
  }, [ready, apply, parts]);

  useEffect(() => {
    const found = parts();
    if (!found || !ready) return;
    const { view, content } = found;
    const onScroll = () => notice(view, content);
    // At the end already, End moves nothing and says all the same that growth is to be followed.
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'End' && event.target === view) enter('following');
    };
    view.addEventListener('scroll', onScroll, { passive: true });
    view.addEventListener('keydown', onKeyDown);
    return () => {
      view.removeEventListener('scroll', onScroll);
      view.removeEventListener('keydown', onKeyDown);
    };
  }, [ready, parts, notice, enter]);

  const toEnd = useCallback(() => {
    enter('following');
    store(storageKey, null);
    apply();
  }, [apply, enter, storageKey]);
  const restAt = useCallback(
    (key: string, grows: boolean) => {
      inner.current.anchorKey = key;
      inner.current.grows = grows;
      inner.current.place = { key, top: anchorTopPx };
      enter('anchored');
      store(storageKey, null);
      apply();
    },
    [apply, enter, storageKey],
  );
  const anchor = useCallback((key: string) => restAt(key, true), [restAt]);
  const rest = useCallback((key: string) => restAt(key, false), [restAt]);
  const renameAnchor = useCallback(
    (key: string) => {
      if (inner.current.mode === 'anchored') anchor(key);
      else inner.current.anchorKey = key;
    },
    [anchor],
  );
  const show = useCallback(
    (element: HTMLElement) => {
      const found = parts();
      if (!found) return;
      const { view, content } = found;
      enter('free');
      view.scrollTop += topIn(view, element) - Math.min(96, view.clientHeight / 4);
      inner.current.lastTop = view.scrollTop;
      inner.current.lastHeight = view.scrollHeight;
      inner.current.place = readPlace(view, content);
    },
    [enter, parts],
  );
  return { viewRef, contentRef, spacerRef, mode, below, toEnd, anchor, rest, renameAnchor, show };
}

/** Storage can be forbidden; then the place is simply not kept. */
function store(key: string, place: Place | null): void {
  try {
    if (place === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(place));
  } catch {
    // The reading place is a convenience.
  }
}

function readStored(key: string): Place | null {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null');
    if (typeof value !== 'object' || value === null || !('key' in value) || !('top' in value)) return null;
    const { key: block, top } = value;
    return typeof block === 'string' && typeof top === 'number' ? { key: block, top } : null;
  } catch {
    return null;
  }
}
