import { describe, expect, it } from 'vitest';
import { aLog, type LogBuilder } from '@/server/core/projection/log-builder';
import { userMessage } from '@/server/core/projection/log-builder-verbs';
import { NO_PROMPT, projectView } from '@/server/core/projection/model-view';
import { findLiveForks, planFork } from './plan-fork';
import { planEdit, planRevert } from './plan-revert';
import { findUndoable, hasGoneOnSince, planRollback } from './plan-rollback';
import type { TravelPlan } from './travel-plan';

/** A story that travels by the plans themselves. */
function travel(story: LogBuilder, plan: TravelPlan): LogBuilder {
  if (!plan.ok) throw new TypeError(plan.text);
  for (const event of plan.events) story.appends(event);
  return story;
}

const revert = (story: LogBuilder, itemId: string | null) =>
  planRevert({ log: story.log(), state: story.state(), itemId, by: 'ada' });
const rollback = (story: LogBuilder) => planRollback(story.log(), story.state(), 'ada');
const textsOf = (story: LogBuilder) =>
  story
    .state()
    .items.map(({ event }) => event.parts.map((part) => (part.type === 'text' ? part.text : part.type)).join(''));
/** What a model reads: `S` for the summary, else each message's text. */
const viewOf = (story: LogBuilder) =>
  projectView({ state: story.state(), prompt: NO_PROMPT, model: null, moment: 'entry' }).entries.map(({ message }) =>
    message.role === 'tool'
      ? 'results'
      : message.parts.map((part) => (part.type === 'text' ? part.text.replace(/^<summary[\s\S]*/, 'S1') : '')).join(''),
  );
const aTalk = () => aLog().says('one').replies('two').says('three').replies('four');

describe('revert (L4)', () => {
  it('contract 2: takes any item ever placed here, left ones too, and null for before the first', () => {
    const story = aTalk();
    const newest = story.itemId(4);
    travel(story, revert(story, story.itemId(2)));
    story.says('other');
    story.ends();
    expect(textsOf(story)).toEqual(['one', 'two', 'other']);
    travel(story, revert(story, null));
    expect(textsOf(story)).toEqual([]);
    expect(story.state().head).toBe(story.state().opened.seq);
    travel(story, revert(story, newest));
    expect(textsOf(story)).toEqual(['one', 'two', 'three', 'four']);
  });

  it('contract 2: in a fork it takes the inherited path and never what the parent did besides', () => {
    const story = aTalk();
    const parent = story.branch;
    const inherited = story.itemId(1);
    story.forks(2);
    const fork = story.branch;
    story.on(parent).says('five').replies('six');
    const foreign = story.itemId(5);
    story.on(fork);
    expect(revert(story, foreign)).toMatchObject({ ok: false, code: 'not_found' });
    travel(story, revert(story, inherited));
    expect(textsOf(story)).toEqual(['one']);
    travel(story, revert(story, null));
    expect(story.state().path.map(({ type }) => type)).toEqual(['branch.opened']);
    expect(story.state().head).toBe(2);
  });

  it('contract 2: is refused while a turn runs, a parked one too, or a compaction; a preview that waits does not mind', () => {
    const refused = (text: string) => ({ ok: false, code: 'conflict', text });
    const running = aTalk().says('five');
    expect(revert(running, running.itemId(1))).toEqual(refused('A reply runs. Stop it, or wait for its end.'));
    running.batch([{ name: 'write_file', result: null, callId: 'c1' }]).parks(['c1']);
    const parked = refused('A tool waits for your yes or no. Decide, or stop this reply first.');
    expect(revert(running, running.itemId(1))).toEqual(parked);
    const compacting = aTalk().triesToCompact();
    const { openCompaction } = compacting.state();
    const busy = refused('A compaction runs. Stop it, or wait for its end.');
    expect(revert(compacting, compacting.itemId(1))).toEqual(busy);
    expect(rollback(compacting)).toEqual(busy);
    compacting.append('compaction.previewed', { compactionId: openCompaction?.compactionId ?? '', text: 'S' });
    expect(revert(compacting, compacting.itemId(1)).ok).toBe(true);
  });

  it('contract 2: a message that waits is no place yet; nothing is appended where the head stands already', () => {
    const story = aTalk().queues('waits');
    const waiting = story.state().queue[0]?.id ?? '';
    expect(revert(story, waiting)).toMatchObject({
      code: 'conflict',
      text: expect.stringMatching(/^This message still/),
    });
    const forked = planFork(story.log(), story.state(), waiting);
    expect(forked).toMatchObject({ code: 'conflict', text: expect.stringMatching(/^This message still waits/) });
    travel(story, revert(story, story.itemId(2)));
    expect(revert(story, story.itemId(2))).toEqual({ ok: true, events: [] });
  });

  it('contract 2: takes any line of a path by its id, a plan by hand too, and none that is of no path', () => {
    const story = aTalk().plan(['measure']);
    const planned = story.state();
    travel(story, revert(story, story.itemId(2)));
    const [reverted] = story.events().filter(({ type }) => type === 'head.reverted');
    expect(revert(story, reverted?.id ?? '')).toMatchObject({ ok: false, code: 'not_found' });
    travel(story, revert(story, planned.path.at(-1)?.id ?? ''));
    expect([story.state().head, story.state().plan]).toEqual([planned.head, planned.plan]);
    const newest = story.events().findLast(({ type }) => type === 'head.reverted');
    expect(newest).toMatchObject({ item: planned.path.at(-1)?.id, to: planned.head });
  });

  it('contract 17: an edit is the move and the message in one batch, refused while messages wait', () => {
    const story = aTalk();
    const message = { ...userMessage('three, again', story.branch) };
    if (message.type !== 'message.user') throw new TypeError('no message');
    const input = () => ({ log: story.log(), state: story.state(), itemId: story.itemId(2), by: 'ada', message });
    const edit = planEdit(input());
    expect(edit.ok && edit.events.map(({ type }) => type)).toEqual(['head.reverted', 'message.user']);
    travel(story, edit).startsQueued().replies('five');
    expect(textsOf(story)).toEqual(['one', 'two', 'three, again', 'five']);
    story.queues('waits');
    expect(planEdit(input())).toMatchObject({ ok: false, code: 'conflict' });
  });
});

