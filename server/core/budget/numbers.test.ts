import { describe, expect, it } from 'vitest';
import { calibrateBytesPerToken, fitsWindow } from './calibrate';
import { toFloorParts } from './floor';
import { capFor, type NumberSettings, planNumbers, planSummaryCap, planTailBound, weighKeep } from './numbers';
import { estimateThriftyTrigger, planThriftyTrigger } from './thrifty';

const settings: NumberSettings = {
  preset: 'roomy',
  triggerRatio: 0.85,
  tailRatio: 0.2,
  lowMarkRatio: 0.6,
  carryBoundBytes: 4_096,
  resultCapBytes: 16_384,
};
const floor = { promptBytes: 6_000, toolsBytes: 3_000, planBytes: 500, carryBytes: 500 };
const plan = (budgetBytes: number, over: Partial<NumberSettings> = {}, thriftyTriggerBytes: number | null = null) =>
  planNumbers({ budgetBytes, floor, settings: { ...settings, ...over }, thriftyTriggerBytes });

describe('the numbers (contract 7)', () => {
  it('B2: room is the budget minus prompt, tools, plan block and carry-overs', () => {
    expect(plan(400_000)).toMatchObject({ floorBytes: 10_000, roomBytes: 390_000, floorTooLarge: false });
  });

  it('C1: the trigger is 0.85 of the room, commit budget and low mark 0.6 of the trigger', () => {
    expect(plan(400_000)).toMatchObject({ triggerBytes: 331_500, commitBytes: 198_900, lowMarkBytes: 198_900 });
  });

  it('case-A01: a floor over 85 % of the budget is too large, and its parts are named with their sizes', () => {
    expect(plan(11_764).floorTooLarge).toBe(true);
    expect(plan(11_766).floorTooLarge).toBe(false);
    const sections = [
      { name: 'Application', bytes: 4_000, source: { kind: 'application' as const, id: null, version: 1 } },
      { name: 'Skill: pdf', bytes: 2_000, source: { kind: 'skill' as const, id: null, version: 1 } },
    ];
    expect(toFloorParts(floor, sections)).toEqual([
      { part: 'application', bytes: 4_000 },
      { part: 'skills', bytes: 2_000 },
      { part: 'tools', bytes: 3_000 },
      { part: 'plan', bytes: 500 },
      { part: 'carry_overs', bytes: 500 },
    ]);
  });

  it('B2: a room that the floor has eaten is negative; the trim still works with 1,000 bytes', () => {
    expect(plan(9_000)).toMatchObject({ roomBytes: -1_000, trimRoomBytes: 1_000, lowMarkBytes: 510 });
  });

  it('M4: the result cap is the setting, at most 15 % of the room, at least 1,024', () => {
    expect(capFor(390_000, 16_384)).toBe(16_384);
    expect(capFor(20_000, 16_384)).toBe(3_000);
    expect(capFor(1_000, 16_384)).toBe(1_024);
    expect(capFor(-5, 16_384)).toBe(1_024);
  });

  it('B3: the first message may take a tenth of the room, at least 400 bytes', () => {
    expect(plan(400_000).firstMessageCapBytes).toBe(39_000);
    expect(plan(12_000).firstMessageCapBytes).toBe(400);
  });

  it('K1: carry-overs are bound by the setting and a tenth of what prompt and tools leave', () => {
    expect(plan(400_000).carryBoundBytes).toBe(4_096);
    expect(plan(29_000).carryBoundBytes).toBe(2_000);
  });

  it('C8: the summary cap is 15 % of the room between 1,500 and 32,000, and never more than commit has left', () => {
    expect(planSummaryCap(plan(400_000), 0)).toBe(32_000);
    expect(planSummaryCap(plan(60_000), 0)).toBe(7_500);
    const small = plan(18_000);
    expect(small.commitBytes).toBe(4_080);
    expect(planSummaryCap(small, 0)).toBe(1_500);
    expect(planSummaryCap(small, 2_000)).toBe(4_080 - 2_000 - 900);
  });

  it('C8: under 600 bytes of summary no compaction starts', () => {
    expect(planSummaryCap(plan(12_500), 0)).toBe(925);
    expect(planSummaryCap(plan(11_700), 400)).toBeNull();
  });

  it('C14: keep weighs as shown, for at most half of the commit budget', () => {
    expect(weighKeep(1_000, { commitBytes: 4_000 })).toBe(1_000);
    expect(weighKeep(9_000, { commitBytes: 4_000 })).toBe(2_000);
  });

  it('C2: the tail is a fifth of the room where the commit budget has it', () => {
    const numbers = plan(400_000);
    const bound = planTailBound({ numbers, settings, keepBytes: 0, summaryCapBytes: 32_000, newestItemsBytes: 0 });
    expect(bound).toEqual({ bytes: 78_000, aloneBytes: 198_900 - 32_000 - 4_096 });
  });

  it('C15: thrifty keeps 16,000 bytes or the newest 20 items, at most 0.4 of commit', () => {
    const numbers = plan(400_000);
    const thrifty = { ...settings, preset: 'thrifty' as const };
    const tail = (newestItemsBytes: number) =>
      planTailBound({ numbers, settings: thrifty, keepBytes: 0, summaryCapBytes: 32_000, newestItemsBytes }).bytes;
    expect([tail(1_000), tail(50_000), tail(500_000)]).toEqual([16_000, 50_000, 79_560]);
  });

  it('C15: the thrifty trigger is h*, at least 32,000 and never above the roomy one', () => {
    const at = (hStar: number) => plan(400_000, { preset: 'thrifty' }, hStar).triggerBytes;
    expect([at(1_000), at(112_000), at(900_000)]).toEqual([32_000, 112_000, 331_500]);
    expect(plan(400_000, { preset: 'thrifty' }, null).triggerBytes).toBe(331_500);
  });

  it('C15: h* is the formula of performance.md D', () => {
    const tokens = { l: 8_000, system: 4_000, added: 1_000, summary: 1_500 };
    const expected =
      tokens.l + Math.sqrt(((2 * tokens.added) / 0.1) * (1.25 * (8_000 - 4_000) + 0.1 * 8_000 + 5 * 1_500));
    const bytes = planThriftyTrigger({
      systemBytes: 8_000,
      afterCutBytes: 16_000,
      newBytesPerCall: 2_000,
      summaryBytes: 3_000,
      bytesPerToken: null,
      prices: null,
    });
    expect(bytes).toBe(Math.floor(expected * 2));
  });
});

