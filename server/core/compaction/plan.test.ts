import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type NumberSettings, type Numbers, planNumbers } from '@/server/core/budget/numbers';
import { aLog } from '@/server/core/projection/log-builder';
import { legalCuts } from '@/server/core/projection/responded';
import type { SessionState } from '@/server/core/projection/state-shape';
import { chooseAutomaticCut } from './cut';
import { type CompactionGo, type PlanRequest, planCompaction } from './plan';
import { measureItems } from './source';

const settings: NumberSettings = {
  preset: 'roomy',
  triggerRatio: 0.85,
  tailRatio: 0.2,
  lowMarkRatio: 0.6,
  carryBoundBytes: 4_096,
  resultCapBytes: 16_384,
};
const noFloor = { promptBytes: 0, toolsBytes: 0, planBytes: 0, carryBytes: 0 };
const numbersOf = (budgetBytes: number, floor = noFloor): Numbers =>
  planNumbers({ budgetBytes, floor, settings, thriftyTriggerBytes: null });

const request: PlanRequest = {
  trigger: 'auto',
  upToItemId: null,
  keepTail: false,
  settings,
  minSourceBytes: 1_000,
  model: null,
  disk: new Map(),
  tailLimitBytes: null,
};

function go(state: SessionState, numbers: Numbers, fields: Partial<PlanRequest> = {}): CompactionGo {
  const plan = planCompaction(state, numbers, { ...request, ...fields });
  if (plan.kind !== 'go') throw new TypeError(`planned ${plan.kind}`);
  return plan;
}

/** `turns` exchanges of about 1,000 bytes a message. */
function talk(turns: number, log = aLog()) {
  for (let turn = 1; turn <= turns; turn += 1)
    log.says(`question ${turn} ${'q'.repeat(820)}`).replies(`answer ${'a'.repeat(820)}`);
  return log;
}

