import { describe, expect, it } from 'vitest';
import type { Message } from '@/server/contract/message';
import { aTalk, compact, linesOf, manageApps, textOf, transcript } from './testing/stories';

const newApp = manageApps();

const idsOf = (messages: readonly Message[]) => messages.map(({ id }) => id);
const texts = (messages: readonly Message[]) => messages.filter(({ role }) => role === 'user').map(textOf);

/** A conversation with three finished turns. */
async function aLongTalk() {
  const test = await newApp();
  const id = await aTalk(test);
  for (const text of ['help', 'list', 'keep going']) await test.say(id, text);
  return { test, id, app: test.app, before: await transcript(test, id) };
}

describe('a person goes back and forth', () => {
  it('L4: a revert shows the earlier path, a rollback restores every message as it was', async () => {
    const { test, id, app, before } = await aLongTalk();
    const target = before[1]?.id ?? '';
    const skip = test.told.length;
    const reverted = await app.travel.revert(id, target, 'owner');
    expect(reverted.headMovedSeq).toBe(reverted.headSeq);
    // Whoever watches is told by the row alone, and reads the path again.
    const row = await test.untilNew(skip, 'session.updated', (data) => data.headMovedSeq > 0);
    expect([row.id, row.headMovedSeq]).toEqual([id, reverted.headMovedSeq]);
    expect(idsOf(await transcript(test, id))).toEqual(idsOf(before.slice(0, 2)));
    expect(reverted.undoable).toMatchObject({ what: 'revert', itemId: before.at(-1)?.id });
    const back = await app.travel.rollback(id, 'owner');
    expect(back.undoable).toBeNull();
    expect(await transcript(test, id)).toEqual(before);
    await expect(app.travel.rollback(id, 'owner')).rejects.toMatchObject({ code: 'conflict' });
  });

  it('L4, X9: what was left is marked, can be read by `head`, item by item, and returned to by its id', async () => {
    const { test, id, app, before } = await aLongTalk();
    const newest = before.at(-1);
    await app.travel.revert(id, before[1]?.id ?? '', 'owner');
    await test.say(id, 'help');
    const now = await transcript(test, id);
    const at = now[1];
    expect(at?.role === 'assistant' && at.metadata.left?.map(({ itemId }) => itemId)).toEqual([newest?.id]);
    const left = await app.sessions.messages(id, { limit: 500, head: newest?.id ?? '' });
    expect(idsOf(left.messages)).toEqual(idsOf(before));
    expect(await app.sessions.item(id, newest?.id ?? '')).toMatchObject({ id: newest?.id });
    const edited = now[2];
    const ends = (await linesOf(test, id, 'turn.ended')).slice(-2);
    const { alternatives } = edited?.role === 'user' ? edited.metadata : {};
    expect(alternatives).toEqual({
      index: 1,
      ids: [before[2]?.id, edited?.id],
      tips: [ends.at(0)?.id, ends.at(-1)?.id],
    });
    await app.travel.revert(id, newest?.id ?? '', 'owner');
    expect(idsOf(await transcript(test, id))).toEqual(idsOf(before));
  });

  it('contract 17: an edited message moves the head and follows in one batch, also the very first one', async () => {
    const { test, id, app, before } = await aLongTalk();
    const skip = test.told.length;
    const edit = { text: 'ls', clientMessageId: 'edit-1', after: null };
    const answer = await app.messages.post(id, edit, 'owner');
    expect(await app.messages.post(id, edit, 'owner')).toMatchObject({ messageId: answer.messageId });
    await test.untilNew(skip, 'chat.turn', (turn) => turn.turnId === answer.turnId && turn.state === 'finished');
    expect(texts(await transcript(test, id))).toEqual(['ls']);
    const [reverted] = await linesOf(test, id, 'head.reverted');
    const sent = (await linesOf(test, id, 'message.user')).at(-1);
    expect([reverted?.item, sent?.seq]).toEqual([null, (reverted?.seq ?? 0) + 1]);
    const [first] = await transcript(test, id);
    expect(first?.role === 'user' && first.metadata.alternatives?.ids).toEqual([before[0]?.id, first?.id]);
  });

  it('case-C08: *Try again* is a revert to the question and a turn without a message: no second one, no short branch', async () => {
    const { test, id, app, before } = await aLongTalk();
    const question = before.findLast(({ role }) => role === 'user');
    await app.travel.revert(id, question?.id ?? '', 'owner');
    const skip = test.told.length;
    const [one, other] = await Promise.allSettled([app.messages.continue(id), app.messages.continue(id)]);
    expect(other.status === 'rejected' && other.reason.code).toBe('conflict');
    const turnId = one.status === 'fulfilled' ? one.value.turnId : '';
    await test.untilNew(skip, 'chat.turn', (turn) => turn.turnId === turnId && turn.state === 'finished');
    const now = await transcript(test, id);
    expect(texts(now)).toEqual(texts(before));
    expect((await linesOf(test, id, 'message.user')).length).toBe(3);
    const again = now.at(-1);
    expect(again?.role === 'assistant' && again.metadata.alternatives?.ids).toEqual([before.at(-1)?.id, again?.id]);
  });

  it('contract 2: while a reply is about to begin or runs the head stays: 409, and nothing was appended', async () => {
    const { id, app, test, before } = await aLongTalk();
    const message = { text: 'help', clientMessageId: 'soon' };
    const posted = app.messages.post(id, message, 'owner');
    const { turnId } = await posted;
    const tries = [
      app.travel.revert(id, before[0]?.id ?? '', 'owner'),
      app.travel.rollback(id, 'owner'),
      app.messages.post(id, { text: 'ls', clientMessageId: 'edit', after: null }, 'owner'),
    ];
    const refused = await Promise.allSettled(tries);
    expect(refused.map((one) => one.status === 'rejected' && one.reason.code)).toEqual(Array(3).fill('conflict'));
    await test.until('chat.turn', (turn) => turn.turnId === turnId && turn.state === 'finished');
    expect(await linesOf(test, id, 'head.reverted')).toEqual([]);
    expect(idsOf(await transcript(test, id)).slice(0, before.length)).toEqual(idsOf(before));
  });

  it('contract 2: a message that waits is no place to go to, and a foreign item is not there', async () => {
    const { id, app, test, before } = await aLongTalk();
    const other = await aTalk(test);
    await test.say(other, 'help');
    const foreign = (await transcript(test, other))[0]?.id ?? '';
    await expect(app.travel.revert(id, foreign, 'owner')).rejects.toMatchObject({ code: 'not_found' });
    await expect(app.travel.fork(id, foreign)).rejects.toMatchObject({ code: 'not_found' });
    expect(await transcript(test, id)).toEqual(before);
  });
});

