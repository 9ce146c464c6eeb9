import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createMemorySessionLog } from '@/db/memory/session-log';
import { createJobStore } from '@/db/sqlite/job-store';
import { openMemorySqlite } from '@/db/sqlite/open';
import { createSessionIndex } from '@/db/sqlite/session-index';
import type { StreamData } from '@/server/contract/stream';
import { createGate, createSignal } from '@/server/model/testing/script';
import type { SessionLog } from '@/server/ports/session-log';
import { type Answers, aLongTalk, answerTasks, askedOf, countTasks, reply, taskOf } from './testing/segment-stories';
import { compact, connect, lines, linesOf, manageApps, manageProviders, set, transcript } from './testing/stories';

const newApp = manageApps();
const newProvider = manageProviders();

async function aStory(answers: Answers = {}, { turns = 12, window = 8_000 } = {}) {
  const talker = await newProvider(answerTasks({}));
  const summariser = await newProvider(answerTasks(answers));
  const test = await newApp();
  const id = await aLongTalk({ test, talker, summariser, window }, turns);
  return { test, id, talker, summariser };
}

const verdict = 'FAIL\n- the fee of berth 3 is wrong (item 5)';

describe('one segment again (X6)', () => {
  const refused = { status: 401, body: { error: { message: 'no key' } } };

  it('X6: one that failed is asked for again, with what else is missing, as the compaction was asked for', async () => {
    let refuses = true;
    const { test, id, summariser } = await aStory({ map: (_request, nth) => (refuses && nth === 2 ? refused : null) });
    expect((await compact(test, id, { focus: 'the fee' })).outcome).toBe('failed');
    refuses = false;
    const [entry] = (await test.app.compactions.ledger(id)).compactions;
    const failed = entry?.segments.find(({ state }) => state === 'failed');
    const compactionId = entry?.compactionId ?? '';
    const seen = test.told.length;
    const asked = summariser.requests.length;
    await test.app.compactions.retrySegment({ sessionId: id, compactionId, segment: String(failed?.n) }, 'owner');
    expect((await test.untilNew(seen, 'chat.compacted')).outcome).toBe('committed');
    const missing = entry?.segments.filter(({ state }) => state !== 'done').length ?? 0;
    const maps = summariser.requests
      .slice(asked)
      .map(askedOf)
      .filter((text) => text.startsWith('TASK map'));
    expect(maps).toHaveLength(missing);
    expect(maps[0]).toContain('the fee');
  });

  it('X6: the notes of one that is done are written anew; of what stands or is not there none are', async () => {
    let refuses = true;
    const { test, id, summariser } = await aStory({ reduce: () => (refuses ? refused : null) });
    expect((await compact(test, id)).outcome).toBe('failed');
    refuses = false;
    const compactionId = (await test.app.compactions.ledger(id)).compactions[0]?.compactionId ?? '';
    const which = { sessionId: id, compactionId, segment: '2' };
    await expect(test.app.compactions.retrySegment({ ...which, segment: '99' }, 'owner')).rejects.toMatchObject({
      code: 'not_found',
    });
    const seen = test.told.length;
    const asked = summariser.requests.length;
    await test.app.compactions.retrySegment(which, 'owner');
    expect((await test.untilNew(seen, 'chat.compacted')).outcome).toBe('committed');
    expect(summariser.requests.slice(asked).map(taskOf)).toEqual(['map', 'reduce', 'audit']);
    const done = (await test.app.compactions.ledger(id)).compactions[1]?.compactionId ?? '';
    await expect(test.app.compactions.retrySegment({ ...which, compactionId: done }, 'owner')).rejects.toMatchObject({
      code: 'conflict',
    });
  });
});

