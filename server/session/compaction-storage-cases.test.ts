import { describe, expect, it } from 'vitest';
import { createMemorySessionLog } from '@/db/memory/session-log';
import { AppError } from '@/server/contract/error';
import { toFakeSummary } from '@/server/model/testing/answer-like-a-model';
import { createGate } from '@/server/model/testing/script';
import type { SessionLog } from '@/server/ports/session-log';
import { fillUp } from './testing/failure-loop';
import { compact, connect, linesOf, roles, transcript } from './testing/stories';
import { good, long, manageTalks, type Summary, says, usage } from './testing/summarised-talks';

/* Failures of storage while a compaction runs, each told as a kind (`case-…` in rules.md). */

const { newApp, aTalkWith } = manageTalks();

describe('case-C05: the disk is full while a summary is to be committed', () => {
  it('L8: no boundary, the reason is said, and the next try commits', async () => {
    const inner = createMemorySessionLog();
    let isFull = false;
    const sessionLog: SessionLog = {
      ...inner,
      append: (logId, drafts) =>
        isFull && drafts.some(({ type }) => type === 'checkpoint.committed')
          ? Promise.reject(new AppError('storage_full', 'The disk is full.'))
          : inner.append(logId, drafts),
    };
    const { test, id } = await aTalkWith(good, { sessionLog });
    await test.say(id, long('one'));
    await test.say(id, long('two'));
    isFull = true;
    const end = await compact(test, id);
    expect([end.outcome, end.reason]).toEqual(['failed', 'storage_full']);
    expect(await linesOf(test, id, 'checkpoint.committed')).toEqual([]);
    expect(roles(await transcript(test, id))).not.toContain('summary');
    isFull = false;
    expect((await compact(test, id)).outcome).toBe('committed');
  });
});

describe('case-C06: the server died while a compaction ran', () => {
  it('L1: after the restart it is shown as interrupted, a message is answered, and a new one runs to its end', async () => {
    const gate = createGate();
    let hangs = true;
    const summary: Summary = () =>
      hangs ? says({ gate }, { text: toFakeSummary() }) : says({ text: toFakeSummary() });
    const log = aKillableLog();
    const { test, id, provider } = await aTalkWith(summary, { sessionLog: log.first });
    await test.say(id, long('one'));
    await test.say(id, long('two'));
    await test.app.compactions.request(id, {}, 'owner');
    await gate.reached;
    log.kill();
    hangs = false;
    const again = await newApp({ sessionLog: log.next });
    connect(again, provider);
    const [entry] = (await again.app.compactions.ledger(id)).compactions;
    expect(entry).toMatchObject({ outcome: 'failed', reason: 'interrupted' });
    expect((await again.app.sessions.get(id)).status).toBe('idle');
    expect((await again.say(id, 'hi')).state).toBe('finished');
    expect((await compact(again, id)).outcome).toBe('committed');
    expect((await again.app.compactions.ledger(id)).guards.failuresInARow).toBe(0);
    gate.open();
  });
});

/** A log that a first server writes until it is killed; whoever starts on it next finds what was durable by then. */
function aKillableLog() {
  const inner = createMemorySessionLog();
  let isDead = false;
  const first: SessionLog = {
    ...inner,
    append: (logId, drafts) => (isDead ? new Promise(() => undefined) : inner.append(logId, drafts)),
    close: async () => undefined,
  };
  return {
    first,
    next: inner,
    kill: () => {
      isDead = true;
    },
  };
}

describe('case-C10: the summary failed, the trim served', () => {
  it('B6: both are in sight, and going back before the trim brings everything into the view again', async () => {
    const { test, id } = await aTalkWith(() => ({
      parts: [{ text: toFakeSummary() }],
      end: { reason: 'length', usage },
    }));
    await test.say(id, long('u1'));
    const over = await fillUp(test, id, 2_500);
    for (let count = 0; count < 3; count += 1) await test.say(id, over);
    const shown = await transcript(test, id);
    expect(roles(shown)).toContain('trim');
    expect((await test.app.compactions.ledger(id)).compactions.some(({ outcome }) => outcome === 'rejected')).toBe(
      true,
    );
    const trimmed = (await linesOf(test, id, 'view.trimmed'))[0];
    const before = shown.filter((message) => message.role === 'assistant' && message.seq < (trimmed?.seq ?? 0)).at(-1);
    await test.app.travel.revert(id, before?.id ?? null, 'owner');
    const kinds = (await test.app.sessions.context(id, true)).entries.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'stub' || kind === 'dropped')).toEqual([]);
    expect(
      (await test.app.sessions.context(id, true)).entries.some(({ preview }) => preview.includes('u1: berth')),
    ).toBe(true);
  });
});
