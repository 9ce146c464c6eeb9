import type { EventDraft, StoredEvent } from '@/server/contract/events/event';
import { prepareDraft } from '@/server/core/log/encode-line-draft';
import { builtId } from '@/server/core/projection/log-builder-desk';
import type { ImportContext } from './import-shape';

/** An import whose ids and time are the same in every run. */
export function importContext(overrides: Partial<ImportContext> = {}): ImportContext {
  let ids = 0;
  return {
    nextId: () => {
      ids += 1;
      return builtId(ids);
    },
    at: '2026-03-01T00:00:00.000Z',
    owner: 'ada',
    app: 'test',
    file: 'session.jsonl',
    sha256: 'f'.repeat(64),
    resultCapBytes: 16_384,
    ...overrides,
  };
}

/** Drafts as the log would hold them after they were created in it; throws where one is no valid event. */
export function storeDrafts(drafts: readonly EventDraft[]): readonly StoredEvent[] {
  const seqs = new Map(drafts.map((draft, place) => [draft.id, place + 1]));
  return drafts.map((draft, place) => {
    const prepared = prepareDraft(draft);
    if (prepared.kind !== 'ready') throw new TypeError(`no valid ${draft.type}: ${prepared.why}`);
    const { prev } = draft;
    const link = typeof prev === 'object' && prev !== null ? (seqs.get(prev.id) ?? null) : (prev ?? null);
    return prepared.draft.place({ seq: place + 1, prev: link }).event;
  });
}
