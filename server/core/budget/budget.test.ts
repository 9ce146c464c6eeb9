import { describe, expect, it } from 'vitest';
import { chooseBudget, planBudget } from './budget';

const known = (windowTokens: number | null, chosenBytes: number | null = null) => ({ windowTokens, chosenBytes });

describe('the budget (B1)', () => {
  it('B1: unset, it is 400,000 bytes or two bytes a token, whichever is less', () => {
    expect(planBudget([known(1_000_000)])).toMatchObject({ bytes: 400_000, basis: 'rule' });
    expect(planBudget([known(8_000)])).toMatchObject({ bytes: 16_000, basis: 'rule' });
  });

  it('B1: it is taken for the chain: the smallest of its models', () => {
    expect(planBudget([known(200_000), known(32_000), known(128_000)])).toMatchObject({ bytes: 64_000, setBy: 1 });
  });

  it('B1: a chosen budget above two bytes a token is passed over for that model, and named', () => {
    expect(planBudget([known(8_000, 100_000)])).toEqual({ bytes: 16_000, setBy: 0, basis: 'rule', passedOver: [0] });
    expect(planBudget([known(300_000, 1_000_000)])).toMatchObject({ bytes: 400_000, passedOver: [0] });
    expect(planBudget([known(200_000, 100_000)])).toMatchObject({ bytes: 100_000, basis: 'chosen', passedOver: [] });
  });

  it('B1: the cascade is the model, then session, agent, installation', () => {
    const all = { model: 1, session: 2, agent: 3, installation: 4 };
    expect(chooseBudget(all)).toBe(1);
    expect(chooseBudget({ ...all, model: null })).toBe(2);
    expect(chooseBudget({ ...all, model: null, session: null })).toBe(3);
    expect(chooseBudget({ ...all, model: null, session: null, agent: null })).toBe(4);
    expect(chooseBudget({ model: null, session: null, agent: null, installation: null })).toBeNull();
  });

  it('case-A12: no window, nought or not a number is unknown: the stated default, marked as assumed', () => {
    for (const window of [null, 0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(planBudget([known(window)])).toMatchObject({ bytes: 400_000, basis: 'assumed' });
    }
    expect(planBudget([])).toMatchObject({ bytes: 400_000, basis: 'assumed' });
  });

  it('case-A12: every window of the case leaves a usable budget', () => {
    for (const window of [16_384, 4_096, 32_768]) expect(planBudget([known(window)]).bytes).toBe(2 * window);
  });
});
