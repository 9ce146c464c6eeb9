'use client';

import { useCallback, useEffect, useRef, useState } from 'react';
import { hasCode, toMessage } from '../sync/api-client';
import { changedFields } from './changed-fields';

export type DraftDocument<Content> = { readonly id: string; readonly revision: number; readonly draft: Content };

export type DraftState =
  | { readonly state: 'saved'; readonly at: Date | null }
  | { readonly state: 'unsaved' }
  | { readonly state: 'saving' }
  | { readonly state: 'conflict' }
  | { readonly state: 'failed'; readonly text: string };

export type DraftOptions<Content extends object> = {
  readonly document: DraftDocument<Content>;
  /** Sends the changed fields made from `revision`; throws `conflict` when the draft moved meanwhile. */
  readonly save: (patch: Partial<Content>, revision: number) => Promise<DraftDocument<Content>>;
  readonly reload: () => Promise<DraftDocument<Content>>;
  /** Rest before a save, in milliseconds. */
  readonly restMs?: number;
};

type Held<Content> = { content: Content; saved: Content; revision: number; busy: boolean };

/** Sends what is unsaved until nothing is, one request at a time, so answers cannot overtake each other. */
async function saveAll<Content extends object>(
  held: Held<Content>,
  save: DraftOptions<Content>['save'],
): Promise<void> {
  for (;;) {
    const sent = held.content;
    const patch = changedFields(held.saved, sent);
    if (Object.keys(patch).length === 0) return;
    const answer = await save(patch, held.revision);
    held.saved = sent;
    held.revision = answer.revision;
  }
}

/**
 * A draft that saves itself once typing rests, and when the page is left. What was typed is never lost: a failed save
 * keeps it and says why; when somebody else changed the draft, the person chooses whose words stay.
 */
export function useDraft<Content extends object>(options: DraftOptions<Content>) {
  const { document, save, reload, restMs = 1000 } = options;
  const [content, setContent] = useState(document.draft);
  const [state, setState] = useState<DraftState>({ state: 'saved', at: null });
  const held = useRef<Held<Content>>({
    content: document.draft,
    saved: document.draft,
    revision: document.revision,
    busy: false,
  });
  const latestSave = useRef(save);
  useEffect(() => {
    latestSave.current = save;
  });

  const flush = useCallback(async (): Promise<boolean> => {
    if (held.current.busy) return false;
    held.current.busy = true;
    setState({ state: 'saving' });
    try {
      await saveAll(held.current, latestSave.current);
      setState({ state: 'saved', at: new Date() });
      return true;
    } catch (thrown) {
      setState(hasCode(thrown, 'conflict') ? { state: 'conflict' } : { state: 'failed', text: toMessage(thrown) });
      return false;
    } finally {
      held.current.busy = false;
    }
  }, []);
  const adopt = useCallback((next: DraftDocument<Content>) => {
    Object.assign(held.current, { content: next.draft, saved: next.draft, revision: next.revision });
    setContent(next.draft);
    setState({ state: 'saved', at: null });
  }, []);

  // A newer document is taken over only while nothing of ours is unsaved.
  useEffect(() => {
    const { current } = held;
    if (document.revision > current.revision && current.content === current.saved) adopt(document);
  }, [document, adopt]);
  useEffect(() => {
    if (state.state !== 'unsaved') return;
    const timer = setTimeout(() => void flush(), restMs);
    return () => clearTimeout(timer);
  }, [state, flush, restMs]);
  useEffect(() => {
    const { current } = held;
    return () => {
      if (current.content !== current.saved) void saveAll(current, latestSave.current).catch(() => undefined);
    };
  }, []);

  const change = useCallback((patch: Partial<Content>) => {
    held.current.content = { ...held.current.content, ...patch };
    setContent(held.current.content);
    setState({ state: 'unsaved' });
  }, []);
  const keepMine = async () => {
    held.current.revision = (await reload()).revision;
    return flush();
  };
  const takeTheirs = async () => adopt(await reload());
  return { content, state, change, flush, keepMine, takeTheirs, revision: () => held.current.revision };
}
