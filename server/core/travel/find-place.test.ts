import { describe, expect, it } from 'vitest';
import { aLog, type LogBuilder } from '@/server/core/projection/log-builder';
import { findPlace } from './find-place';
import { planRevert } from './plan-revert';

const placeOf = (story: LogBuilder, id: string) => {
  const found = findPlace(story.log(), story.branch, id);
  return found && { onPath: found.onPath, tip: found.tip };
};
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
  it('contract-2: on the path its end is the newest item; what was left ends where it was left', () => {
    const story = aTalk();
    const [two, three, four] = [story.itemId(2), story.itemId(3), story.itemId(4)];
    expect(placeOf(story, two)).toEqual({ onPath: true, tip: four });
    revert(story, two);
    expect(placeOf(story, three)).toEqual({ onPath: false, tip: four });
    expect(placeOf(story, four)).toEqual({ onPath: false, tip: four });
    expect(placeOf(story, two)).toEqual({ onPath: true, tip: four });
    story.says('other').replies('way').ends();
    expect(placeOf(story, three)).toEqual({ onPath: false, tip: four });
    expect(placeOf(story, two)).toEqual({ onPath: true, tip: story.itemId(4) });
  });

  it('case-C07: a summary at the end of what was left is gone back to with it; one taken back is not', () => {
    const story = aTalk();
    const [two, three, four] = [story.itemId(2), story.itemId(3), story.itemId(4)];
    story.compacts({ text: 'Summary' });
    const summary = newestCheckpoint(story);
    revert(story, two);
    expect(placeOf(story, three)).toEqual({ onPath: false, tip: summary });
    expect(placeOf(story, summary)).toEqual({ onPath: false, tip: summary });
    revert(story, summary).appends({ type: 'checkpoint.reverted', checkpointId: summary, by: 'ada' });
    revert(story, two);
    expect(placeOf(story, three)).toEqual({ onPath: false, tip: four });
    expect(placeOf(story, summary)).toEqual({ onPath: false, tip: summary });
  });

  it('case-C08: the end is that of the very branch it is on, whatever was left beside it later', () => {
    const story = aTalk();
    const [two, three] = [story.itemId(2), story.itemId(3)];
    revert(story, two).says('second').replies('try').ends();
    const [second, attempt] = [story.itemId(3), story.itemId(4)];
    revert(story, two).says('third').replies('try').ends();
    expect(placeOf(story, second)).toEqual({ onPath: false, tip: attempt });
    expect(placeOf(story, three)?.tip).not.toBe(attempt);
  });

  it('L3: what a fork says is no place of its parent, nor the end of one', () => {
    const story = aTalk();
    const parent = story.branch;
    const [two, four] = [story.itemId(2), story.itemId(4)];
    story.forks(2).says('in the fork').replies('yes').ends();
    const inFork = story.itemId(3);
    expect(placeOf(story, two)).toEqual({ onPath: true, tip: story.itemId(4) });
    story.on(parent);
    expect(placeOf(story, inFork)).toBeNull();
    expect(placeOf(story, two)).toEqual({ onPath: true, tip: four });
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
