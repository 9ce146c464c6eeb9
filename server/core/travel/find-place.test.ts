import { describe, expect, it } from 'vitest';
import { aLog, type LogBuilder } from '@/server/core/projection/log-builder';
import { findPlace } from './find-place';
import { planRevert } from './plan-revert';

const placeOf = (story: LogBuilder, id: string) => {
  const found = findPlace(story.log(), story.branch, id);
  return found && { onPath: found.onPath, tip: found.tip };
};
const endOf = (story: LogBuilder) => story.state().path.at(-1)?.id ?? '';
const newestCheckpoint = (story: LogBuilder) => story.state().checkpoint?.event.id ?? '';

/** Goes back by the plan itself. */
function revert(story: LogBuilder, itemId: string | null): LogBuilder {
  const planned = planRevert({ log: story.log(), state: story.state(), itemId, by: 'ada' });
  if (!planned.ok) throw new TypeError(planned.text);
  for (const event of planned.events) story.appends(event);
  return story;
}

const aTalk = () => aLog().session().says('one').replies('two').ends().says('three').replies('four').ends();

describe('where a thing that was found stands (X9)', () => {
  it('contract-2: on the path its end is where the head stands; what was left ends where it was left', () => {
    const story = aTalk().plan(['measure']);
    const [two, three, four] = [story.itemId(2), story.itemId(3), story.itemId(4)];
    const left = endOf(story);
    expect(placeOf(story, two)).toEqual({ onPath: true, tip: left });
    revert(story, two);
    expect(placeOf(story, three)).toEqual({ onPath: false, tip: left });
    expect(placeOf(story, four)).toEqual({ onPath: false, tip: left });
    expect(placeOf(story, two)).toEqual({ onPath: true, tip: two });
    story.says('other').replies('way').ends();
    expect(placeOf(story, three)).toEqual({ onPath: false, tip: left });
    expect(placeOf(story, two)).toEqual({ onPath: true, tip: endOf(story) });
  });

  it('case-C07: a summary at the end of what was left is gone back to with it; one taken back is not', () => {
    const story = aTalk();
    const [two, three] = [story.itemId(2), story.itemId(3)];
    story.compacts({ text: 'Summary' });
    const summary = newestCheckpoint(story);
    const left = endOf(story);
    revert(story, two);
    expect(placeOf(story, three)).toEqual({ onPath: false, tip: left });
    expect(placeOf(story, summary)).toEqual({ onPath: false, tip: left });
    revert(story, left).appends({ type: 'checkpoint.reverted', checkpointId: summary, by: 'ada' });
    const taken = endOf(story);
    revert(story, two);
    expect(placeOf(story, three)).toEqual({ onPath: false, tip: taken });
    expect(placeOf(story, summary)).toEqual({ onPath: false, tip: taken });
  });

  it('case-C08: the end is that of the very branch it is on, whatever was left beside it later', () => {
    const story = aTalk();
    const [two, three] = [story.itemId(2), story.itemId(3)];
    revert(story, two).says('second').replies('try').ends();
    const [second, attempt] = [story.itemId(3), endOf(story)];
    revert(story, two).says('third').replies('try').ends();
    expect(placeOf(story, second)).toEqual({ onPath: false, tip: attempt });
    expect(placeOf(story, three)?.tip).not.toBe(attempt);
  });

  it('L3: what a fork says is no place of its parent, nor the end of one', () => {
    const story = aTalk();
    const parent = story.branch;
    const [two, left] = [story.itemId(2), endOf(story)];
    story.forks(2).says('in the fork').replies('yes').ends();
    const inFork = story.itemId(3);
    expect(placeOf(story, two)).toEqual({ onPath: true, tip: endOf(story) });
    story.on(parent);
    expect(placeOf(story, inFork)).toBeNull();
    expect(placeOf(story, two)).toEqual({ onPath: true, tip: left });
  });

  it('contract-2: a message that waits stands nowhere yet', () => {
    const story = aTalk();
    story.queues('later');
    const waiting = story.state().queue[0]?.id ?? '';
    expect(waiting).not.toBe('');
    expect(placeOf(story, waiting)).toBeNull();
    expect(placeOf(story, 'no such id')).toBeNull();
  });
});
