import { describe, expect, it } from 'vitest';
import { aLog, type LogBuilder } from '@/server/core/projection/log-builder';
import { NO_PROMPT, projectView } from '@/server/core/projection/model-view';
import { compareViews } from './compare-views';
import { planExpand, planFold, planUndo } from './plan-checkpoint';
import { planUntrim } from './plan-untrim';
import type { TravelPlan } from './travel-plan';

const eventsOf = (plan: TravelPlan) => (plan.ok ? plan.events : expect.fail(plan.text));
const travel = (story: LogBuilder, plan: TravelPlan) => {
  for (const event of eventsOf(plan)) story.appends(event);
  return story;
};
const inForce = (story: LogBuilder) => story.state().checkpoint?.event ?? null;
const undo = (story: LogBuilder, compactionId: string) => planUndo({ state: story.state(), compactionId, by: 'ada' });
const range = (story: LogBuilder, from: number, through: number) => ({
  state: story.state(),
  compactionId: inForce(story)?.compactionId ?? '',
  from: story.itemId(from),
  through: story.itemId(through),
});

/** Two questions, the second answered with a batch of two calls, then a third. */
const aTalk = () =>
  aLog()
    .says('one')
    .replies('two')
    .says('three')
    .batch([
      { name: 'read_file', result: 'A' },
      { name: 'read_file', result: 'B' },
    ])
    .replies('seven')
    .says('eight')
    .replies('nine');

describe('undo of a summary (X5)', () => {
  it('X5: only the newest in force; then the one before it is the newest; later turns stay, the newer prompt too', () => {
    const story = aTalk().compacts({ covers: 2 });
    const first = inForce(story);
    story.compacts({ covers: 7 });
    const second = inForce(story);
    story.says('ten').replies('eleven');
    const kept = story.state().keptPrompt;
    expect(undo(story, first?.id ?? '')).toMatchObject({ code: 'conflict', details: { newer: [second?.id] } });
    travel(story, undo(story, second?.compactionId ?? ''));
    expect(inForce(story)?.id).toBe(first?.id);
    expect([story.state().items.length, story.state().keptPrompt]).toEqual([11, kept]);
    expect(undo(story, second?.id ?? '')).toMatchObject({ code: 'conflict' });
    travel(story, undo(story, first?.id ?? ''));
    expect(inForce(story)).toBeNull();
  });

  it('X5: items come back with their masks and caps, as if it had never been', () => {
    const story = aLog().says('one').calls('read_file', {}, 'text').masks().ends();
    const view = () => projectView({ state: story.state(), prompt: NO_PROMPT, model: null, moment: 'entry' }).entries;
    const before = JSON.stringify(view());
    story.compacts();
    expect(JSON.stringify(view())).not.toBe(before);
    travel(story, undo(story, inForce(story)?.id ?? ''));
    expect(JSON.stringify(view())).toBe(before);
  });

  it('X5: a summary that is not on the path, and one of nobody, are not there', () => {
    const story = aTalk().compacts();
    const id = inForce(story)?.id ?? '';
    story.reverts(2);
    expect(undo(story, id)).toMatchObject({ code: 'not_found' });
    expect(undo(story, story.branch)).toMatchObject({ code: 'not_found' });
  });

  it('contract 2: refused while a compaction runs', () => {
    const story = aTalk().compacts();
    const id = inForce(story)?.id ?? '';
    story.triesToCompact();
    expect(undo(story, id)).toMatchObject({ code: 'conflict' });
  });
});

describe('expand and fold (X5)', () => {
  it('X5: a range grows to whole groups, so that no call parts from its result', () => {
    const story = aTalk().compacts({ covers: 7 });
    const [event] = eventsOf(planExpand(range(story, 5, 5)));
    expect(event).toMatchObject({ type: 'checkpoint.expanded', from: story.itemId(4), through: story.itemId(6) });
    const [wider] = eventsOf(planExpand(range(story, 3, 5)));
    expect(wider).toMatchObject({ from: story.itemId(3), through: story.itemId(6) });
  });

  it('X5: shown once and taken back in part; again is refused; the sizes are those the view then has', () => {
    const story = aTalk().compacts({ covers: 7 });
    const bytes = () => projectView({ state: story.state(), prompt: NO_PROMPT, model: null, moment: 'entry' }).bytes;
    const compare = (plan: TravelPlan) =>
      compareViews({ log: story.log(), state: story.state(), events: eventsOf(plan), prompt: NO_PROMPT, model: null });
    const before = bytes();
    const expand = planExpand(range(story, 3, 7));
    const sizes = compare(expand);
    travel(story, expand);
    expect(sizes).toEqual({ beforeBytes: before, afterBytes: bytes() });
    expect(sizes.afterBytes).toBeGreaterThan(before);
    expect(planExpand(range(story, 4, 6))).toMatchObject({ code: 'conflict' });
    travel(story, planFold(range(story, 5, 5)));
    expect(story.state().checkpoint?.expanded).toEqual([
      { from: story.itemId(3), through: story.itemId(3) },
      { from: story.itemId(7), through: story.itemId(7) },
    ]);
    expect(planFold(range(story, 4, 6))).toMatchObject({ code: 'conflict' });
    travel(story, planFold(range(story, 1, 7)));
    expect([story.state().checkpoint?.expanded, bytes()]).toEqual([[], before]);
  });

  it('X5: only what the summary in force covers, from before through', () => {
    const story = aTalk().compacts({ covers: 7 });
    expect(planExpand(range(story, 7, 8))).toMatchObject({ code: 'conflict' });
    expect(planExpand(range(story, 4, 3))).toMatchObject({ code: 'invalid_request' });
    expect(planExpand({ ...range(story, 1, 2), through: story.branch })).toMatchObject({ code: 'not_found' });
    expect(planFold(range(story, 1, 2))).toMatchObject({ code: 'conflict' });
  });
});

it('B6: a person takes back a trim in force, once; another is not there', () => {
  const story = aTalk().trims({ 5: 'stub' });
  const [trim] = story.state().trims;
  const planned = planUntrim(story.state(), trim?.id ?? '');
  expect(planned).toMatchObject({ events: [{ type: 'view.untrimmed', why: 'person' }] });
  travel(story, planned);
  expect(story.state().trimActions.size).toBe(0);
  expect(planUntrim(story.state(), trim?.id ?? '')).toMatchObject({ code: 'conflict' });
  expect(planUntrim(story.state(), story.branch)).toMatchObject({ code: 'not_found' });
});