describe('rollback (L4)', () => {
  it('contract 2: undoes the newest first, repeats further back, and says when there is nothing', () => {
    const story = aTalk();
    const heads = [story.state().head];
    travel(story, revert(story, story.itemId(3)));
    heads.push(story.state().head);
    travel(story, revert(story, story.itemId(1)));
    travel(story, rollback(story));
    expect(story.state().head).toBe(heads[1]);
    travel(story, rollback(story));
    expect(story.state().head).toBe(heads[0]);
    expect(rollback(story)).toMatchObject({ ok: false, code: 'conflict' });
  });

  it('contract 2: a checkpoint with nothing but ends and notes after it goes exactly, with its prompt', () => {
    const story = aTalk();
    const { head, keptPrompt } = story.state();
    const { type: _, id: _id, v: _v, seq: _s, branch: _b, at: _a, prev: _p, ...prompt } = keptPrompt ?? expect.fail();
    story.append('prompt.kept', { ...prompt, text: 'newer', why: 'compaction' });
    story.compacts({ checkpoint: { undoTo: head } }).append('note', { kind: 'window', text: 'smaller' });
    travel(story, rollback(story));
    expect([story.state().head, story.state().keptPrompt?.id]).toEqual([head, keptPrompt?.id]);
    expect(story.state().checkpoint).toBeNull();
  });

  it.each([
    ['a message', (story: LogBuilder) => story.says('five').replies('six')],
    ['a plan', (story: LogBuilder) => story.plan(['[ ] rest'])],
    ['a carry-over', (story: LogBuilder) => story.marks('keep this')],
  ])('contract 2: a checkpoint followed by %s is undone without losing it', (_name, goOn) => {
    const story = goOn(aTalk().compacts({ covers: 2 }));
    const items = textsOf(story);
    const { plan, carryOvers } = story.state();
    travel(story, rollback(story));
    expect(story.events().at(-1)?.type).toBe('checkpoint.reverted');
    expect(story.state().checkpoint).toBeNull();
    expect([textsOf(story), story.state().plan, story.state().carryOvers]).toEqual([items, plan, carryOvers]);
    expect(rollback(story)).toMatchObject({ ok: false });
  });

  it('contract 2: is refused while a turn or compaction runs, though there is something to undo', () => {
    const story = aTalk().reverts(2);
    expect(rollback(story).ok).toBe(true);
    story.triesToCompact();
    expect(rollback(story)).toMatchObject({ ok: false, code: 'conflict' });
    const running = aTalk().reverts(2).says('other');
    expect(rollback(running)).toMatchObject({ ok: false, code: 'conflict' });
  });

  it('contract 2: of a revert and a checkpoint that both stand, the one made last is undone', () => {
    const summaryLast = aTalk().reverts(2).compacts({ covers: 2 });
    travel(summaryLast, rollback(summaryLast));
    expect([summaryLast.state().checkpoint, textsOf(summaryLast)]).toEqual([null, ['one', 'two']]);
    const revertLast = aTalk().compacts({ covers: 2 }).says('five').replies('six').reverts(5);
    travel(revertLast, rollback(revertLast));
    expect([revertLast.state().checkpoint === null, textsOf(revertLast).at(-1)]).toEqual([false, 'six']);
  });

  it('L4: it is known whether undoing a revert would leave what came since, by a person too', () => {
    const wentOn = (story: LogBuilder) => {
      const undoable = findUndoable(story.log(), story.state()) ?? expect.fail('nothing to undo');
      return hasGoneOnSince(story.state(), undoable);
    };
    expect(wentOn(aTalk().reverts(2))).toBe(false);
    expect(wentOn(aTalk().reverts(2).append('note', { kind: 'window', text: 'smaller' }))).toBe(false);
    expect(wentOn(aTalk().reverts(2).plan(['measure']))).toBe(true);
    expect(wentOn(aTalk().reverts(2).says('other').replies('way').ends())).toBe(true);
    expect(wentOn(aTalk().compacts({ covers: 2 }).says('five'))).toBe(false);
  });

  it('contract 2: revert and checkpoint are undone in the order they were made, newest first', () => {
    const story = aTalk().compacts({ covers: 2 });
    const { head } = story.state();
    travel(story, revert(story, story.itemId(3)));
    travel(story, rollback(story));
    expect(story.state().head).toBe(head);
    travel(story, rollback(story));
    expect(story.state().checkpoint).toBeNull();
  });

  it('contract 2: a fork undoes an inherited summary for itself alone', () => {
    const story = aTalk().compacts({ covers: 2 }).says('five').replies('six');
    const parent = story.branch;
    story.forks();
    travel(story, rollback(story));
    expect(story.state().checkpoint).toBeNull();
    expect(story.on(parent).state().checkpoint).not.toBeNull();
  });
});