describe('stopped, killed, changed meanwhile', () => {
  it('C11: stopping ends all requests within a second, keeps the maps, and the next one goes on', async () => {
    const gates = [createGate(), createGate(), createGate()];
    const { test, id, summariser } = await aStory({
      map: (_request, nth) => {
        const gate = gates[nth - 2];
        return gate === undefined ? null : { parts: [{ text: 'half' }, { gate }], end: { reason: 'stop' } };
      },
    });
    const before = test.told.length;
    await test.app.compactions.request(id, {}, 'owner');
    await Promise.all(gates.map(({ reached }) => reached));
    await test.untilNew(
      before,
      'chat.compacting',
      ({ segments }: StreamData<'chat.compacting'>) => (segments?.done ?? 0) >= 1,
    );
    const started = performance.now();
    await test.app.compactions.cancel(id, 'compaction');
    const end = await test.untilNew(before, 'chat.compacted');
    expect(performance.now() - started).toBeLessThan(1_000);
    expect(end.outcome).toBe('cancelled');
    const [entry] = (await test.app.compactions.ledger(id)).compactions;
    expect(entry?.attempts.filter(({ outcome }) => outcome === 'cancelled').length).toBeGreaterThanOrEqual(3);
    const kept = (await linesOf(test, id, 'staging.map')).length;
    const asked = summariser.requests.length;
    expect((await compact(test, id)).outcome).toBe('committed');
    const total = (await linesOf(test, id, 'staging.planned')).at(-1)?.segments.length ?? 0;
    const again = summariser.requests.slice(asked).filter((request) => taskOf(request) === 'map');
    expect(again).toHaveLength(total - kept);
  });

  it.each(['staging.planned', 'staging.map', 'staging.mode', 'staging.reduce', 'staging.audit'])(
    'R4, R5: a server killed right after %s goes on after the start from what was accepted',
    async (type) => {
      const sqlite = openMemorySqlite(fileURLToPath(new URL('../../db/migrations', import.meta.url)));
      const kept = { index: createSessionIndex(sqlite.db), jobs: createJobStore(sqlite.db) };
      const log = createMemorySessionLog();
      const killed = createSignal();
      let isDead = false;
      const mortal: SessionLog = {
        ...log,
        append: async (logId, drafts) => {
          if (isDead) return new Promise(() => undefined);
          const events = await log.append(logId, drafts);
          if (!drafts.some((draft) => draft.type === type)) return events;
          isDead = true;
          killed.resolve();
          return new Promise(() => undefined);
        },
        close: async () => undefined,
      };
      const talker = await newProvider(answerTasks({}));
      const refused = { status: 401, body: { error: { message: 'no key' } } };
      const first = await newProvider(
        answerTasks({
          map: (_request, nth) => (type === 'staging.mode' && nth === 2 ? refused : null),
          audit: () => reply(verdict),
        }),
      );
      const dying = await newApp({ ...kept, sessionLog: mortal });
      const id = await aLongTalk({ test: dying, talker, summariser: first });
      await dying.app.compactions.request(id, {}, 'owner');
      await killed.promise;

      const test = await newApp({ ...kept, sessionLog: { ...log, close: async () => undefined } });
      const staged = await linesOf(test, id, 'staging.map');
      const second = await newProvider(answerTasks({}));
      connect(test, talker, { id: 'talker' });
      set(test, { routing: { summarization_models: [connect(test, second, { id: 'small', window: 8_000 })] } });
      expect((await compact(test, id)).outcome).toBe('committed');
      const total = (await linesOf(test, id, 'staging.planned')).at(-1)?.segments.length ?? 0;
      const { map = 0, reduce = 0, audit, correction = 0 } = countTasks(second);
      expect(map).toBe(total - staged.length);
      expect(reduce).toBe(['staging.reduce', 'staging.audit'].includes(type) ? 0 : 1);
      expect([correction, audit]).toEqual([type === 'staging.audit' ? 1 : 0, 1]);
      expect((await linesOf(test, id, 'compaction.ended'))[0]).toMatchObject({
        outcome: 'failed',
        reason: 'interrupted',
      });
    },
  );

  it('R4: a result that is masked meanwhile is read anew, its old notes are voided by a line', async () => {
    let refuses = true;
    const { test, id, talker, summariser } = await aStory({
      reduce: () => (refuses ? { status: 401, body: { error: { message: 'no key' } } } : null),
    });
    const call = (name: string, args: unknown) => ({
      parts: [{ call: { id: `call_${name}`, name, args } }],
      end: { reason: 'tool_calls' },
    });
    talker.push(call('list_files', { path: '' }));
    await test.say(id, 'What is there?');
    const result = (await linesOf(test, id, 'tool.result')).at(-1);
    const number = (await transcript(test, id)).find((message) => message.id === result?.id)?.metadata;
    expect((await compact(test, id)).outcome).toBe('failed');
    refuses = false;
    talker.push(
      call('mask_tool_result', {
        item: number !== undefined && 'number' in number ? number.number : 0,
        note: 'not needed',
      }),
    );
    await test.say(id, 'Mask that.');
    expect(await linesOf(test, id, 'view.masked')).toHaveLength(1);
    const asked = summariser.requests.length;
    expect((await compact(test, id)).outcome).toBe('committed');
    expect(await linesOf(test, id, 'staging.invalidated')).toMatchObject([{ version: 3, reason: 'source_changed' }]);
    const maps = summariser.requests
      .slice(asked)
      .map(askedOf)
      .filter((text) => text.startsWith('TASK map'));
    expect(maps).toHaveLength(1);
    expect(maps[0]).toContain('Masked at your request');
  });

  it('L1: the bytes of the log only grow, whatever becomes of a run', async () => {
    const { test, id } = await aStory({ audit: () => reply('mumble') });
    const before = await lines(test, id);
    await compact(test, id);
    expect((await lines(test, id)).slice(0, before.length)).toEqual(before);
  });
});
