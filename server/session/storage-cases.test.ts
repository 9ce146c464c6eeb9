import { describe, expect, it } from 'vitest';
import { encodeLine } from '@/server/core/log/encode-line';
import { aLog } from '@/server/core/projection/log-builder';
import { textPart } from '@/server/core/projection/log-builder-verbs';
import { createAnswerLikeAModel } from '@/server/model/testing/answer-like-a-model';
import type { TestApp } from './testing/an-app';
import {
  aTalk,
  compact,
  connect,
  lines,
  linesOf,
  manageApps,
  manageProviders,
  roles,
  set,
  transcript,
} from './testing/stories';

/*
 * What may go wrong where a conversation is stored, and the test that shows each kind:
 * case-C01, case-C02, case-C03: scripts/bad-input.test.ts, db/files/session-log.test.ts, server/core/log/scan-log.test.ts
 * case-C04: db/sqlite/keep-copy.test.ts (the copy), server/container.test.ts; logs are never rewritten: travel-bytes.test.ts
 * case-C05: db/files/full-disk.test.ts, e2e/faults
 * case-C06: e2e/api/crash.spec.ts, server/core/projection/session-state.test.ts, db/sqlite/job-store.test.ts
 * case-C09, case-C10: below
 */

const newApp = manageApps();
const newProvider = manageProviders();

async function bytesOf({ sessionLog }: TestApp, logId: string): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of sessionLog.readBytes(logId)) pieces.push(piece);
  return Buffer.concat(pieces);
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

/** A log with 20 pictures of 1.2 MB in it. */
function picturesLog() {
  const log = aLog();
  for (let n = 0; n < 20; n += 1) {
    const sha256 = n.toString(16).padStart(64, '0');
    const bytes = 1_200_000;
    log.append('blob.added', { sha256, mediaType: 'image/png', bytes, data: 'iVBORw0KGgo='.repeat(100_000) });
    const image = {
      type: 'image' as const,
      sha256,
      mediaType: 'image/png',
      bytes,
      width: 900,
      height: 700,
      name: `${n}.png`,
    };
    log
      .says('', { parts: [textPart(`picture ${n}, ${'look at this closely. '.repeat(20)}`), image] })
      .replies(`I see picture ${n}.`);
  }
  return log.events().map(encodeLine).join('');
}

describe('case-C09: summaries carry no old pictures along', () => {
  it('ten of them make the file less than 50 kB longer each, and every byte of the pictures stays', async () => {
    const provider = await newProvider(createAnswerLikeAModel());
    const test = await newApp();
    const model = connect(test, provider);
    set(test, { compaction: { auto: false } });
    const request = { contentType: null, query: { format: 'auto' as const }, owner: 'owner' };
    const { sessions } = await test.app.imports.fromBody({ ...request, stream: once(picturesLog()) });
    const id = sessions[0]?.id ?? '';
    await test.app.sessions.patch(id, { model });
    const before = await bytesOf(test, id);
    const grown: number[] = [];
    for (let run = 0; run < 10; run += 1) {
      await test.say(id, `and on: ${'tell me more of it. '.repeat(60)}`);
      await test.say(id, `and on: ${'tell me more of that. '.repeat(60)}`);
      const from = (await bytesOf(test, id)).length;
      expect((await compact(test, id)).outcome).toBe('committed');
      grown.push((await bytesOf(test, id)).length - from);
    }
    expect(Math.max(...grown)).toBeLessThan(50_000);
    expect((await bytesOf(test, id)).subarray(0, before.length).equals(before)).toBe(true);
    expect(await linesOf(test, id, 'blob.added')).toHaveLength(20);
  });
});

describe('case-C10: a summary failed and the trim served', () => {
  it('both are in the log and in the transcript, and a revert brings back what the trim left out', async () => {
    const isAsked = { summaries: 0 };
    const obliging = createAnswerLikeAModel();
    const provider = await newProvider((request) => {
      if (!request.text.includes('TASK summary')) return obliging(request);
      isAsked.summaries += 1;
      return { status: 500, body: { error: { message: 'not today', type: 'server_error' } } };
    });
    const test = await newApp();
    set(test, { context_budget: 26_000, requests: { tries: 1 } });
    const id = await aTalk(test, connect(test, provider));
    const said: string[] = [];
    while ((await linesOf(test, id, 'view.trimmed')).length === 0) {
      if (said.length > 14) throw new Error('nothing was ever left out');
      said.push(`message ${said.length}: ${'berth fees and the monthly print. '.repeat(90)}`);
      await test.say(id, said.at(-1) ?? '');
    }
    expect(isAsked.summaries).toBeGreaterThan(0);
    const outcomes = (await linesOf(test, id, 'compaction.ended')).map(({ outcome }) => outcome);
    expect(outcomes).toContain('failed');
    expect(await linesOf(test, id, 'checkpoint.committed')).toEqual([]);
    expect(roles(await transcript(test, id))).toContain('trim');
    const { compactions } = await test.app.compactions.ledger(id);
    expect(compactions.some(({ outcome }) => outcome === 'failed')).toBe(true);

    const viewOf = async () => JSON.stringify((await test.app.sessions.context(id, true)).entries);
    const [first] = await linesOf(test, id, 'message.user');
    const firstText = (said[1] ?? '').slice(0, 200);
    expect(await viewOf()).not.toContain(firstText);
    const second = (await linesOf(test, id, 'message.user'))[2];
    await test.app.travel.revert(id, second?.id ?? null, 'owner');
    expect(await viewOf()).toContain(firstText);
    expect(first).toBeDefined();
    // Derived from lines of the path alone: no line says of an item that it is hidden.
    expect((await lines(test, id)).filter((line) => 'hidden' in line)).toEqual([]);
  });
});