describe('case-C07: travel past a boundary, all by id, all appends', () => {
  const aBoundary = () => {
    const story = aLog().says('u1').replies('a1').says('u2').replies('a2').compacts({ covers: 2, keep: [] });
    const boundary = story.state().checkpoint?.event.id ?? '';
    return { story: story.says('u3').replies('a3'), boundary };
  };

  it('case-C07: a revert to u1 has no boundary; its undo has exactly what was there', () => {
    const { story } = aBoundary();
    expect(viewOf(story)).toEqual(['S1', 'u2', 'a2', 'u3', 'a3']);
    const [u1] = story.state().items;
    travel(story, revert(story, null));
    expect(viewOf(story)).toEqual([]);
    travel(story, rollback(story));
    travel(story, revert(story, u1?.id ?? ''));
    expect([viewOf(story), story.state().checkpoint]).toEqual([['u1'], null]);
    travel(story, rollback(story));
    expect(viewOf(story)).toEqual(['S1', 'u2', 'a2', 'u3', 'a3']);
  });

  it('case-C07: a fork from a1 has u1 and a1 and no summary', () => {
    const { story } = aBoundary();
    story.forks(2);
    expect(viewOf(story)).toEqual(['u1', 'a1']);
  });

  it('case-C07: the boundary itself is a place: with its summary in force; u2 before it has u1 and a1 raw', () => {
    const { story, boundary } = aBoundary();
    const u2 = story.itemId(3);
    const fork = planFork(story.log(), story.state(), boundary);
    expect(fork.ok && [fork.head, fork.opened.parent?.itemId]).toEqual([
      story.state().checkpoint?.event.seq,
      story.itemId(4),
    ]);
    travel(story, revert(story, boundary));
    expect(viewOf(story)).toEqual(['S1', 'u2', 'a2']);
    travel(story, revert(story, u2));
    expect(viewOf(story)).toEqual(['u1', 'a1', 'u2']);
  });
});