describe('a person forks', () => {
  it('L3: a fork is one line in the same file, has what applied there, and links both ways', async () => {
    const { test, id, app, before } = await aLongTalk();
    await app.sessions.patch(id, { title: 'Tides', pinned: true });
    await app.small.setPlan(id, [{ id: 'p1', text: 'measure', status: 'active' }]);
    const at = before[1]?.id ?? '';
    const fork = await app.travel.fork(id, at);
    expect(fork).toMatchObject({ title: 'Fork of Tides', pinned: false, status: 'idle' });
    expect(fork.parent).toEqual({ sessionId: id, itemId: at });
    expect(idsOf(await transcript(test, fork.id))).toEqual(idsOf(before.slice(0, 2)));
    expect((await app.small.plan(fork.id)).items).toEqual([]);
    const there = (await transcript(test, id))[1];
    expect(there?.role === 'assistant' && there.metadata.forks).toEqual([fork.id]);
    expect(app.sessions.list({ limit: 10 }).sessions.map((row) => row.id)).toContain(fork.id);
    await test.say(fork.id, 'help');
    expect(idsOf(await transcript(test, id))).toEqual(idsOf(before));
    expect((await linesOf(test, id, 'branch.opened')).map(({ branch }) => branch)).toEqual([id, fork.id]);
  });

  it('api: a conversation whose forks live is deleted by force alone, and comes back from the trash', async () => {
    const { test, id, app, before } = await aLongTalk();
    const fork = await app.travel.fork(id, before[1]?.id ?? '');
    await expect(app.sessions.remove(id, 'owner')).rejects.toMatchObject({ details: { forks: [fork.id] } });
    await app.sessions.remove(id, 'owner', { force: true });
    expect((await test.say(fork.id, 'help')).state).toBe('finished');
    const [row] = app.trash.list().sessions;
    expect(row?.id).toBe(id);
    // Its lines stay as long as the fork stands on them.
    expect(row?.goneAt).toBeNull();
    expect((await app.trash.restore(id, 'owner')).deletedAt).toBeNull();
    expect(idsOf(await transcript(test, id))).toEqual(idsOf(before));
    expect(app.trash.list().sessions).toEqual([]);
    await expect(app.trash.restore(id, 'owner')).rejects.toMatchObject({ code: 'conflict' });
    await app.sessions.remove(fork.id, 'owner');
    await app.sessions.remove(id, 'owner');
  });
});

