import type { EventDraft } from '@/server/contract/events/event';
import { createIds } from '@/server/core/ids';

/** Word-like builders for logs of tests: ids and times in order, no clock, no randomness. */
export interface DraftMaker {
  readonly ids: ReturnType<typeof createIds>;
  readonly clock: { now(): number };
  id(): string;
  opened(logId: string): EventDraft[];
  message(logId: string, text: string): EventDraft<'message.user'>;
  mark(logId: string, prev: EventDraft['prev'], text?: string): EventDraft<'carry.marked'>;
}

export function makeDrafts(): DraftMaker {
  let tick = Date.UTC(2026, 0, 2);
  const clock = { now: () => tick };
  const ids = createIds({ clock, drawBytes: (count) => new Uint8Array(count) });
  const envelope = (branch: string) => {
    tick += 1;
    return { id: ids.next(), branch, at: new Date(tick).toISOString() };
  };
  return {
    ids,
    clock,
    id: () => envelope('').id,
    opened: (logId) => [
      { ...envelope(logId), type: 'log.opened', format: 'tidemark-log', logId, app: 'test' },
      { ...envelope(logId), type: 'branch.opened', prev: null, kind: 'root', owner: 'local' },
    ],
    message: (logId, text) => ({
      ...envelope(logId),
      type: 'message.user',
      parts: [{ type: 'text', text }],
      by: 'local',
      bytes: Buffer.byteLength(text),
    }),
    mark: (logId, prev, text = 'keep this') => ({ ...envelope(logId), type: 'carry.marked', prev, text, by: 'local' }),
  };
}