describe('fork (L3)', () => {
  it('contract 2: takes items that were left, also while the parent runs, and not what came after', () => {
    const story = aTalk();
    const [left, title] = [story.itemId(4), 'one'];
    travel(story, revert(story, story.itemId(2)));
    story.says('other');
    const fork = planFork(story.log(), story.state(), left);
    if (!fork.ok) throw new TypeError(fork.text);
    expect(fork.opened).toMatchObject({
      kind: 'fork',
      owner: 'ada',
      title: `Fork of ${title}`,
      parent: { branch: story.branch, seq: fork.head, itemId: left },
    });
  });

  it('contract 2: without an item it begins where the parent stands, a plan after the last item included', () => {
    const story = aTalk().plan(['measure']);
    const newest = story.itemId(4);
    const here = planFork(story.log(), story.state(), null);
    const item = planFork(story.log(), story.state(), newest);
    if (!here.ok || !item.ok) throw new TypeError('refused');
    expect([here.head, here.opened.parent?.itemId]).toEqual([story.state().head, newest]);
    expect(item.head).toBeLessThan(here.head);
  });

  it('contract 2: its title says whose fork it is, and fits the line whatever the parent is called', () => {
    const forkOf = (title: string) => {
      const story = aTalk().appends({ type: 'session.changed', title });
      const planned = planFork(story.log(), story.state(), null);
      return (planned.ok && planned.opened.title) || '';
    };
    expect(forkOf('Harbour')).toBe('Fork of Harbour');
    // Bytes and not characters: the longest title that a person may give, in any script.
    for (const title of [`🙂${'a'.repeat(996)}`, '🙂'.repeat(250), 'a'.repeat(1000)]) {
      const cut = forkOf(title);
      expect(cut.length).toBeLessThanOrEqual(1000);
      expect(`Fork of ${title}`.startsWith(cut) && cut.isWellFormed()).toBe(true);
    }
  });

  it('contract 1: what a newer version wrote before the item is not built on; an item before it may be', () => {
    const story = aTalk();
    const early = story.itemId(2);
    story.appendsNewer({ prev: story.state().head }).says('five').replies('six');
    expect(planFork(story.log(), story.state(), story.itemId(5))).toMatchObject({ ok: false, code: 'conflict' });
    expect(planFork(story.log(), story.state(), early).ok).toBe(true);
    // Nor is it gone to: a branch that stands on it takes no more lines, and there would be no way back.
    const left = story.state().head;
    travel(story, revert(story, early));
    const tip = story.log().bySeq.get(left)?.id ?? '';
    expect(revert(story, tip)).toMatchObject({ ok: false, code: 'conflict' });
  });

  it('api: whose lines are still used: by forks and their forks, not by deleted ones, nor by a fork beside', () => {
    const story = aTalk();
    const root = story.branch;
    const child = story.forks(2).branch;
    const beside = story.on(root).forks(1).branch;
    const grandchild = story.on(child).says('three').replies('four').forks().branch;
    expect(findLiveForks(story.log(), root)).toEqual([child, beside, grandchild]);
    expect(findLiveForks(story.log(), child)).toEqual([grandchild]);
    story.on(child).append('session.deleted', { by: 'ada' });
    story.on(beside).append('session.deleted', { by: 'ada' });
    expect(findLiveForks(story.log(), root)).toEqual([grandchild]);
    story.append('session.restored', { by: 'ada' });
    expect(findLiveForks(story.log(), root)).toEqual([beside, grandchild]);
  });
});
