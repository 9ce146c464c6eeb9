import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openFilesSessionLog } from '@/db/files/session-log';
import type { Message } from '@/server/contract/message';
import { createIds } from '@/server/core/ids';
import { checkLog } from '@/server/core/log/check-log';
import { finishScan, scanChunk, startScan } from '@/server/core/log/scan-log';
import { foldLog } from '@/server/core/projection/log-state';
import { foldSession } from '@/server/core/projection/session-state';
import { projectTranscript } from '@/server/core/projection/transcript';
import { aTalk, compact, linesOf, manageApps, transcript } from './testing/stories';

let dataDir = '';
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tidemark-travel-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));
// Hooks run backwards: applications stop before their directory goes.
const newApp = manageApps();

/** An application whose logs are real files, and stages whose bytes are held against the stage before. */
async function onDisk() {
  const clock = { now: () => Date.parse('2026-01-01T00:00:00.000Z') };
  let drawn = 0;
  const drawBytes = (count: number) => {
    drawn += 1;
    return new Uint8Array(count).fill(drawn % 251);
  };
  const ids = createIds({ clock, drawBytes });
  const test = await newApp({ ids, sessionLog: await openFilesSessionLog({ dataDir, ids, clock, lock: null }) });
  const logId = await aTalk(test);
  const path = join(dataDir, 'logs', `${logId}.jsonl`);
  let last = await readFile(path);
  /** Does one thing, and gives what it appended: whole lines behind exactly the bytes that were there. */
  const stage = async (act: () => Promise<unknown>): Promise<readonly string[]> => {
    await act();
    const now = await readFile(path);
    expect(now.subarray(0, last.length).equals(last)).toBe(true);
    const added = now.subarray(last.length).toString();
    last = now;
    expect(added === '' || added.endsWith('\n')).toBe(true);
    await sameWhenReplayed(path, test);
    return added.split('\n').filter(Boolean).map(typeOf);
  };
  return { test, logId, stage, path };
}

const typeOf = (line: string): string => /"type":"([a-z_.]+)"/.exec(line)?.[1] ?? '';

/** Read from its bytes alone, every session is what the running application says it is, and nothing breaks a rule. */
async function sameWhenReplayed(path: string, test: Awaited<ReturnType<typeof newApp>>) {
  const { state, records } = scanChunk(startScan(), await readFile(path));
  const all = [...records, ...finishScan(state).records];
  expect(checkLog(all).violations).toEqual([]);
  const log = foldLog(all);
  for (const branch of log.branches.keys()) {
    const shown: readonly Message[] = projectTranscript(foldSession(log, branch), log);
    expect(await transcript(test, branch)).toEqual(shown);
  }
}

