import { expect, it } from 'vitest';
import { aTalk, lines, linesOf, manageApps, transcript } from './testing/stories';

const newApp = manageApps();

it('L5: resuming a head restores the block and the tool’s list before the first model call, after a restart too', async () => {
  const test = await newApp();
  const id = await aTalk(test);
  await test.say(id, 'plan one; two');
  const early = (await transcript(test, id)).at(-1)?.id ?? '';
  await test.app.small.setPlan(id, []);
  await test.say(id, 'help');
  expect((await test.app.small.plan(id)).items).toEqual([]);

  await test.app.travel.revert(id, early, 'owner');
  const again = await newApp({ sessionLog: test.sessionLog });
  await again.app.rebuildIndex();
  const { items } = await again.app.small.plan(id);
  expect(items.map(({ text }) => text)).toEqual(['one', 'two']);
  const { entries } = await again.app.sessions.context(id, true);
  expect(entries.at(-1)?.kind).toBe('plan');

  // The tool edits the list of this head: what stays keeps its id.
  await again.say(id, 'done 1');
  const now = (await again.app.small.plan(id)).items;
  expect(now.map((item) => item.id)).toEqual(items.map((item) => item.id));
  expect(now.map(({ status }) => status)).toContain('done');
});

it('L5: each change appends one event bound to its item boundary: before its result by the model, after the newest item by a person', async () => {
  const test = await newApp();
  const id = await aTalk(test);
  await test.say(id, 'plan one; two');
  await test.app.small.setPlan(id, []);
  const [byModel, byPerson] = await linesOf(test, id, 'plan.set');
  const [call, result, reply] = (await transcript(test, id)).slice(1);
  expect([byModel?.by, byModel?.after, byPerson?.by, byPerson?.after]).toEqual([
    'model',
    call?.id,
    'person',
    reply?.id,
  ]);
  const order = (await lines(test, id)).map((event) => event.id);
  expect(order.indexOf(byModel?.id ?? '')).toBe(order.indexOf(result?.id ?? '') - 1);
});
