import { describe, expect, it } from 'vitest';
import { createMemorySessionLog } from '@/db/memory/session-log';
import { createGate, createSignal } from '@/server/model/testing/script';
import type { SessionLog } from '@/server/ports/session-log';
import { aTalk, connect, linesOf, manageApps, manageProviders, roles, textOf, transcript } from './testing/stories';

const newApp = manageApps();
const newProvider = manageProviders();

/** A log whose appends become durable only when the test says so. */
function aLateLog(): SessionLog & { hold: () => void; letGo: () => void; asked: () => Promise<void> } {
  const log = createMemorySessionLog();
  let door: ReturnType<typeof createSignal> | null = null;
  let knock = createSignal();
  return {
    ...log,
    append: async (logId, drafts) => {
      knock.resolve();
      await door?.promise;
      return log.append(logId, drafts);
    },
    hold: () => {
      door = createSignal();
      knock = createSignal();
    },
    letGo: () => {
      door?.resolve();
      door = null;
    },
    asked: () => knock.promise,
  };
}

describe('a message is sent', () => {
  it('perf-F2: it is durable before it is answered, told or worked on', async () => {
    const sessionLog = aLateLog();
    const test = await newApp({ sessionLog });
    const id = await aTalk(test);
    sessionLog.hold();
    const told = test.told.length;
    const order: string[] = [];
    const posted = test.app.messages.post(id, { text: 'help', clientMessageId: 'one' }, 'owner').then((answer) => {
      order.push('answered');
      return answer;
    });
    await sessionLog.asked();
    await new Promise(setImmediate);
    expect([order, test.told.length, await linesOf(test, id, 'message.user')]).toEqual([[], told, []]);
    sessionLog.letGo();
    const { messageId, turnId } = await posted;
    expect((await linesOf(test, id, 'message.user')).map((line) => line.id)).toEqual([messageId]);
    await test.until('chat.turn', (turn) => turn.turnId === turnId && turn.state === 'finished');
    const names = test.told.slice(told).map(({ event }) => event.event);
    expect(names.indexOf('chat.message')).toBeLessThan(names.indexOf('chat.turn'));
  });

  it('L8: what could not be written is not answered, and the same message sent again stands once', async () => {
    const log = createMemorySessionLog();
    let isFull = false;
    const sessionLog: SessionLog = {
      ...log,
      append: (logId, drafts) => (isFull ? Promise.reject(new Error('no room')) : log.append(logId, drafts)),
    };
    const test = await newApp({ sessionLog });
    const id = await aTalk(test);
    isFull = true;
    await expect(test.app.messages.post(id, { text: 'help', clientMessageId: 'one' }, 'owner')).rejects.toThrow();
    isFull = false;
    const { turnId } = await test.app.messages.post(id, { text: 'help', clientMessageId: 'one' }, 'owner');
    await test.until('chat.turn', (turn) => turn.turnId === turnId && turn.state === 'finished');
    expect(roles(await transcript(test, id))).toEqual(['user', 'assistant']);
  });

  it('L7, rel-R4: fifty posts with one clientMessageId are one message with one answer', async () => {
    const test = await newApp();
    const id = await aTalk(test);
    const post = () => test.app.messages.post(id, { text: 'help', clientMessageId: 'same' }, 'owner');
    const answers = await Promise.all(Array.from({ length: 50 }, post));
    expect(new Set(answers.map((answer) => `${answer.messageId} ${answer.turnId}`)).size).toBe(1);
    await test.until('chat.turn', (turn) => turn.state === 'finished');
    const again = await post();
    expect([again.messageId, again.turnId]).toEqual([answers[0]?.messageId, answers[0]?.turnId]);
    expect(await linesOf(test, id, 'message.user')).toHaveLength(1);
    expect(await linesOf(test, id, 'turn.started')).toHaveLength(1);
  });

  it('L7: two tabs and a job write at once; every message stands once and gets its own reply', async () => {
    const provider = await newProvider(() => ({ parts: [{ text: 'Heard.' }], end: { reason: 'stop' } }));
    const test = await newApp();
    const id = await aTalk(test, connect(test, provider));
    const post = (name: string) => test.app.messages.post(id, { text: 'help', clientMessageId: name }, 'owner');
    const names = Array.from({ length: 6 }, (_, n) => [`left-${n}`, `right-${n}`]).flat();
    const answers = await Promise.all(names.map(post));
    for (const { turnId } of answers) {
      await test.until('chat.turn', (turn) => turn.turnId === turnId && turn.state === 'finished');
    }
    expect(roles(await transcript(test, id))).toEqual(names.flatMap(() => ['user', 'assistant']));
    const seqs = (await linesOf(test, id, 'message.user')).map((line) => line.clientMessageId);
    expect([...seqs].sort()).toEqual([...names].sort());
  });
});

