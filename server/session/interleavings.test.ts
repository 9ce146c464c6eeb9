import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createMemorySessionLog } from '@/db/memory/session-log';
import { createDocumentStore } from '@/db/sqlite/document-store';
import { createJobStore } from '@/db/sqlite/job-store';
import { openMemorySqlite } from '@/db/sqlite/open';
import { createSessionIndex } from '@/db/sqlite/session-index';
import { createRunningPartStore } from '@/db/sqlite/small-stores';
import type { EventDraft } from '@/server/contract/events/event';
import { createIds } from '@/server/core/ids';
import { createAnswerLikeAModel } from '@/server/model/testing/answer-like-a-model';
import { createGate, createSignal } from '@/server/model/testing/script';
import type { SessionLog } from '@/server/ports/session-log';
import type { Workspace } from '@/server/ports/workspace';
import { isFreshLibrary } from './seeds';
import { TURN_JOB } from './session-jobs';
import type { TestApp } from './testing/an-app';
import { aTalk, connect, linesOf, manageApps, manageProviders, roles, textOf, transcript } from './testing/stories';

const newApp = manageApps();
const newProvider = manageProviders();

const reply = (text: string) => ({ parts: [{ text }], end: { reason: 'stop' } });
const call = (name: string, args: unknown, id = 'call_1') => ({
  parts: [{ call: { id, name, args } }],
  end: { reason: 'tool_calls' },
});

/** A log whose appends fail while the test says so. */
function aFailingLog(fails: (drafts: readonly EventDraft[]) => boolean): SessionLog {
  const log = createMemorySessionLog();
  return {
    ...log,
    append: async (logId, drafts) => {
      if (fails(drafts)) throw new Error('no room');
      return log.append(logId, drafts);
    },
  };
}

/** An agent that reads freely and asks before it lists. */
function askingAgent({ app }: TestApp): string {
  const settings = { approvals: { list_files: 'ask' as const } };
  const agent = app.agents.create({ name: 'Asks', tools: ['list_files', 'read_file'], settings });
  app.agents.publish(agent.id, {});
  return agent.id;
}

/** A conversation whose agent has to ask before it lists files, and a provider that lists once a message. */
async function anAskingTalk() {
  const provider = await newProvider(() => reply('Thank you.'));
  const test = await newApp();
  const model = connect(test, provider);
  const { id } = await test.app.sessions.create({ agentId: askingAgent(test), model }, 'owner');
  const park = async (text: string) => {
    provider.push(call('list_files', { path: '' }));
    const before = test.told.length;
    const { turnId } = await test.app.messages.post(id, { text, clientMessageId: text }, 'owner');
    await test.untilNew(before, 'session.updated', (row) => row.status === 'waiting_approval');
    return turnId;
  };
  return { test, id, park };
}

const endOf = (test: TestApp, turnId: string) =>
  test.until('chat.turn', (turn) => turn.turnId === turnId && !['started', 'parked'].includes(turn.state));

describe('a question to a person', () => {
  it('T2: a call id that a provider uses again is asked and decided again', async () => {
    const { test, id, park } = await anAskingTalk();
    const first = await park('one');
    await test.app.approvals.decide(id, 'call_1', { decision: 'approve' });
    expect((await endOf(test, first)).state).toBe('finished');
    const second = await park('two');
    await test.app.approvals.decide(id, 'call_1', { decision: 'approve' });
    expect((await endOf(test, second)).state).toBe('finished');
    expect(await linesOf(test, id, 'approval.decided')).toHaveLength(2);
  });

  it('contract 14: stop ends a turn that waits for a person, and what was queued behind it is sent', async () => {
    const { test, id, park } = await anAskingTalk();
    const parked = await park('one');
    const next = await test.app.messages.post(id, { text: 'two', clientMessageId: 'two' }, 'owner');
    expect(next.queued).toBe(true);
    await test.app.compactions.cancel(id);
    expect((await endOf(test, parked)).state).toBe('cancelled');
    expect((await endOf(test, next.turnId)).state).toBe('finished');
    expect((await linesOf(test, id, 'tool.result')).map(({ why }) => why)).toEqual(['cancelled']);
    await expect(test.app.compactions.cancel(id)).rejects.toMatchObject({ code: 'nothing_to_do' });
  });
});

