import { describe, expect, it } from 'vitest';
import { planRevert } from '@/server/core/travel/plan-revert';
import { planRollback } from '@/server/core/travel/plan-rollback';
import { selectPath } from '@/server/core/travel/select-path';
import { aLog, type LogBuilder } from './log-builder';
import { userMessage } from './log-builder-verbs';
import { projectTranscript } from './transcript';

const metadataOf = (story: LogBuilder, id: string) => {
  const message = projectTranscript(story.state(), story.log()).find((one) => one.id === id);
  return message?.role === 'user' || message?.role === 'assistant' ? message.metadata : expect.fail(`no ${id}`);
};

const endOf = (story: LogBuilder) => story.state().path.at(-1)?.id ?? expect.fail('no path');

/** As `planRevert` goes to a line by its id. */
function goTo(story: LogBuilder, id: string | null): LogBuilder {
  const plan = planRevert({ log: story.log(), state: story.state(), itemId: id, by: 'ada' });
  for (const event of plan.ok ? plan.events : expect.fail(plan.text)) story.appends(event);
  return story;
}

describe('branches of a conversation', () => {
  it('contract 17: every alternative says the line at which it was left, however its own branches were made', () => {
    const story = aLog().says('one').replies('two');
    const { id: two, point } = story.item(2);
    story.says('three').replies('four').reverts(2).says('three, again').replies('four, again');
    const endOfTwo = endOf(story);
    story.reverts(1).continues().replies('two, again');
    const again = story.itemId(2);
    const endOfAgain = endOf(story);
    const ids = [two, again];
    expect(metadataOf(story, again).alternatives).toEqual({ index: 1, ids, tips: [endOfTwo, endOfAgain] });
    // Going on with the first one moves its end; the arrows of the other lead there.
    story.append('head.reverted', { to: point, item: two, from: story.state().head, by: 'ada' });
    story.says('five');
    expect(metadataOf(story, two).alternatives).toEqual({ index: 0, ids, tips: [endOf(story), endOfAgain] });
  });

  it('contract 17: what another side said after the same item is no alternative to it', () => {
    const story = aLog().says('one').replies('two').reverts(1).says('one more');
    expect(metadataOf(story, story.itemId(2)).alternatives).toBeUndefined();
  });

  it('contract 17: the tip holds what came after the last item, a plan by hand and a summary with a part shown again', () => {
    const story = aLog().says('one').replies('two').says('three').replies('four').compacts().expands(1, 1);
    story.plan(['measure']);
    const [three, left] = [story.itemId(3), story.state()];
    story.reverts(2).says('three, again');
    const [tip = ''] = metadataOf(story, story.itemId(3)).alternatives?.tips ?? [];
    expect(tip).toBe(left.path.at(-1)?.id);
    const there = selectPath(story.log(), story.branch, tip) ?? expect.fail('no such line');
    const { plan, checkpoint, items } = left;
    expect({ plan: there.plan, checkpoint: there.checkpoint, items: there.items }).toEqual({ plan, checkpoint, items });
    expect(selectPath(story.log(), story.branch, story.itemId(2))?.plan).toBeNull();
    expect(metadataOf(story, story.itemId(3)).alternatives?.ids[0]).toBe(three);
  });

  it('L4, L5: a message says what another in its place follows: what was set before it too, at the beginning nothing', () => {
    const story = aLog().says('one').replies('two').plan(['measure']);
    const planned = endOf(story);
    story.says('three').replies('four');
    const follows = (at: number) => {
      const { metadata } =
        projectTranscript(story.state(), story.log()).find(({ id }) => id === story.itemId(at)) ?? {};
      return metadata && 'follows' in metadata ? metadata.follows : 'not said';
    };
    expect([follows(1), follows(3)]).toEqual([null, planned]);
    goTo(story, planned).says('three, again');
    expect(story.state().plan?.items.map(({ text }) => text)).toEqual(['measure']);
    expect(metadataOf(story, story.itemId(3)).alternatives?.ids).toHaveLength(2);
  });

  it('L4: a summary that a rollback took back is not part of how its branch was left', () => {
    const story = aLog().says('one').replies('two').says('three').replies('four');
    const before = endOf(story);
    story.compacts({ checkpoint: { undoTo: story.state().head } });
    const undo = planRollback(story.log(), story.state(), 'ada');
    for (const event of undo.ok ? undo.events : expect.fail(undo.text)) story.appends(event);
    story.reverts(2).says('three, again');
    expect(metadataOf(story, story.itemId(3)).alternatives?.tips?.[0]).toBe(before);
  });

  it('L4: a person who only looked around left a branch where they stood, and what they had left there says so', () => {
    const story = aLog().says('one').replies('two').says('three').replies('four').says('five').replies('six');
    const three = story.itemId(3);
    story.reverts(2).says('three, again').ends();
    const again = story.itemId(3);
    const [tip = ''] = metadataOf(story, again).alternatives?.tips ?? [];
    goTo(story, tip).reverts(4);
    const four = story.itemId(4);
    const [, other = ''] = metadataOf(story, three).alternatives?.tips ?? [];
    goTo(story, other);
    expect(metadataOf(story, again).alternatives?.tips?.[0]).toBe(four);
    goTo(story, four);
    expect(metadataOf(story, four).left).toMatchObject([{ items: 2, by: 'back' }]);
  });

  it('L3: a fork has its own tips: where it began, and never what the parent did besides', () => {
    const story = aLog().says('one').replies('two');
    const parent = story.branch;
    const fork = story.forks(2).branch;
    const begun = endOf(story);
    story.on(parent).says('three').ends().on(fork);
    goTo(story, null).says('one, again');
    expect(metadataOf(story, story.itemId(1)).alternatives?.tips).toEqual([begun, endOf(story)]);
  });

  it('L4: an item says what a revert to it left, until that is undone; a revert forward leaves nothing behind', () => {
    const story = aLog().says('one').replies('two').says('three').replies('four');
    const two = story.itemId(2);
    const { id: four, point } = story.item(4);
    story.reverts(2);
    const tip = story.log().bySeq.get(point + 1)?.id;
    expect(metadataOf(story, two).left).toMatchObject([{ itemId: four, items: 2, tip, by: 'back' }]);
    // It stands there after the next message too, and in later ones.
    story.says('other').replies('words');
    expect(metadataOf(story, two).left).toMatchObject([{ itemId: four, items: 2, tip, by: 'back' }]);
    story.rollsBack();
    expect(metadataOf(story, two).left).toBeUndefined();
    story.reverts(2).append('head.reverted', { to: point, item: four, from: story.state().head, by: 'ada' });
    expect(metadataOf(story, two).left).toBeUndefined();
  });

  it('L4: how a branch was left is told from what stands beside the line: an edit, another try, another branch, before the first', () => {
    const story = aLog().says('one').replies('two').says('three').replies('four');
    const two = story.itemId(2);
    const events = [
      { type: 'head.reverted', to: story.item(2).point, item: two, from: story.state().head, by: 'ada' },
      userMessage('three, again', story.branch),
    ] as const;
    for (const event of events) story.appends(event);
    story.startsQueued().replies('four, again');
    const by = (id: string) => metadataOf(story, id).left?.map((left) => left.by);
    // The builder gives every line a time of its own; a batch has one, so this is a person who went back and wrote.
    expect(by(two)).toEqual(['back']);
    const question = story.itemId(3);
    story.reverts(3).append('note', { kind: 'window', text: 'smaller' }).continues().replies('four, a third time');
    expect(by(question)).toEqual(['again']);
    const [tip = ''] = metadataOf(story, question).alternatives?.tips ?? [];
    goTo(story, tip);
    expect(by(two)).toEqual(['switch']);
    story.reverts(null).says('one, again');
    expect(metadataOf(story, story.itemId(1)).leftBefore).toMatchObject([{ items: 4 }]);
  });

  it('L4: what was left is returned to as it was left last, a plan set there since too, by one way', () => {
    const story = aLog().says('one').replies('two').says('three').replies('four').ends();
    const [two, left] = [story.itemId(2), endOf(story)];
    story.reverts(2).says('other').replies('words').ends();
    const other = endOf(story);
    expect(metadataOf(story, two).left).toMatchObject([{ tip: left, items: 2 }]);
    // There again, a plan by hand, and away by an undo of the way there: the mark leads to the plan.
    goTo(story, left).plan(['measure']);
    const planned = endOf(story);
    story.rollsBack();
    expect(endOf(story)).toBe(other);
    expect(metadataOf(story, two).left).toMatchObject([{ tip: planned, items: 2, itemId: expect.any(String) }]);
    // There again by the mark, on with it, and away as one goes by the arrows: still one way, and all of it is counted.
    goTo(story, planned).says('five').ends();
    const [five, longest] = [story.itemId(5), endOf(story)];
    goTo(story, other);
    expect(metadataOf(story, two).left).toMatchObject([{ tip: longest, items: 3, itemId: five }]);
    goTo(story, longest);
    expect(story.state().plan?.items.map(({ text }) => text)).toEqual(['measure']);
  });

  it('X5: a summary taken back on what was left stays taken back when it is returned to', () => {
    const story = aLog().says('one').replies('two').says('three').replies('four').ends().compacts();
    const [two, left] = [story.itemId(2), endOf(story)];
    const checkpointId = story.state().checkpoint?.event.id ?? expect.fail('no summary');
    story.reverts(2).says('other').ends();
    const other = endOf(story);
    goTo(story, left).appends({ type: 'checkpoint.reverted', checkpointId, by: 'ada' });
    goTo(story, other);
    const told = metadataOf(story, two).left ?? [];
    expect(told).toHaveLength(1);
    goTo(story, told[0]?.tip ?? '');
    expect(story.state().checkpoint).toBeNull();
    expect(story.state().items).toHaveLength(4);
  });

  it('L3: an item says which forks begin at it, but those in the trash', () => {
    const story = aLog().says('one').replies('two');
    const [root, two] = [story.branch, story.itemId(2)];
    const one = story.forks(2).branch;
    const other = story.on(root).forks(2).branch;
    story.on(root);
    expect(metadataOf(story, two).forks).toEqual([one, other]);
    story.on(one).append('session.deleted', { by: 'ada' }).on(root);
    expect(metadataOf(story, two).forks).toEqual([other]);
    story.on(one).append('session.restored', { by: 'ada' }).on(root);
    expect(metadataOf(story, two).forks).toEqual([one, other]);
  });
});