describe('messages wait while a reply streams (contract 14)', () => {
  async function aBusyTalk() {
    const provider = await newProvider(() => ({ parts: [{ text: 'Answered.' }], end: { reason: 'stop' } }));
    const test = await newApp();
    const id = await aTalk(test, connect(test, provider));
    const gate = createGate();
    provider.push({ parts: [{ text: 'Begun' }, { gate }, { text: ' and done.' }], end: { reason: 'stop' } });
    const post = (text: string) => test.app.messages.post(id, { text, clientMessageId: `c-${text}` }, 'owner');
    const first = await post('first');
    // The text so far has come through, not only been sent.
    await test.until('chat.delta', (delta) => delta.text.includes('Begun'));
    const ended = (turnId: string) =>
      test.until('chat.turn', (turn) => turn.turnId === turnId && turn.state !== 'started');
    return { test, id, gate, post, ended, first };
  }
  const said = async (test: Parameters<typeof transcript>[0], id: string) =>
    (await transcript(test, id)).filter((message) => message.role === 'user').map(textOf);

  it('first in, first out, or in the order a person gives', async () => {
    const { test, id, gate, post, ended } = await aBusyTalk();
    const waiting = [await post('a'), await post('b'), await post('c')];
    expect(waiting.map((answer) => answer.queued)).toEqual([true, true, true]);
    const ids = waiting.map((answer) => answer.messageId);
    await test.app.messages.order(id, [ids[2] ?? '', ids[0] ?? '', ids[1] ?? '']);
    gate.open();
    for (const { turnId } of waiting) await ended(turnId);
    expect(await said(test, id)).toEqual(['first', 'c', 'a', 'b']);
  });

  it('an edit takes the same place, a withdrawn one is never sent, a begun one refuses both', async () => {
    const { test, id, gate, post, ended, first } = await aBusyTalk();
    const [a, b, c] = [await post('a'), await post('b'), await post('c')];
    const edited = await test.app.messages.edit(id, a.messageId, 'a, better', 'owner');
    await test.app.messages.withdraw(id, b.messageId);
    await expect(test.app.messages.edit(id, first.messageId, 'late', 'owner')).rejects.toMatchObject({
      code: 'conflict',
    });
    await expect(test.app.messages.withdraw(id, first.messageId)).rejects.toMatchObject({ code: 'conflict' });
    await expect(test.app.messages.order(id, [c.messageId])).rejects.toMatchObject({ code: 'conflict' });
    gate.open();
    await ended(edited.turnId);
    await ended(c.turnId);
    expect(await said(test, id)).toEqual(['first', 'a, better', 'c']);
    expect((await test.app.sessions.queue(id)).messages).toEqual([]);
  });

  it('C11: after a stop the waiting message is sent, and what was said so far is kept', async () => {
    const { test, id, post, ended, first } = await aBusyTalk();
    const next = await post('next');
    await test.app.compactions.cancel(id);
    expect((await ended(first.turnId)).state).toBe('cancelled');
    expect((await ended(next.turnId)).state).toBe('finished');
    const shown = (await transcript(test, id)).filter((message) => message.role === 'assistant');
    expect(shown.map(textOf)).toEqual(['Begun', 'Answered.']);
    expect(shown[0]?.role === 'assistant' && shown[0].metadata.end).toBe('cancelled');
  });

  it('a failed turn does not hold the queue', async () => {
    const provider = await newProvider();
    const test = await newApp();
    const id = await aTalk(test, connect(test, provider));
    const gate = createGate();
    provider.push({ status: 401, body: { error: { message: 'bad key' } }, gate });
    provider.push({ parts: [{ text: 'Answered.' }], end: { reason: 'stop' } });
    const first = await test.app.messages.post(id, { text: 'first', clientMessageId: '1' }, 'owner');
    await gate.reached;
    const second = await test.app.messages.post(id, { text: 'second', clientMessageId: '2' }, 'owner');
    gate.open();
    const failed = await test.until('chat.turn', (turn) => turn.turnId === first.turnId && turn.state !== 'started');
    expect([failed.state, failed.error?.code]).toEqual(['failed', 'provider_auth']);
    const end = await test.until('chat.turn', (turn) => turn.turnId === second.turnId && turn.state !== 'started');
    expect(end.state).toBe('finished');
  });
});
