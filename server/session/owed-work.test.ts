import { describe, expect, it } from 'vitest';
import { AppError } from '@/server/contract/error';
import { createOwedWork } from './owed-work';

/** Timers that fire when the test says so. */
function newDesk() {
  const waiting: (() => void)[] = [];
  const disk = { isFull: true };
  const made: string[] = [];
  const make = (sessionId: string) => {
    if (disk.isFull) throw new AppError('storage_full', 'full');
    made.push(sessionId);
  };
  const owed = createOwedWork({
    startTimer: (_ms, fire) => {
      waiting.push(fire);
      return () => undefined;
    },
    wake: async (sessionId) => make(sessionId),
  });
  const fire = async () => {
    for (const each of waiting.splice(0)) each();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { disk, made, make, owed, fire };
}

describe('L8, rel-S9: a job that the disk would not take', () => {
  it('is asked for again until it is made, once', async () => {
    const { disk, made, make, owed, fire } = newDesk();
    owed.ask('one', () => make('one'));
    owed.ask('one', () => make('one'));
    await fire();
    expect(made).toEqual([]);
    disk.isFull = false;
    await fire();
    await fire();
    expect(made).toEqual(['one']);
  });

  it('is not owed where something else was wrong', () => {
    const { owed } = newDesk();
    const broken = () => {
      throw new AppError('not_found', 'gone');
    };
    expect(() => owed.ask('one', broken)).toThrow('gone');
  });
});
