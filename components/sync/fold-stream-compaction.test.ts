import { describe, expect, it } from 'vitest';
import type { ChatCompacted, ChatCompacting } from '@/server/contract/stream';
import { emptyChat, foldStream } from './fold-stream';
import { idOf, sessionId } from './fold-stream-arbitraries';
import { foldCompacted, foldCompacting, foldRequested, isLive, rowFromActivity } from './fold-stream-compaction';
import { foldLocal } from './fold-stream-local';

const at = '2026-01-02T03:04:05.678Z';
const model = { provider: 'fake', model: 'haiku-x' };
const click = (n: number) => ({ clientRequestId: `click-${n}`, focus: null, at });
const begun = (change: Partial<ChatCompacting> = {}): ChatCompacting => ({
  sessionId,
  compactionId: idOf(1),
  trigger: 'manual',
  model,
  stage: 'one_shot',
  since: '2026-01-02T03:04:06.000Z',
  clientRequestId: 'click-1',
  ...change,
});
const ended = (change: Partial<ChatCompacted> = {}): ChatCompacted => ({
  sessionId,
  compactionId: idOf(1),
  outcome: 'committed',
  bytesBefore: 212_000,
  bytesAfter: 6_100,
  ...change,
});

describe('the one row of a compaction', () => {
  it('ux-17.1: three clicks and the event of the server are one row, with the first click’s id', () => {
    const clicked = [1, 2, 3].reduce<ReturnType<typeof foldRequested> | null>(
      (row, n) => foldRequested(row, click(n)),
      null,
    );
    expect(clicked?.clientRequestId).toBe('click-1');
    expect(clicked?.state).toBe('requested');
    const row = foldCompacting(clicked, begun());
    expect(row).toMatchObject({ state: 'running', clientRequestId: 'click-1', compactionId: idOf(1), model });
  });

  it('contract 14: a click that joins another tab’s compaction becomes that row', () => {
    const row = foldCompacting(foldRequested(null, click(1)), begun({ clientRequestId: 'another-tab' }));
    expect(row).toMatchObject({ state: 'running', clientRequestId: 'another-tab' });
  });

  it('P7: an automatic compaction begins its row by the event alone', () => {
    const row = foldCompacting(null, begun({ trigger: 'auto', clientRequestId: null }));
    expect(row).toMatchObject({ state: 'running', trigger: 'auto' });
  });

  it('the elapsed time counts from the server’s start once it is known', () => {
    expect(foldCompacting(foldRequested(null, click(1)), begun())?.since).toBe('2026-01-02T03:04:06.000Z');
  });

  it('X6: a later stage starts no clock anew, keeps the segments, and says which are being read', () => {
    const segments = { done: 2, running: 2, failed: 0, total: 8 };
    const mapping = foldCompacting(null, begun({ stage: 'map', segments, reading: [3, 4] }));
    expect(mapping).toMatchObject({ segments, reading: [3, 4] });
    const joining = foldCompacting(mapping, begun({ stage: 'reduce', since: '2026-01-02T03:05:00.000Z' }));
    expect(joining).toMatchObject({ segments, reading: [], stage: 'reduce', since: '2026-01-02T03:04:06.000Z' });
    const another = foldCompacting(joining, begun({ compactionId: idOf(2), since: '2026-01-02T03:06:00.000Z' }));
    expect(another).toMatchObject({ segments: null, since: '2026-01-02T03:06:00.000Z' });
  });

  it('ux-6.3: stopping stays on the row while stages still arrive', () => {
    const state = foldStream(emptyChat(sessionId), { event: 'chat.compacting', data: begun() });
    const stopping = foldLocal(state, { kind: 'cancelling' });
    const later = foldStream(stopping, { event: 'chat.compacting', data: begun({ stage: 'reduce' }) });
    expect(later.compaction?.state).toBe('cancelling');
    expect(foldCompacted(later.compaction, ended({ outcome: 'cancelled' }))?.state).toBe('cancelled');
  });

  it('C8: a rejected text is a failure with its reason and its sizes', () => {
    const row = foldCompacted(foldCompacting(null, begun()), ended({ outcome: 'rejected', reason: 'not_smaller' }));
    expect(row).toMatchObject({ state: 'failed', reason: 'not_smaller', bytesBefore: 212_000 });
    expect(isLive(row)).toBe(false);
  });

  it('a late event of a compaction that is over does not bring its row to life again', () => {
    const over = foldCompacted(foldCompacting(null, begun()), ended({ outcome: 'failed', reason: 'empty' }));
    expect(foldCompacting(over, begun())).toBe(over);
    expect(foldCompacting(over, begun({ compactionId: idOf(2) }))?.state).toBe('running');
  });

  it('ux-17.2: after a reload the row comes from the conversation itself, with its true start', () => {
    const row = rowFromActivity(null, {
      kind: 'compaction',
      compactionId: idOf(1),
      jobId: null,
      since: at,
      trigger: 'manual',
      model,
      stage: 'map',
      segments: { done: 5, running: 3, failed: 0, total: 9 },
    });
    expect(row).toMatchObject({ state: 'running', since: at, segments: { done: 5, total: 9 } });
  });

  it('a row the server knows nothing of any more goes; one that waits for a reply to end stays', () => {
    expect(rowFromActivity(foldCompacting(null, begun()), null)).toBeNull();
    const waits = foldRequested(null, click(1));
    expect(rowFromActivity(waits, { kind: 'turn', turnId: idOf(4), since: at, model })).toBe(waits);
  });

  it('ux-6.3: the line of a stopped compaction leaves with the next message, a failure stays', () => {
    const base = emptyChat(sessionId);
    const message = { clientMessageId: 'c', text: 'go on', at, queued: false };
    const cancelled = {
      ...base,
      compaction: foldCompacted(foldCompacting(null, begun()), ended({ outcome: 'cancelled' })),
    };
    expect(foldLocal(cancelled, { kind: 'sent', message }).compaction).toBeNull();
    const failed = { ...base, compaction: foldCompacted(foldCompacting(null, begun()), ended({ outcome: 'failed' })) };
    expect(foldLocal(failed, { kind: 'sent', message }).compaction?.state).toBe('failed');
  });
});
