import { z } from 'zod';
import type { Part } from '@/server/contract/shapes';
import type { ChatDelta } from '@/server/contract/stream';
import type { SavedReply } from '@/server/core/turn/recover';
import type { EventBus } from '@/server/ports/event-bus';
import type { RunningPartStore } from '@/server/ports/stores';

/** Text received so far is saved this often, for all running turns at once (`contract.md` 4). Milliseconds. */
const SAVE_EVERY_MS = 250;

const partSchema = z.object({
  part: z.number().int(),
  kind: z.enum(['text', 'reasoning', 'tool_call']),
  text: z.string(),
  call: z.object({ callId: z.string(), name: z.string() }).optional(),
});
export const runningPartsSchema = z.array(partSchema);

type RunningPart = z.infer<typeof partSchema>;

interface Running {
  readonly sessionId: string;
  readonly turnId: string;
  readonly messageId: string;
  parts: readonly RunningPart[];
  saved: boolean;
}

export type Delta = Pick<RunningPart, 'part' | 'kind' | 'text' | 'call'>;

/**
 * Text on its way: shown as it comes, kept outside the log until the message it belongs to is appended. It is not
 * history; after a kill recovery turns it into history (T4).
 */
export interface RunningText {
  open(running: { readonly sessionId: string; readonly turnId: string; readonly messageId: string }): void;
  add(messageId: string, delta: Delta): void;
  /** Discards what came so far, from the screen too (C9). */
  reset(messageId: string): void;
  /** After the message was appended, or for good. */
  close(messageId: string): void;
  /** Whatever of a turn is left when it ended; a turn that broke off is left open until recovery took its text. */
  closeTurn(turnId: string): void;
  /** What was received in a session and is not yet in its log, for recovery; call `close` once it is. */
  receivedIn(sessionId: string): readonly SavedReply[];
  /** One delta from offset 0 for each running part of these sessions: what a client that connects now has missed. */
  soFar(sessionId: string): readonly ChatDelta[];
  stop(): void;
}

/** Nothing runs at first; what an earlier process saved is for recovery to read. */
export function createRunningText(bus: EventBus, store: RunningPartStore): RunningText {
  const running = new Map<string, Running>();
  /** Rows that should be gone and could not be taken away. */
  const leftover = new Set<string>();
  let timer: ReturnType<typeof setInterval> | null = null;

  const save = () => {
    for (const messageId of leftover) {
      store.remove(messageId);
      leftover.delete(messageId);
    }
    const unsaved = [...running.values()].filter((each) => !each.saved && each.parts.length > 0);
    if (unsaved.length > 0) store.save(unsaved);
    // Only now: what could not be saved is tried again with the next tick.
    for (const each of unsaved) each.saved = true;
  };
  const saveIfPossible = () => {
    try {
      save();
      settle();
    } catch {
      // A full disk must not end the process from a timer; the text stays here and is tried again.
    }
  };
  const settle = () => {
    if (running.size > 0 || leftover.size > 0) {
      timer ??= setInterval(saveIfPossible, SAVE_EVERY_MS).unref();
    } else if (timer) {
      clearInterval(timer);
      timer = null;
    }
  };
  const publish = (data: ChatDelta) =>
    bus.publish({ event: { event: 'chat.delta', data }, sessionId: data.sessionId, seq: null });

  /** What was saved is only for a crash: where it cannot be taken away now, the turn must not fail for it (rel-S9). */
  const remove = (messageId: string) => {
    try {
      store.remove(messageId);
    } catch {
      leftover.add(messageId);
    }
  };

  const close = (messageId: string) => {
    running.delete(messageId);
    remove(messageId);
    settle();
  };

  return {
    open: (facts) => {
      running.set(facts.messageId, { ...facts, parts: [], saved: true });
      settle();
    },
    add: (messageId, delta) => {
      const each = running.get(messageId);
      if (!each || delta.text === '') return;
      const before = each.parts.find((part) => part.part === delta.part);
      const grown = before ? { ...before, text: before.text + delta.text } : delta;
      each.parts = before ? each.parts.map((part) => (part === before ? grown : part)) : [...each.parts, grown];
      each.saved = false;
      publish(toDelta(each, { ...grown, text: delta.text }, before?.text.length ?? 0));
    },
    reset: (messageId) => {
      const each = running.get(messageId);
      if (!each || each.parts.length === 0) return;
      each.parts = [];
      each.saved = true;
      remove(messageId);
      const data = { sessionId: each.sessionId, turnId: each.turnId, messageId };
      bus.publish({ event: { event: 'chat.reset', data }, sessionId: each.sessionId, seq: null });
    },
    close,
    closeTurn: (turnId) => {
      for (const each of [...running.values()]) if (each.turnId === turnId) close(each.messageId);
    },
    receivedIn: (sessionId) =>
      [...running.values()]
        .filter((each) => each.sessionId === sessionId)
        .map(({ messageId, parts }) => ({ messageId, parts: toRecoveredParts(parts) })),
    soFar: (sessionId) =>
      [...running.values()]
        .filter((each) => each.sessionId === sessionId)
        .flatMap((each) => each.parts.map((part) => toDelta(each, part, 0))),
    stop: () => {
      saveIfPossible();
      if (timer) clearInterval(timer);
      timer = null;
    },
  };
}

function toDelta(running: Running, part: RunningPart, offset: number): ChatDelta {
  const { sessionId, turnId, messageId } = running;
  const shown = { sessionId, turnId, messageId, part: part.part, kind: part.kind, offset, text: part.text };
  return part.call ? { ...shown, call: part.call } : shown;
}

/** What recovery makes of saved parts: text and reasoning as parts of a message; half a call is left out. */
export function toRecoveredParts(saved: unknown): readonly Part[] {
  const parsed = runningPartsSchema.safeParse(saved);
  if (!parsed.success) return [];
  return parsed.data.flatMap(({ kind, text }): readonly Part[] =>
    kind === 'tool_call' || text.trim() === '' ? [] : [{ type: kind, text }],
  );
}
