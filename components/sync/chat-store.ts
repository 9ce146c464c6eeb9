import type { StreamEvent } from '@/server/contract/stream';
import { type ChatState, emptyChat, foldStream } from './fold-stream';

export interface ChatStore {
  readonly get: () => ChatState;
  readonly subscribe: (listener: () => void) => () => void;
  /** At once: what a person did must be seen in the next frame. */
  readonly change: (fold: (state: ChatState) => ChatState) => void;
  /** With the next frame: any number of pieces is one write and one drawing. */
  readonly push: (event: StreamEvent) => void;
  /** Called after a frame in which a hole appeared in a running text. */
  readonly onGap: (listener: () => void) => () => void;
  readonly close: () => void;
}

/** Runs something before the next drawing; gives the way to call it off. */
export type Schedule = (run: () => void) => () => void;

/**
 * How many of the waiting events this frame takes. A compaction that begins and ends within one frame is drawn as begun
 * first, so that even the fastest one is seen (P7).
 */
function countForFrame(events: readonly StreamEvent[]): number {
  const begun = events.findIndex(({ event }) => event === 'chat.compacting');
  if (begun === -1) return events.length;
  const ended = events.findIndex(({ event }, index) => index > begun && event === 'chat.compacted');
  return ended === -1 ? events.length : ended;
}

/** The state of one open conversation outside React and outside the query cache (ux 5: one write a frame). */
export function createChatStore(sessionId: string, schedule: Schedule): ChatStore {
  let state = emptyChat(sessionId);
  let waiting: StreamEvent[] = [];
  let callOff: (() => void) | null = null;
  const listeners = new Set<() => void>();
  const gapListeners = new Set<() => void>();

  const change: ChatStore['change'] = (fold) => {
    const before = state;
    state = fold(state);
    if (state === before) return;
    for (const listener of [...listeners]) listener();
    if (state.gap && !before.gap) for (const listener of [...gapListeners]) listener();
  };
  const flush = () => {
    callOff = null;
    const now = waiting.splice(0, countForFrame(waiting));
    if (waiting.length > 0) plan();
    change((from) => now.reduce(foldStream, from));
  };
  const plan = () => {
    callOff ??= schedule(flush);
  };
  return {
    get: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    change,
    push(event) {
      waiting.push(event);
      plan();
    },
    onGap(listener) {
      gapListeners.add(listener);
      return () => gapListeners.delete(listener);
    },
    close() {
      callOff?.();
      callOff = null;
      waiting = [];
    },
  };
}

const hiddenMs = 250;

/** Frames where the page is seen; a hidden page has none, and its state must still move on. */
export const scheduleFrame: Schedule = (run) => {
  if (document.visibilityState === 'hidden') {
    const timer = setTimeout(run, hiddenMs);
    return () => clearTimeout(timer);
  }
  let done = false;
  const once = () => {
    if (done) return;
    done = true;
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    run();
  };
  const frame = requestAnimationFrame(once);
  // A page that is hidden between the request and the frame gets none.
  const timer = setTimeout(once, hiddenMs);
  return () => {
    done = true;
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
};