describe('the cut of an automatic compaction (C2)', () => {
  it('C2: keeps the longest suffix of whole groups within 20 % of the room', () => {
    const state = talk(10).says('now').state();
    const plan = go(state, numbersOf(20_000));
    expect(plan.tailBytes).toBeLessThanOrEqual(4_000);
    expect(plan.tail.at(-1)?.id).toBe(state.items.at(-1)?.id);
    expect(plan.throughNumber + plan.tail.length).toBe(21);
    const longer = state.items.slice(plan.throughNumber - 1);
    expect(measureItems(state, longer, null)).toBeGreaterThan(4_000);
    expect(plan.covers).toMatchObject({ from: state.items[0]?.id, items: plan.throughNumber });
  });

  it('C2: a call never parts from its results, nor a batch from itself', () => {
    const log = talk(3).says('look');
    log.batch([
      { name: 'read_file', result: 'x'.repeat(1_500) },
      { name: 'read_file', result: 'y'.repeat(1_500) },
    ]);
    const state = log.calls('read_file', {}, 'z'.repeat(500)).state();
    for (let budget = 8_000; budget < 40_000; budget += 500) {
      const plan = planCompaction(state, numbersOf(budget), request);
      if (plan.kind === 'go') expect(plan.tail[0]?.event.type).not.toBe('tool.result');
    }
  });

  it('C4: a newest group above the tail bound stands alone while it fits; else everything is folded', () => {
    const short = { settings: { ...settings, tailRatio: 0.05 } };
    const alone = talk(4).says('look').calls('read_file', {}, 'x'.repeat(2_000)).state();
    const plan = go(alone, numbersOf(20_000), short);
    expect(plan.tailBytes).toBeGreaterThan(1_000);
    expect(plan.tail.map((item) => item.event.type)).toEqual(['message.assistant', 'tool.result']);
    const huge = talk(4).says('look').calls('read_file', {}, 'x'.repeat(9_000)).state();
    const folded = go(huge, numbersOf(20_000));
    expect(folded.tail).toEqual([]);
    expect(folded.throughNumber).toBe(huge.items.length);
  });

  it('C14: the message being answered is kept when the cut lies behind it, and the first one always', () => {
    const state = talk(4).says('the running question').calls('read_file', {}, 'x'.repeat(9_000)).state();
    const plan = go(state, numbersOf(20_000));
    expect(plan.keep.items.map((item) => item.number)).toEqual([1, 9]);
    expect(plan.keepBytes).toBe(plan.keep.bytes);
  });

  it('C14, case-A08: a long first message is kept capped, two thirds head, one third tail', () => {
    const log = aLog()
      .says(`Hard rule: do NOT rename. ${'f'.repeat(5_000)} END`)
      .replies('ok');
    const state = talk(6, log).says('now').state();
    const plan = go(state, numbersOf(20_000));
    expect(plan.keep.firstCap).toEqual({ headBytes: 1_333, tailBytes: 666 });
    expect(plan.keep.bytes).toBeLessThan(2_600);
  });

  it('C14: the first message stays whole while it is the one being answered', () => {
    const state = aLog()
      .says('f'.repeat(3_000))
      .calls('a', {}, 'x'.repeat(3_000))
      .calls('a', {}, 'y'.repeat(100))
      .state();
    const plan = go(state, numbersOf(20_000));
    expect(plan.keep.items.map((item) => item.number)).toEqual([1]);
    expect(plan.keep.firstCap).toBeNull();
  });

  it('C5: what a summary covers is no source again, its text is', () => {
    const state = talk(8, talk(4).compacts()).says('now').state();
    const plan = go(state, numbersOf(20_000));
    expect(plan.source.items[0]?.number).toBe(9);
    expect(plan.source.previous?.id).toBe(state.checkpoint?.event.id);
    expect(plan.source.bytes).toBeGreaterThan(measureItems(state, plan.source.items, null));
    expect(plan.covers.from).toBe(state.items[0]?.id);
  });

  it('C2: the tail is a suffix of whole groups, and the cut a legal one, on any talk (law)', () => {
    const step = fc.constantFrom('says', 'replies', 'calls', 'batch', 'fails');
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 4, maxLength: 30 }),
        fc.integer({ min: 3_000, max: 30_000 }),
        (steps, budget) => {
          const log = aLog().says('start');
          for (const [place, verb] of steps.entries()) {
            const text = 'x'.repeat(100 + ((place * 373) % 1_200));
            if (verb === 'says') log.says(text);
            else if (verb === 'replies') log.replies(text);
            else if (verb === 'fails') log.fails();
            else if (verb === 'calls') log.calls('read_file', {}, text);
            else
              log.batch([
                { name: 'a', result: text },
                { name: 'b', result: 'y' },
              ]);
          }
          const state = log.state();
          const choice = chooseAutomaticCut({
            state,
            numbers: numbersOf(budget),
            settings,
            model: null,
            tailLimitBytes: null,
          });
          expect(choice.tail).toEqual(state.items.slice(state.items.length - choice.tail.length));
          if (choice.through === 0) return;
          expect(legalCuts(state)).toContain(choice.through);
          expect(choice.through + choice.tail.length).toBe(state.items.length);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('C8: planned anew, the tail is shorter, down to none', () => {
    const state = talk(10).says('now').state();
    const first = go(state, numbersOf(20_000));
    const second = go(state, numbersOf(20_000), { tailLimitBytes: Math.floor(first.tailBytes / 2) });
    expect(second.tail.length).toBeLessThan(first.tail.length);
    expect(go(state, numbersOf(20_000), { tailLimitBytes: 0 }).tail).toEqual([]);
  });

  it('C1: trims hide nothing: sums and source are as if none were in force', () => {
    const log = talk(3).says('look').calls('read_file', {}, 'x'.repeat(2_000)).replies('seen').says('now');
    const before = go(log.state(), numbersOf(12_000));
    const after = go(log.trims({ 8: 'stub', 1: 'drop' }).state(), numbersOf(12_000));
    expect(after.source.fingerprint).toBe(before.source.fingerprint);
    expect(after.tailBytes).toBe(before.tailBytes);
  });

  it('R4: a mask makes another source', () => {
    const log = talk(3).says('look').calls('read_file', {}, 'x'.repeat(2_000));
    const whole = go(log.state(), numbersOf(12_000), { tailLimitBytes: 0 });
    const masked = go(log.masks().state(), numbersOf(12_000), { tailLimitBytes: 0 });
    expect(masked.source.fingerprint).not.toBe(whole.source.fingerprint);
  });
});

describe('the cut of a request (C3)', () => {
  it('C3: folds the whole responded history, whatever the budget; what is unanswered stays verbatim', () => {
    const state = talk(3).says('broken').fails().state();
    const plan = go(state, numbersOf(400_000), { trigger: 'manual' });
    expect(plan.throughNumber).toBe(6);
    expect(plan.tail).toEqual([]);
  });

  it('contract 17: up to an item means the legal cut at or before it', () => {
    const log = talk(2).says('look').calls('read_file', {}, 'x'.repeat(500)).replies('seen');
    const state = talk(1, log).state();
    const upTo = (number: number) =>
      go(state, numbersOf(400_000), { trigger: 'manual', upToItemId: log.itemId(number) });
    expect(upTo(7).throughNumber).toBe(7);
    expect(upTo(6).throughNumber).toBe(5);
    const unknown = planCompaction(state, numbersOf(400_000), { ...request, trigger: 'manual', upToItemId: '01J' });
    expect(unknown.kind).toBe('skip');
  });

  it('contract 19: with manual_keeps_tail the ordinary rule applies', () => {
    const state = talk(10).state();
    const plan = go(state, numbersOf(20_000), { trigger: 'manual', keepTail: true });
    expect(plan.tail.length).toBeGreaterThan(0);
  });

  it('contract 14: a parked turn is not responded and stays open', () => {
    const log = talk(3).says('write it').calls('write_file', {}, null).parks(['call_1']);
    expect(go(log.state(), numbersOf(400_000), { trigger: 'manual' }).throughNumber).toBe(6);
  });
});

describe('no compaction', () => {
  it('C3, case-A13: too short to summarise is skipped when asked for, and nothing otherwise', () => {
    const short = aLog().says('hi').replies('hello').state();
    expect(planCompaction(short, numbersOf(400_000), { ...request, trigger: 'manual' })).toEqual({ kind: 'skip' });
    expect(planCompaction(short, numbersOf(400_000), request)).toEqual({ kind: 'nothing' });
    const covered = talk(3).compacts().state();
    expect(planCompaction(covered, numbersOf(400_000), { ...request, trigger: 'manual' })).toEqual({ kind: 'skip' });
    expect(planCompaction(aLog().session().state(), numbersOf(400_000), request)).toEqual({ kind: 'nothing' });
  });

  it('C10: a long first turn compacts though nothing of it is responded yet', () => {
    const log = aLog().says('go');
    for (let call = 0; call < 12; call += 1) log.calls('read_file', {}, 'x'.repeat(1_000));
    expect(go(log.state(), numbersOf(12_000)).keep.items.map((item) => item.number)).toEqual([1]);
  });

  it('B2: a floor above 85 % of the budget is named, not compacted against', () => {
    const numbers = numbersOf(20_000, { ...noFloor, promptBytes: 17_001 });
    expect(planCompaction(talk(9).state(), numbers, request)).toEqual({ kind: 'floor_too_big' });
  });

  it('contract 7: where a summary could not have 600 bytes none is asked for', () => {
    expect(planCompaction(talk(9).state(), numbersOf(1_200), request)).toEqual({ kind: 'no_room' });
  });
});
