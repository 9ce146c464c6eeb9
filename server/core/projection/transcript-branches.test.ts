import { describe, expect, it } from 'vitest';
import { aLog, type LogBuilder } from './log-builder';
import { projectTranscript } from './transcript';

const metadataOf = (story: LogBuilder, id: string) => {
  const message = projectTranscript(story.state(), story.log()).find((one) => one.id === id);
  return message?.role === 'user' || message?.role === 'assistant' ? message.metadata : expect.fail(`no ${id}`);
};

describe('branches of a conversation', () => {
  it('contract 17: every alternative says its newest end, however its own branches were made', () => {
    const story = aLog().says('one').replies('two');
    const { id: two, point } = story.item(2);
    story.says('three').replies('four').reverts(2).says('three, again').replies('four, again');
    const newestOfTwo = story.itemId(4);
    story.reverts(1).continues().replies('two, again');
    const again = story.itemId(2);
    expect(metadataOf(story, again).alternatives).toEqual({ index: 1, ids: [two, again], tips: [newestOfTwo, again] });
    // Going on with the first one moves its end; the arrows of the other lead there.
    story.append('head.reverted', { to: point, item: two, from: story.state().head, by: 'ada' });
    story.says('five');
    const five = story.state().items.at(-1)?.id ?? '';
    expect(metadataOf(story, two).alternatives).toEqual({ index: 0, ids: [two, again], tips: [five, again] });
  });

  it('L4: an item says what a revert to it left, until that is undone; a revert forward leaves nothing behind', () => {
    const story = aLog().says('one').replies('two').says('three').replies('four');
    const two = story.itemId(2);
    const { id: four, point } = story.item(4);
    story.reverts(2);
    expect(metadataOf(story, two).left).toMatchObject([{ itemId: four, items: 2 }]);
    story.rollsBack();
    expect(metadataOf(story, two).left).toBeUndefined();
    story.reverts(2).append('head.reverted', { to: point, item: four, from: story.state().head, by: 'ada' });
    expect(metadataOf(story, two).left).toBeUndefined();
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