describe('what is derived fails after the line is on disk', () => {
  it('L1, L7: the message is answered for, told and worked on all the same', async () => {
    const sqlite = openMemorySqlite(fileURLToPath(new URL('../../db/migrations', import.meta.url)));
    const index = createSessionIndex(sqlite.db);
    let isFull = false;
    const test = await newApp({
      index: {
        ...index,
        put: (session) => {
          if (isFull) throw new Error('database or disk is full');
          index.put(session);
        },
      },
    });
    const id = await aTalk(test);
    isFull = true;
    const posted = test.app.messages.post(id, { text: 'help', clientMessageId: 'one' }, 'owner');
    const { turnId } = await posted;
    isFull = false;
    expect((await endOf(test, turnId)).state).toBe('finished');
  });

  it('L7: a message whose job was never made gets one when it is sent again', async () => {
    const sqlite = openMemorySqlite(fileURLToPath(new URL('../../db/migrations', import.meta.url)));
    const jobs = createJobStore(sqlite.db);
    let isFull = true;
    const test = await newApp({
      jobs: {
        ...jobs,
        enqueue: (job) => {
          if (isFull) throw new Error('database or disk is full');
          return jobs.enqueue(job);
        },
      },
    });
    const id = await aTalk(test);
    const post = () => test.app.messages.post(id, { text: 'help', clientMessageId: 'one' }, 'owner');
    await expect(post()).rejects.toThrow('full');
    isFull = false;
    const { turnId } = await post();
    expect((await endOf(test, turnId)).state).toBe('finished');
    expect(roles(await transcript(test, id))).toEqual(['user', 'assistant']);
  });
});

describe('a turn that cannot go on', () => {
  it('T3, L8: a reply that could not be written ends the turn with a reason, and the queue goes on', async () => {
    let broken = 0;
    const sessionLog = aFailingLog(
      (drafts) => drafts.some(({ type }) => type === 'message.assistant') && broken++ === 0,
    );
    const test = await newApp({ sessionLog });
    const id = await aTalk(test);
    const first = await test.say(id, 'help');
    expect([first.state, first.error?.code]).toEqual(['failed', 'internal']);
    expect((await test.say(id, 'help')).state).toBe('finished');
  });

  it('T4, L8: the text of a reply that could not be written is kept, also where recovery fails at first', async () => {
    let fails = 2;
    const sessionLog = aFailingLog(
      (drafts) => drafts.some(({ type }) => type === 'message.assistant') && fails > 0 && fails-- > 0,
    );
    const test = await newApp({ sessionLog });
    const provider = await newProvider(() => reply('Here it is.'));
    const id = await aTalk(test, connect(test, provider));
    await test.app.messages.post(id, { text: 'one', clientMessageId: '1' }, 'owner');
    await test.until('chat.notice', ({ code }) => code === 'internal');
    expect((await test.say(id, 'two')).state).toBe('finished');
    expect((await linesOf(test, id, 'message.assistant')).map(({ end, parts }) => [end, parts])).toEqual([
      ['interrupted', [{ type: 'text', text: 'Here it is.' }]],
      ['stop', [{ type: 'text', text: 'Here it is.' }]],
    ]);
  });

  it('rel-R13: a message whose job failed before its turn began is taken up by another one', async () => {
    const jobs = createJobStore(openMemorySqlite(fileURLToPath(new URL('../../db/migrations', import.meta.url))).db);
    let claimed = 0;
    const claim: typeof jobs.claim = (...given) => {
      const job = jobs.claim(...given);
      if (job) claimed += 1;
      return job;
    };
    let failed = false;
    const pending: typeof jobs.pending = (key) => {
      // The first look after a job began is its own.
      if (claimed > 0 && !failed) {
        failed = true;
        throw new Error('a fault made by the test');
      }
      return jobs.pending(key);
    };
    const test = await newApp({ jobs: { ...jobs, claim, pending } });
    expect((await test.say(await aTalk(test), 'help')).state).toBe('finished');
    expect([failed, claimed]).toEqual([true, 2]);
  });

  it('T3: a provider that is removed while it answers ends the turn, not the job', async () => {
    const test = await newApp();
    const provider = await newProvider(() => {
      test.app.registry.remove('fake');
      return call('list_files', { path: '' });
    });
    const id = await aTalk(test, connect(test, provider));
    const end = await test.say(id, 'go');
    expect([end.state, end.error?.code]).toEqual(['failed', 'unknown_model']);
    expect((await test.app.sessions.get(id)).status).toBe('idle');
  });

  it('T3: two calls with one id in one reply are two calls', async () => {
    const provider = await newProvider(() => reply('Both came.'));
    const test = await newApp();
    const id = await aTalk(test, connect(test, provider));
    const twice = call('list_files', { path: '' }, 'same').parts;
    provider.push({ parts: [...twice, ...twice], end: { reason: 'tool_calls' } });
    expect((await test.say(id, 'go')).state).toBe('finished');
    expect(await linesOf(test, id, 'tool.result')).toHaveLength(2);
    expect(textOf((await transcript(test, id)).at(-1))).toBe('Both came.');
  });

  it('C10: a compaction that could not start costs the turn nothing', async () => {
    const provider = await newProvider(createAnswerLikeAModel());
    const unreadable: Workspace = new Proxy({} as Workspace, {
      get: (_, name) => async () => {
        if (name === 'hash') throw new Error('the disk is gone');
        return { ok: true, path: 'a.md', text: 'berths', bytes: 6, sha256: 'a'.repeat(64) };
      },
    });
    const test = await newApp({ workspace: unreadable });
    test.app.settings.patch({ revision: test.app.settings.read().revision, settings: { context_budget: 26_000 } });
    const id = await aTalk(test, connect(test, provider));
    provider.push(call('read_file', { path: 'a.md' }));
    for (let count = 0; count < 12; count += 1) {
      expect((await test.say(id, `message ${count}: ${'berth fees. '.repeat(300)}`)).state).toBe('finished');
    }
    expect(await linesOf(test, id, 'view.trimmed')).not.toEqual([]);
  });
});

