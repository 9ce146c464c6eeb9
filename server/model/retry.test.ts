import { describe, expect, it } from 'vitest';
import { type RetryCommand, startOfChain } from '@/server/core/turn/model-call';
import type { TroubleKind } from '@/server/ports/model';
import { CLOSED, isPassedOver, stepBreaker } from './breaker';
import { toTrouble } from './classify-error';
import { stepRetry } from './retry';

const A = { provider: 'a', model: 'one' };
const B = { provider: 'b', model: 'two' };
const POLICY = { tries: 3, retryAfterMaxMs: 60_000 };

/** Runs the policy over troubles in a row and returns what it ordered. */
function play(
  chain: readonly (typeof A)[],
  troubles: readonly (TroubleKind | { kind: TroubleKind; retryAfterMs: number })[],
  jitter = 0.5,
): RetryCommand[] {
  const commands: RetryCommand[] = [];
  let state = startOfChain(chain);
  for (const entry of troubles) {
    const trouble =
      typeof entry === 'string'
        ? toTrouble(entry, { text: '' })
        : { ...toTrouble(entry.kind, { text: '' }), retryAfterMs: entry.retryAfterMs };
    const step = stepRetry(state, { trouble, policy: POLICY, jitter });
    state = step.state;
    commands.push(step.command);
  }
  return commands;
}

describe('contract-10: retries of a model call', () => {
  it.each(['network', 'server', 'overload', 'rate_limit', 'stall'] as const)(
    '%s: three tries, 1 s and 4 s apart, then the next model, afresh',
    (kind) => {
      expect(play([A, B], [kind, kind, kind, kind])).toEqual([
        { do: 'wait', model: A, waitMs: 1_000 },
        { do: 'wait', model: A, waitMs: 4_000 },
        { do: 'advance', from: A, model: B },
        { do: 'wait', model: B, waitMs: 1_000 },
      ]);
    },
  );

  it('gives up when the chain is spent', () => {
    expect(play([A], ['overload', 'overload', 'overload']).at(-1)).toEqual({ do: 'give_up', why: 'exhausted' });
    expect(play([], ['overload'])).toEqual([{ do: 'give_up', why: 'exhausted' }]);
  });

  it('jitters by a fifth, either way', () => {
    expect(play([A], ['network'], 0).at(-1)).toMatchObject({ waitMs: 800 });
    expect(play([A], ['network'], 1).at(-1)).toMatchObject({ waitMs: 1_200 });
  });

  it('honours retry-after up to a minute; longer means the next model', () => {
    expect(play([A, B], [{ kind: 'rate_limit', retryAfterMs: 60_000 }]).at(-1)).toEqual({
      do: 'wait',
      model: A,
      waitMs: 60_000,
    });
    expect(play([A, B], [{ kind: 'rate_limit', retryAfterMs: 60_001 }]).at(-1)).toEqual({
      do: 'advance',
      from: A,
      model: B,
    });
    expect(play([A], [{ kind: 'rate_limit', retryAfterMs: 120_000 }]).at(-1)).toEqual({
      do: 'give_up',
      why: 'exhausted',
    });
  });

  it.each(['quota', 'auth'] as const)('%s: no second try, the next model', (kind) => {
    expect(play([A, B], [kind]).at(-1)).toEqual({ do: 'advance', from: A, model: B });
  });

  it.each(['refusal', 'invalid_request', 'context', 'too_large', 'incomplete', 'unknown'] as const)(
    '%s: neither another try nor another model',
    (kind) => {
      expect(play([A, B], [kind]).at(-1)).toEqual({ do: 'give_up', why: 'not_retryable' });
    },
  );

  it('C11: a stop ends it at once', () => {
    expect(play([A, B], ['cancelled']).at(-1)).toEqual({ do: 'give_up', why: 'cancelled' });
  });
});

describe('G4: a provider that failed three times in a row is passed over for 30 s', () => {
  const failed = [1, 2, 3].reduce((state) => stepBreaker(state, { ok: false, nowMs: 1_000 }), CLOSED);

  it('but never a model a person just chose', () => {
    expect(isPassedOver(failed, { nowMs: 30_999, chosenByPerson: false })).toBe(true);
    expect(isPassedOver(failed, { nowMs: 31_000, chosenByPerson: false })).toBe(false);
    expect(isPassedOver(failed, { nowMs: 2_000, chosenByPerson: true })).toBe(false);
  });

  it('and a success between them starts the count anew', () => {
    const mended = stepBreaker(stepBreaker(stepBreaker(CLOSED, { ok: false, nowMs: 0 }), { ok: true, nowMs: 0 }), {
      ok: false,
      nowMs: 0,
    });
    expect(isPassedOver(mended, { nowMs: 1, chosenByPerson: false })).toBe(false);
  });
});
