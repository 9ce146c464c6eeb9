import { describe, expect, it } from 'vitest';
import { aLog } from '@/server/core/projection/log-builder';
import { NO_PROMPT, projectView } from '@/server/core/projection/model-view';
import { planRevert } from '@/server/core/travel/plan-revert';
import { planRollback } from '@/server/core/travel/plan-rollback';

/** The sentences about older formats are in `log/version-0.test.ts`, the one about the first model call in `session/travel-plan.test.ts`. */
const eventsOf = (plan: ReturnType<typeof planRevert>) => (plan.ok ? plan.events : expect.fail(plan.text));

describe('L5, sentence by sentence', () => {
  const aTalk = () => aLog().says('one').plan(['[>] a', '[ ] b']).replies('two').says('three').replies('four');
  const shown = (story: ReturnType<typeof aTalk>) =>
    JSON.stringify(projectView({ state: story.state(), prompt: NO_PROMPT, model: null, moment: 'entry' }).entries);

  it('L5: each change is an event bound to the item boundary at which it was made', () => {
    const story = aTalk().plan(['[x] a', '[ ] b']);
    const set = story.events().flatMap((event) => (event.type === 'plan.set' ? [event.after] : []));
    expect(set).toEqual([story.itemId(1), story.itemId(4)]);
    story.append('plan.set', { items: [], by: 'person', after: story.itemId(2) });
    expect(story.log().violations.map(({ rule }) => rule)).toEqual([11]);
    expect(story.state().plan?.items.length).toBe(2);
  });

  it('L5: empty and completed plans persist though their block is not displayed', () => {
    const done = aTalk().plan(['[x] a', '[x] b']);
    expect([done.state().plan?.items.length, shown(done).includes('<plan')]).toEqual([2, false]);
    const empty = aTalk().plan([]);
    expect([empty.state().plan?.items, shown(empty).includes('<plan')]).toEqual([[], false]);
    expect(shown(aTalk()).includes('<plan')).toBe(true);
  });

  it.each([
    ['empty', []],
    ['completed', ['[x] a', '[x] b']],
  ])(
    'L5: at an earlier item applies the plan of there; a rollback restores the exact prior one, %s',
    (_name, lines) => {
      const story = aTalk().plan(lines).says('five').replies('six');
      const { plan } = story.state();
      const [earlier, late] = [story.itemId(2), story.itemId(5)];
      const revert = (itemId: string) =>
        eventsOf(planRevert({ log: story.log(), state: story.state(), itemId, by: 'a' }));
      for (const event of revert(earlier)) story.appends(event);
      expect(story.state().plan?.items.map(({ status }) => status)).toEqual(['active', 'pending']);
      for (const event of eventsOf(planRollback(story.log(), story.state(), 'a'))) story.appends(event);
      expect(story.state().plan).toEqual(plan);
      for (const event of revert(late)) story.appends(event);
      expect(story.state().plan).toEqual(plan);
      story.on(story.branch).forks(5);
      expect(story.state().plan).toEqual(plan);
    },
  );

  it('L5: "at an item" is the path up to it: a plan set after it, though before the next, is not included', () => {
    const story = aTalk().plan(['[x] a', '[ ] b']);
    story.reverts(4);
    expect(story.state().plan?.items.map(({ status }) => status)).toEqual(['active', 'pending']);
  });

  it('L5: branches carry references alone: no plan is written by a fork, a revert or a rollback', () => {
    const story = aTalk();
    const count = () => story.events().filter(({ type }) => type === 'plan.set').length;
    const before = count();
    story.reverts(1).rollsBack().forks(2).reverts(1).rollsBack();
    expect([count(), story.state().plan?.items.length]).toEqual([before, 2]);
  });

  it('L5: a log without any plan has none, whatever its summary says', () => {
    const story = aLog().says('one').replies('two').compacts({ text: '<plan done="0" of="1">\n[>] guess me\n</plan>' });
    expect(story.state().plan).toBeNull();
    expect(shown(story)).not.toContain('<plan');
  });
});