describe('what goes first', () => {
  it('P5, contract 14: a compaction that was asked for goes before the turns that wait', async () => {
    const test = await newApp();
    const gate = createGate();
    const provider = await newProvider(createAnswerLikeAModel());
    provider.push({ parts: [{ text: 'First. '.repeat(300) }, { gate }], end: { reason: 'stop' } });
    const id = await aTalk(test, connect(test, provider));
    await test.app.messages.post(id, { text: `one ${'berth fees '.repeat(200)}`, clientMessageId: '1' }, 'owner');
    await gate.reached;
    const second = await test.app.messages.post(id, { text: 'two', clientMessageId: '2' }, 'owner');
    await test.app.compactions.request(id, {}, 'owner');
    gate.open();
    expect((await endOf(test, second.turnId)).state).toBe('finished');
    const [compaction] = await linesOf(test, id, 'compaction.started');
    const turn = (await linesOf(test, id, 'turn.started')).find(({ turnId }) => turnId === second.turnId);
    expect(compaction?.seq).toBeLessThan(turn?.seq ?? 0);
  });
});

describe('stop', () => {
  it('G4: a person who stops replies is no failure of the provider', async () => {
    const test = await newApp();
    const provider = await newProvider();
    const id = await aTalk(test, connect(test, provider));
    for (let count = 0; count < 3; count += 1) {
      const gate = createGate();
      provider.push({ parts: [{ text: 'On my way' }, { gate }], end: { reason: 'stop' } });
      const { turnId } = await test.app.messages.post(id, { text: 'go', clientMessageId: `${count}` }, 'owner');
      await test.until('chat.delta', (delta) => delta.turnId === turnId);
      await test.app.compactions.cancel(id);
      expect((await endOf(test, turnId)).state).toBe('cancelled');
      gate.open();
    }
    expect(test.app.registry.get('fake').state).toBe('ready');
  });

  it('T3: no tool begins after a stop that came while its question was being written', async () => {
    const held = createSignal();
    const asked = createSignal();
    const log = createMemorySessionLog();
    const read: string[] = [];
    const workspace: Workspace = new Proxy({} as Workspace, { get: (_, name) => async () => read.push(String(name)) });
    const sessionLog: SessionLog = {
      ...log,
      append: async (logId, drafts) => {
        if (drafts.some(({ type }) => type === 'approval.asked')) {
          asked.resolve();
          await held.promise;
        }
        return log.append(logId, drafts);
      },
    };
    const test = await newApp({ sessionLog, workspace });
    const provider = await newProvider();
    const { id } = await test.app.sessions.create(
      { agentId: askingAgent(test), model: connect(test, provider) },
      'owner',
    );
    const [read1, list] = [call('read_file', { path: 'a.md' }, 'a').parts, call('list_files', { path: '' }, 'b').parts];
    provider.push({ parts: [...read1, ...list], end: { reason: 'tool_calls' } });
    const { turnId } = await test.app.messages.post(id, { text: 'go', clientMessageId: '1' }, 'owner');
    await asked.promise;
    await test.app.compactions.cancel(id);
    held.resolve();
    expect((await endOf(test, turnId)).state).toBe('cancelled');
    expect(read).toEqual([]);
  });
});