describe('a person undoes a summary', () => {
  it('X5: undo outlives new turns; parts are shown and taken back, with the bytes before and after', async () => {
    const { test, id, app, before } = await aLongTalk();
    await compact(test, id);
    const [committed] = await linesOf(test, id, 'checkpoint.committed');
    const compactionId = committed?.compactionId ?? '';
    const part = { from: before[0]?.id ?? '', through: before[2]?.id ?? '' };
    const named = { sessionId: id, compactionId };
    const asked = await app.travel.expand({ ...named, preview: true }, part);
    expect(await linesOf(test, id, 'checkpoint.expanded')).toEqual([]);
    const shown = await app.travel.expand(named, part);
    expect(asked.change).toEqual(shown.change);
    expect(shown.change.afterBytes).toBeGreaterThan(shown.change.beforeBytes);
    expect(shown.context.usedBytes).toBe(shown.change.afterBytes);
    const card = (await transcript(test, id)).find((message) => message.role === 'summary');
    expect(card?.role === 'summary' && card.metadata.expanded?.length).toBe(1);
    const folded = await app.travel.fold(named, part);
    expect(folded.change.afterBytes).toBe(shown.change.beforeBytes);
    await test.say(id, 'help');
    const skip = test.told.length;
    const undone = await app.travel.undoCompaction(named, 'owner');
    expect(undone.change.afterBytes).toBeGreaterThan(undone.change.beforeBytes);
    const told = await test.untilNew(skip, 'chat.message', (message) => message.id === committed?.id);
    expect(told.role === 'summary' && [told.metadata.inForce, told.metadata.reverted?.by]).toEqual([false, 'owner']);
    await expect(app.travel.undoCompaction(named, 'owner')).rejects.toMatchObject({ code: 'conflict' });
  });

  it('L4: a rollback right after a compaction restores the exact head before it', async () => {
    const { test, id, app, before } = await aLongTalk();
    const { context } = await app.sessions.get(id);
    await compact(test, id);
    const [committed] = await linesOf(test, id, 'checkpoint.committed');
    expect((await app.sessions.get(id)).undoable).toMatchObject({ what: 'compaction' });
    await app.travel.rollback(id, 'owner');
    const [restored] = await linesOf(test, id, 'head.restored');
    expect([restored?.to, restored?.undoes]).toEqual([committed?.undoTo, committed?.id]);
    expect((await app.sessions.get(id)).context.usedBytes).toBe(context.usedBytes);
    expect(await transcript(test, id)).toEqual(before);
  });
});

it('K1: carry-overs are put into order and edited in place; a stale order and too long a text are refused', async () => {
  const { id, app } = await aLongTalk();
  const one = await app.small.carry(id, { text: 'one' }, 'owner');
  const two = await app.small.carry(id, { text: 'two' }, 'owner');
  const ordered = await app.small.orderCarryOvers(id, [one.id, two.id]);
  expect(ordered.carryOvers.map(({ text }) => text)).toEqual(['one', 'two']);
  for (const ids of [[one.id], [one.id, two.id, two.id], [one.id, one.id]])
    await expect(app.small.orderCarryOvers(id, ids)).rejects.toMatchObject({ code: 'conflict' });
  expect(await app.small.editCarryOver(id, { carryId: two.id, text: 'second' })).toMatchObject({ text: 'second' });
  expect((await app.small.carryOvers(id)).carryOvers.map(({ text }) => text)).toEqual(['one', 'second']);
  const tooLong = { carryId: two.id, text: 'x'.repeat(60_000) };
  await expect(app.small.editCarryOver(id, tooLong)).rejects.toMatchObject({ code: 'invalid_request' });
});
