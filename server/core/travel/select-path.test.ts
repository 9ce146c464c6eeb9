import { expect, it } from 'vitest';
import { aLog } from '@/server/core/projection/log-builder';
import { selectPath } from './select-path';

const aTalk = () => aLog().session().says('one').replies('two').ends();

it('contract 17: a path that is only looked at has nothing that waits or runs, which are the branch’s', () => {
  const waiting = aTalk().says('three').queues('later');
  const first = waiting.itemId(1);
  expect([waiting.state().openTurn === null, waiting.state().queue.length]).toEqual([false, 1]);
  expect(selectPath(waiting.log(), waiting.branch, first)).toMatchObject({
    items: [{ id: first }],
    queue: [],
    openTurn: null,
    parked: null,
  });
  const compacting = aTalk().triesToCompact();
  expect(compacting.state().openCompaction).not.toBeNull();
  expect(selectPath(compacting.log(), compacting.branch, compacting.itemId(1))?.openCompaction).toBeNull();
  expect(selectPath(compacting.log(), compacting.branch, '7ZZZZZZZZZZZZZZZZZZZ000000')).toBeNull();
});
