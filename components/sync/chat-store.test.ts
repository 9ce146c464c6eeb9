import { describe, expect, it } from 'vitest';
import type { StreamEvent } from '@/server/contract/stream';
import { createChatStore } from './chat-store';
import { chatMessage, delta, idOf, sessionId, userMessage } from './fold-stream-arbitraries';

/** Frames that the test draws one by one. */
function frames() {
  let waiting: (() => void)[] = [];
  return {
    schedule: (run: () => void) => {
      waiting.push(run);
      return () => {
        waiting = waiting.filter((one) => one !== run);
      };
    },
    draw: () => {
      for (const run of waiting.splice(0)) run();
    },
  };
}

const begun: StreamEvent = {
  event: 'chat.compacting',
  data: { sessionId, compactionId: idOf(1), trigger: 'auto', model: null, stage: 'one_shot' },
};
const ended: StreamEvent = {
  event: 'chat.compacted',
  data: { sessionId, compactionId: idOf(1), outcome: 'committed', bytesBefore: 10, bytesAfter: 5 },
};

describe('the store of a conversation', () => {
  it('ux-5: any number of pieces within one frame is one write', () => {
    const { schedule, draw } = frames();
    const store = createChatStore(sessionId, schedule);
    let writes = 0;
    store.subscribe(() => {
      writes += 1;
    });
    for (let at = 0; at < 200; at += 1) store.push(delta(3, at, 'x', 'T'));
    expect(writes).toBe(0);
    draw();
    expect(writes).toBe(1);
    expect(store.get().running?.parts[0]?.text).toHaveLength(200);
  });

  it('P7: a compaction that begins and ends within one frame is seen all the same', () => {
    const { schedule, draw } = frames();
    const store = createChatStore(sessionId, schedule);
    store.push(begun);
    store.push(ended);
    draw();
    expect(store.get().compaction?.state).toBe('running');
    draw();
    expect(store.get().compaction?.state).toBe('landed');
  });

  it('a hole in a running text is told once', () => {
    const { schedule, draw } = frames();
    const store = createChatStore(sessionId, schedule);
    let gaps = 0;
    store.onGap(() => {
      gaps += 1;
    });
    store.push(delta(3, 5, 'late', 'T'));
    store.push(delta(3, 9, 'r', 'T'));
    draw();
    expect(gaps).toBe(1);
  });

  it('an event that changes nothing draws nothing', () => {
    const { schedule, draw } = frames();
    const store = createChatStore(sessionId, schedule);
    store.push(chatMessage(userMessage(1)));
    draw();
    const before = store.get();
    store.push(chatMessage(userMessage(1)));
    draw();
    expect(store.get()).toBe(before);
  });
});