describe('the file only grows (L3)', () => {
  it('L3: fork, revert, rollback, undo, expand and fold append exactly their references', async () => {
    const { test, logId, stage } = await onDisk();
    const { travel, messages } = test.app;
    for (const text of ['help', 'plan one; two', 'list']) await stage(() => test.say(logId, text));
    const all = await transcript(test, logId);
    const [first, second] = [all[0]?.id ?? '', all[1]?.id ?? ''];
    expect(await stage(() => travel.revert(logId, second, 'owner'))).toEqual(['head.reverted']);
    expect(await stage(() => travel.rollback(logId, 'owner'))).toEqual(['head.restored']);
    expect(await stage(() => travel.fork(logId, second))).toEqual(['branch.opened']);
    const edit = { text: 'help', clientMessageId: 'e1', after: second };
    const edited = await stage(async () => {
      const { turnId } = await messages.post(logId, edit, 'owner');
      await test.until('chat.turn', (turn) => turn.turnId === turnId && turn.state === 'finished');
    });
    expect(edited.slice(0, 2)).toEqual(['head.reverted', 'message.user']);
    await stage(() => travel.rollback(logId, 'owner'));
    await stage(() => compact(test, logId));
    const [checkpoint] = await linesOf(test, logId, 'checkpoint.committed');
    const id = checkpoint?.compactionId ?? '';
    const part = { from: first, through: second };
    const named = { sessionId: logId, compactionId: id };
    expect(await stage(() => travel.expand(named, part))).toEqual(['checkpoint.expanded']);
    expect(await stage(() => travel.fold(named, part))).toEqual(['checkpoint.folded']);
    await stage(() => test.say(logId, 'help'));
    expect(await stage(() => travel.undoCompaction(named, 'owner'))).toEqual(['checkpoint.reverted']);
    expect(await stage(() => travel.rollback(logId, 'owner').catch(() => undefined))).toEqual([]);
  });

  it('L3, L5: an arrow appends one reference and brings back the plan by hand, the summary and the part shown of its branch', async () => {
    const { test, logId, stage } = await onDisk();
    const { travel, small, messages, sessions } = test.app;
    for (const text of ['help', 'list', 'help']) await stage(() => test.say(logId, text));
    await stage(() => compact(test, logId));
    const shown = await transcript(test, logId);
    const named = { sessionId: logId, compactionId: shown.find(({ role }) => role === 'summary')?.id ?? '' };
    const part = { from: shown[0]?.id ?? '', through: shown[1]?.id ?? '' };
    await stage(() => travel.expand(named, part));
    await stage(() => small.setPlan(logId, [{ id: 'p1', text: 'by hand', status: 'active' }]));
    const before = await sessions.get(logId);
    const view = await sessions.context(logId, true);
    const edit = { text: 'list', clientMessageId: 'other', after: shown[1]?.id ?? '' };
    await stage(async () => {
      const { turnId } = await messages.post(logId, edit, 'owner');
      await test.until('chat.turn', (turn) => turn.turnId === turnId && turn.state === 'finished');
    });
    const edited = (await transcript(test, logId))[2];
    const { tips } = (edited?.role === 'user' && edited.metadata.alternatives) || expect.fail('no arrows');
    expect((await small.plan(logId)).items).toEqual([]);

    expect(await stage(() => travel.revert(logId, tips?.[0] ?? '', 'owner'))).toEqual(['head.reverted']);
    expect((await small.plan(logId)).items).toMatchObject([{ text: 'by hand' }]);
    expect(await sessions.context(logId, true)).toEqual(view);
    const back = await sessions.get(logId);
    expect([back.summaries, back.context.usedBytes]).toEqual([1, before.context.usedBytes]);
    const card = (await transcript(test, logId)).find(({ role }) => role === 'summary');
    expect(card?.role === 'summary' && [card.metadata.inForce, card.metadata.expanded?.length]).toEqual([true, 1]);
    // By the item alone it is the path up to and including that item, without what came after (contract 2).
    const newest = shown.findLast(({ role }) => role === 'assistant')?.id ?? '';
    await stage(() => travel.revert(logId, newest, 'owner'));
    expect((await small.plan(logId)).items).toEqual([]);
    await stage(() => travel.rollback(logId, 'owner'));

    // A fork of the conversation as it stands has the plan; one at its newest item has not.
    const fork = await travel.fork(logId, null);
    expect((await small.plan(fork.id)).items).toMatchObject([{ text: 'by hand' }]);
    expect(await sessions.context(fork.id, true)).toEqual(view);
    expect(fork.parent).toEqual({ sessionId: logId, itemId: newest });
    const older = await travel.fork(logId, newest);
    expect((await small.plan(older.id)).items).toEqual([]);
  });

  it('L3, L5: three levels of forks with a boundary, a plan and a revert in each; all in one file, none sees another', async () => {
    const { test, logId, stage, path } = await onDisk();
    const { travel, small } = test.app;
    const planned = (n: number) => [{ id: `p${n}`, text: `level ${n}`, status: 'pending' as const }];
    const levels = [logId];
    for (let level = 0; level < 3; level += 1) {
      const here = levels.at(-1) ?? '';
      for (const text of ['help', 'list']) await stage(() => test.say(here, text));
      await stage(() => compact(test, here));
      await stage(() => small.setPlan(here, planned(level)));
      await stage(() => test.say(here, 'help'));
      const shown = await transcript(test, here);
      const at = shown.filter(({ role }) => role === 'assistant').at(-1)?.id ?? '';
      await stage(async () => levels.push((await travel.fork(here, at)).id));
      await stage(() => travel.revert(here, shown[0]?.id ?? '', 'owner'));
    }
    expect((await linesOf(test, logId, 'branch.opened')).map(({ parent }) => parent?.branch ?? null)).toEqual([
      null,
      ...levels.slice(0, 3),
    ]);
    const deepest = levels.at(-1) ?? '';
    expect((await small.plan(deepest)).items).toEqual(planned(2));
    const summaries = (await transcript(test, deepest)).flatMap((m) =>
      m.role === 'summary' ? [m.metadata.inForce] : [],
    );
    expect(summaries).toEqual([false, false, true]);
    // Every level goes on by itself: the boundaries of the deepest are undone one by one, the parents never notice.
    const parents = await Promise.all(levels.slice(0, 3).map((id) => transcript(test, id)));
    for (let left = 2; left >= 0; left -= 1) {
      await stage(() => travel.rollback(deepest, 'owner'));
      expect((await test.app.sessions.get(deepest)).summaries).toBe(left);
    }
    const after = await Promise.all(levels.slice(0, 3).map((id) => transcript(test, id)));
    expect(after.map((messages) => messages.map(({ id }) => id))).toEqual(
      parents.map((messages) => messages.map(({ id }) => id)),
    );
    for (const id of levels.slice(0, 3)) await stage(() => travel.rollback(id, 'owner'));
    expect((await readFile(path)).length).toBeGreaterThan(0);
  });
});