describe('the thrifty trigger of a conversation (C15)', () => {
  const conversation = {
    items: Array.from({ length: 40 }, (_, n) => ({ viewBytes: 1_000, isReply: n % 2 === 1 })),
    systemBytes: 8_000,
    floorBytes: 9_000,
    roomBytes: 390_000,
    summaryBytes: null,
    bytesPerToken: null,
    prices: null,
  };

  it('C15: goes by what a call has added so far, the newest items and the last summary', () => {
    expect(estimateThriftyTrigger(conversation)).toBe(
      planThriftyTrigger({ ...conversation, summaryBytes: 3_000, afterCutBytes: 32_000, newBytesPerCall: 2_000 }),
    );
  });

  it('C15: is not guessed before a model has said anything', () => {
    expect(estimateThriftyTrigger({ ...conversation, items: [] })).toBeNull();
  });
});

describe('bytes a token and windows (contract 7)', () => {
  const usage = { measureBytes: 40_000, inputTokens: 10_000 };

  it('B1: two until three usages are known, then 0.95 of the mean', () => {
    expect(calibrateBytesPerToken([usage, usage])).toBe(2);
    expect(calibrateBytesPerToken([usage, usage, usage])).toBeCloseTo(3.8);
  });

  it('B1: kept within 1 and 6; a usage without tokens teaches nothing', () => {
    expect(calibrateBytesPerToken(Array(3).fill({ measureBytes: 10_000, inputTokens: 12_000 }))).toBe(1);
    expect(calibrateBytesPerToken(Array(3).fill({ measureBytes: 90_000, inputTokens: 9_000 }))).toBe(6);
    expect(calibrateBytesPerToken(Array(3).fill({ measureBytes: 90_000, inputTokens: 0 }))).toBe(2);
  });

  it('case-D06: tokens that cannot be those of the bytes are not counted with', () => {
    for (const inputTokens of [1, 90_000 * 5]) {
      expect(calibrateBytesPerToken(Array(3).fill({ measureBytes: 90_000, inputTokens }))).toBe(2);
    }
  });

  it('R1: request and ceiling must fit; without a ceiling a twentieth is kept free', () => {
    const fit = { measureBytes: 16_000, bytesPerToken: 2, windowTokens: 10_000 };
    expect(fitsWindow({ ...fit, ceilingTokens: 2_000 })).toBe(true);
    expect(fitsWindow({ ...fit, ceilingTokens: 2_001 })).toBe(false);
    expect(fitsWindow({ ...fit, measureBytes: 19_000, ceilingTokens: null })).toBe(true);
    expect(fitsWindow({ ...fit, measureBytes: 19_001, ceilingTokens: null })).toBe(false);
    expect(fitsWindow({ ...fit, measureBytes: 9_000_000, windowTokens: null, ceilingTokens: null })).toBe(true);
  });
});
