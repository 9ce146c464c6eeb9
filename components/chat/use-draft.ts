'use client';

import { useCallback, useEffect, useRef, useState } from 'react';
import { pickDraft, readDraft, type StoredDraft, writeDraft } from './draft-storage';

/** How long typing rests before the server's copy is written. Milliseconds. */
const idleMs = 1_000;

export interface ServerDraft {
  readonly read: () => Promise<{ readonly text: string; readonly updatedAt: string | null }>;
  readonly save: (text: string) => Promise<unknown>;
}

export interface Draft {
  readonly text: string;
  readonly change: (text: string) => void;
  /** Takes the words out for sending; they stay on this device until `sent`. */
  readonly take: (clientMessageId: string) => void;
  /** The server has them. */
  readonly sent: (clientMessageId: string) => void;
  /** The server refused them: back into an empty field; true when they are there, false when newer words were. */
  readonly giveBack: (clientMessageId: string, text: string) => boolean;
}

/** The composer's text: on this device at once, on the server after a second of rest (case-E05). */
export function useDraft(draftKey: string, server: ServerDraft | null): Draft {
  const [text, setText] = useState('');
  const latest = useRef<StoredDraft>({ text: '', at: 0, sending: [] });
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const touched = useRef(false);
  const serverRef = useRef(server);
  serverRef.current = server;

  const write = useCallback(
    (draft: StoredDraft) => {
      latest.current = draft;
      writeDraft(localStorage, draftKey, draft);
    },
    [draftKey],
  );
  const saveNow = useCallback(() => {
    clearTimeout(timer.current);
    if (timer.current === undefined) return;
    timer.current = undefined;
    void serverRef.current?.save(latest.current.text);
  }, []);
  const saveSoon = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(saveNow, idleMs);
  }, [saveNow]);
  const put = useCallback(
    (next: string, sending: StoredDraft['sending']) => {
      touched.current = true;
      setText(next);
      write({ text: next, at: Date.now(), sending });
      saveSoon();
    },
    [write, saveSoon],
  );

  useEffect(() => {
    let gone = false;
    const local = readDraft(localStorage, draftKey);
    const begin = (found: string) => {
      if (gone || touched.current || found === latest.current.text) return;
      latest.current = { text: found, at: local?.at ?? 0, sending: [] };
      setText(found);
    };
    begin(pickDraft(local, null));
    serverRef.current?.read().then(
      (copy) => begin(pickDraft(local, copy)),
      () => undefined,
    );
    window.addEventListener('pagehide', saveNow);
    return () => {
      gone = true;
      window.removeEventListener('pagehide', saveNow);
      saveNow();
    };
  }, [draftKey, saveNow]);

  const change = useCallback((next: string) => put(next, latest.current.sending), [put]);
  const take = useCallback(
    (clientMessageId: string) => put('', [...latest.current.sending, { text: latest.current.text, clientMessageId }]),
    [put],
  );
  const without = useCallback(
    (clientMessageId: string) => latest.current.sending.filter((one) => one.clientMessageId !== clientMessageId),
    [],
  );
  const sent = useCallback((id: string) => put(latest.current.text, without(id)), [put, without]);
  const giveBack = useCallback(
    (id: string, words: string) => {
      const free = latest.current.text.trim() === '';
      put(free ? words : latest.current.text, without(id));
      return free;
    },
    [put, without],
  );
  return { text, change, take, sent, giveBack };
}
