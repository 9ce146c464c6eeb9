import { describe, expect, it } from 'vitest';
import type { Message } from '@/server/contract/message';
import type { MessagesAnswer } from '@/server/contract/messages-api';
import type { Session } from '@/server/contract/session';
import { createChatReader } from './chat-reader';
import { createChatStore } from './chat-store';
import { chatMessage, idOf, reply, sessionId, userMessage } from './fold-stream-arbitraries';
import { aSession } from './testing/a-session';

const page = (messages: readonly Message[], hasBefore = false): MessagesAnswer => ({
  messages: [...messages],
  hasBefore,
  hasAfter: false,
});

/** Lets everything that waits for nothing else go on. */
const settle = async () => {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
};

/** A server whose answers wait until the test lets them go, oldest request first. */
function aServer() {
  const waiting: ((answer: MessagesAnswer) => void)[] = [];
  let session: Session = aSession();
  let moved = 0;
  const store = createChatStore(sessionId, (run) => {
    run();
    return () => undefined;
  });
  const reader = createChatReader({
    store,
    readSession: () => Promise.resolve(session),
    readPage: () => new Promise((resolve) => waiting.push(resolve)),
    onMoved: () => {
      moved += 1;
    },
  });
  return {
    store,
    reader,
    say: (next: Partial<Session>) => {
      session = { ...session, ...next };
    },
    /** Waits for the next request of a page, then answers it. */
    answer: async (messages: readonly Message[], hasBefore = false) => {
      await settle();
      expect(waiting.length, 'a page was asked for').toBeGreaterThan(0);
      waiting.shift()?.(page(messages, hasBefore));
      await settle();
    },
    /** A request that waits, taken out to be answered later. */
    take: async () => {
      await settle();
      return waiting.shift();
    },
    ids: () => store.get().messages.map(({ id }) => id),
    movedTimes: () => moved,
  };
}

describe('the path of a conversation is read again where its head moved (L4, case-E06)', () => {
  it('L4: after a revert exactly the new path is held, and every tab reads once for each move', async () => {
    const { reader, say, answer, ids, movedTimes } = aServer();
    void reader.load(false);
    await answer([userMessage(1), reply(2, 'two'), userMessage(3), reply(4, 'four')]);
    say({ headMovedSeq: 5, headSeq: 5 });
    reader.follow(5);
    reader.follow(5);
    await answer([userMessage(1), reply(2, 'two')]);
    reader.follow(5);
    expect(ids()).toEqual([idOf(1), idOf(2)]);
    expect(movedTimes()).toBe(1);
  });

  it('L4: a conversation that was looked at before the stream told of its move is read again too', async () => {
    const { reader, say, answer, ids } = aServer();
    void reader.load(false);
    await answer([userMessage(1), reply(2, 'two')]);
    say({ headMovedSeq: 3, headSeq: 3 });
    void reader.refresh();
    await answer([userMessage(1)]);
    expect(ids()).toEqual([idOf(1)]);
  });

  it('case-E06: what the stream tells while the page is under way is not lost with an older page', async () => {
    const { store, reader, say, answer, ids } = aServer();
    void reader.load(false);
    await answer([userMessage(1), reply(2, 'two')]);
    say({ headMovedSeq: 3, headSeq: 4 });
    reader.follow(3);
    await settle();
    const event = chatMessage(reply(5, 'five'));
    reader.see({ event, cursor: { sessionId, seq: 5 } });
    store.push(event);
    // The page was read before the reply was written.
    await answer([userMessage(1), userMessage(4)]);
    expect(ids()).toEqual([idOf(1), idOf(4), idOf(5)]);
  });

  it('L4: of two readings the newer one counts, whichever answer comes last', async () => {
    const { reader, say, answer, take, ids } = aServer();
    void reader.load(false);
    await answer([userMessage(1), reply(2, 'two')]);
    say({ headMovedSeq: 3, headSeq: 3 });
    reader.follow(3);
    const old = await take();
    say({ headMovedSeq: 4, headSeq: 5 });
    reader.follow(4);
    await answer([userMessage(1), userMessage(5)]);
    old?.(page([userMessage(1), userMessage(9)]));
    await settle();
    expect(ids()).toEqual([idOf(1), idOf(5)]);
  });

  it('L4: an older page of a path that was left is not put in front of the new one', async () => {
    const { reader, say, answer, take, ids } = aServer();
    void reader.load(false);
    await answer([userMessage(3), reply(4, 'four')], true);
    void reader.loadBefore();
    const before = await take();
    say({ headMovedSeq: 5, headSeq: 6 });
    reader.follow(5);
    await answer([userMessage(6)]);
    before?.(page([userMessage(1), reply(2, 'two')]));
    await settle();
    expect(ids()).toEqual([idOf(6)]);
  });
});