describe('the next start', () => {
  it('N3: what a person deleted stays deleted, and does not keep the server from starting', async () => {
    const sqlite = openMemorySqlite(fileURLToPath(new URL('../../db/migrations', import.meta.url)));
    const documents = createDocumentStore(sqlite.db);
    expect(isFreshLibrary(documents)).toBe(true);
    const { app } = await newApp({ documents });
    for (const { id } of [...documents.list('agent'), ...documents.list('skill')]) documents.remove(id, 1);
    expect([app.agents.list().agents, app.skills.list().skills]).toEqual([[], []]);
    expect(isFreshLibrary(documents)).toBe(false);
  });
});

describe('a kill', () => {
  it('T4: a reply asked for with continue, killed before it began, is asked for anew under its turn id', async () => {
    const sqlite = openMemorySqlite(fileURLToPath(new URL('../../db/migrations', import.meta.url)));
    const kept = { index: createSessionIndex(sqlite.db), jobs: createJobStore(sqlite.db) };
    const log = createMemorySessionLog();
    const sessionLog = { ...log, close: async () => undefined };
    const provider = await newProvider(() => ({ parts: [{ text: 'Half a' }], end: { reason: 'length' } }));
    const first = await newApp({ ...kept, sessionLog });
    const id = await aTalk(first, connect(first, provider));
    expect((await first.say(id, 'go')).state).toBe('failed');
    await first.app.stop();
    // As a process leaves it that is killed between taking the job and its first line.
    const turnId = createIds({ clock: { now: () => 5 }, drawBytes: (count) => new Uint8Array(count) }).next();
    const job = { id: turnId, kind: TURN_JOB, serialKey: id, priority: 10, payload: { turnId }, now: 5 };
    kept.jobs.enqueue(job);
    expect(kept.jobs.claim('dead', 6, 60_000)?.id).toBe(turnId);

    const second = await newApp({ ...kept, sessionLog });
    connect(second, provider);
    expect((await endOf(second, turnId)).turnId).toBe(turnId);
    const started = (await linesOf(second, id, 'turn.started')).filter((line) => line.turnId === turnId);
    expect(started.map(({ why }) => why)).toEqual(['continue']);
  });

  it('T4, L1: rebuilding the list before the next start hides no turn that was cut off', async () => {
    const sqlite = openMemorySqlite(fileURLToPath(new URL('../../db/migrations', import.meta.url)));
    const kept = {
      index: createSessionIndex(sqlite.db),
      jobs: createJobStore(sqlite.db),
      running: createRunningPartStore(sqlite.db),
    };
    const log = createMemorySessionLog();
    let isDead = false;
    const mortal: SessionLog = {
      ...log,
      append: async (logId, drafts) => (isDead ? new Promise(() => undefined) : log.append(logId, drafts)),
      close: async () => undefined,
    };
    const gate = createGate();
    const provider = await newProvider(() => ({
      parts: [{ text: 'On my way' }, { gate }],
      end: { reason: 'stop' },
    }));
    const first = await newApp({ ...kept, sessionLog: mortal });
    const id = await aTalk(first, connect(first, provider));
    const { turnId } = await first.app.messages.post(id, { text: 'go', clientMessageId: '1' }, 'owner');
    const { messageId } = await first.until('chat.delta', (delta) => delta.turnId === turnId);
    // As the timer saves it every 250 ms.
    const parts = [{ part: 0, kind: 'text', text: 'On my way' }];
    kept.running.save([{ messageId, sessionId: id, turnId, parts }]);
    isDead = true;
    await first.app.rebuildIndex();
    const second = await newApp({ ...kept, sessionLog: { ...log, close: async () => undefined } });
    expect((await second.app.sessions.get(id)).status).toBe('idle');
    expect((await linesOf(second, id, 'turn.ended')).map(({ outcome }) => outcome)).toEqual(['interrupted']);
    expect(textOf((await transcript(second, id)).find(({ role }) => role === 'assistant'))).toBe('On my way');
    expect(kept.running.list()).toEqual([]);
    gate.open();
  });
});
