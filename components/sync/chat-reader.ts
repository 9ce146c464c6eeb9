import type { MessagesAnswer } from '@/server/contract/messages-api';
import type { Session } from '@/server/contract/session';
import type { StreamEvent } from '@/server/contract/stream';
import type { ChatStore } from './chat-store';
import type { StreamMessage } from './event-stream-parse';
import { foldPage, foldSession, foldStream } from './fold-stream';

const pageSize = 100;

export interface ReaderDeps {
  readonly store: ChatStore;
  readonly readSession: () => Promise<Session>;
  readonly readPage: (query: { readonly before?: string; readonly limit: number }) => Promise<MessagesAnswer>;
  /** The path is another one: whatever else is held of the conversation may be too. */
  readonly onMoved: () => void;
}

export interface ChatReader {
  /** `replace`: the path may be another one, so nothing held is believed. */
  readonly load: (replace: boolean) => Promise<number>;
  readonly loadBefore: () => Promise<void>;
  readonly refresh: () => Promise<void>;
  readonly see: (message: StreamMessage) => void;
  /** Reads the path again where the head has moved since it was last read. */
  readonly follow: (headMovedSeq: number) => Promise<void>;
}

/** Reads pages and the conversation itself into the store. An answer older than an event already seen is not believed. */
export function createChatReader({ store, readSession, readPage, onMoved }: ReaderDeps): ChatReader {
  const { sessionId } = store.get();
  let seen = 0;
  let reading: Promise<void> | null = null;
  let round = 0;
  // What the stream told while a page was under way: the page may be older, and must not take it back.
  let late: StreamEvent[] | null = null;
  // `headMovedSeq` of the path that is held, or on its way.
  let pathOf = 0;
  const believe = (session: Session) => {
    if (session.headSeq >= seen) store.change((state) => foldSession(state, session));
  };
  const load = async (replace: boolean) => {
    round += 1;
    const own = round;
    late = [];
    const session = await readSession();
    const page = await readPage({ limit: pageSize });
    // Only the newest reading is of the path that is in force.
    if (own !== round) return session.headSeq;
    pathOf = Math.max(pathOf, session.headMovedSeq);
    const told = late ?? [];
    store.change((state) => told.reduce(foldStream, foldPage(state, { page, at: 'newest', replace })));
    late = null;
    believe(session);
    return session.headSeq;
  };
  const follow = async (headMovedSeq: number) => {
    if (headMovedSeq <= pathOf) return;
    pathOf = headMovedSeq;
    onMoved();
    await load(true).catch(() => {
      pathOf = 0;
    });
  };
  return {
    load,
    follow,
    see({ event, cursor }) {
      if (cursor?.sessionId === sessionId) seen = Math.max(seen, cursor.seq);
      if (event.event === 'chat.message' || event.event === 'chat.queue') late?.push(event);
    },
    loadBefore() {
      const first = store.get().messages[0];
      if (!first || !store.get().hasBefore) return Promise.resolve();
      reading ??= readPage({ before: first.id, limit: pageSize })
        .then((page) =>
          // Of a path that is not shown any more nothing is put in front.
          store.change((state) =>
            state.messages[0]?.id === first.id ? foldPage(state, { page, at: 'before' }) : state,
          ),
        )
        .finally(() => {
          reading = null;
        });
      return reading;
    },
    async refresh() {
      const session = await readSession();
      believe(session);
      await follow(session.headMovedSeq);
    },
  };
}
