import { describe, expect, it } from 'vitest';
import { contextAnswerSchema, contextMeterSchema } from '@/server/contract/context';
import { planNumbers } from '@/server/core/budget/numbers';
import { toContextAnswer, toContextMeter } from './context-answer';
import { aLog } from './log-builder';
import { builtModel } from './log-builder-verbs';
import { projectView } from './model-view';

const log = aLog()
  .says('first 🔥'.repeat(60))
  .calls('ls', {}, 'x')
  .replies('one')
  .compacts({
    covers: 4,
    checkpoint: { carry: { kept: [{ id: '01K00000000000000000000000', text: 'rule' }], dropped: [] } },
  })
  .plan(['[ ] ship'])
  .says('second')
  .batch([{ name: 'a' }, { name: 'b' }]);
const state = log.state();
const prompt = state.keptPrompt;
if (prompt === null) throw new Error('no prompt was kept');
const view = projectView({ state, prompt, model: builtModel, moment: 'entry' });
const settings = {
  preset: 'roomy',
  triggerRatio: 0.85,
  tailRatio: 0.2,
  lowMarkRatio: 0.6,
  carryBoundBytes: 4_096,
  resultCapBytes: 16_384,
} as const;
const numbers = planNumbers({ budgetBytes: 16_000, floor: view.floor, settings, thriftyTriggerBytes: null });

describe('GET …/context (contract 9)', () => {
  const answer = toContextAnswer({ view, state, numbers, full: false });

  it('gives a row for each piece, in the order they are sent, as the API says', () => {
    expect(contextAnswerSchema.parse(answer)).toEqual(answer);
    expect(answer.entries.map((row) => `${row.role} ${row.kind}`)).toEqual([
      'user summary',
      'user carry_over',
      'user raw',
      'user raw',
      'assistant raw',
      'tool raw',
      'tool raw',
      'user plan',
    ]);
  });

  it('C12: the account names every item of the path', () => {
    const named = new Set(answer.entries.flatMap((row) => row.itemIds));
    expect([...named].toSorted()).toEqual(state.items.map((item) => item.id).toSorted());
    expect(answer.entries[0]?.itemIds).toHaveLength(4);
  });

  it('case-B07: a preview has whole characters; full texts are whole', () => {
    expect(answer.entries.every((row) => row.preview.isWellFormed() && Array.from(row.preview).length <= 200)).toBe(
      true,
    );
    const whole = toContextAnswer({ view, state, numbers, full: true });
    expect(whole.entries[2]?.preview).toBe('first 🔥'.repeat(60));
  });

  it('says the bytes of the view, the budget and the room', () => {
    expect(answer).toMatchObject({ bytes: view.bytes, budgetBytes: 16_000, roomBytes: 16_000 - view.floorBytes });
  });
});

describe('the meter (contract 7)', () => {
  it('its parts add up to what is used', () => {
    const meter = toContextMeter({
      view,
      numbers,
      basis: 'estimated',
      windowTokens: 8_000,
      windowSource: 'known',
      reportedTokens: null,
      deferred: false,
    });
    expect(contextMeterSchema.parse(meter)).toEqual(meter);
    const sum = [...meter.floor, ...meter.conversation].reduce((total, part) => total + part.bytes, 0);
    expect(sum).toBe(meter.usedBytes);
    expect(meter.conversation.map((part) => part.part)).toEqual(['summary', 'messages', 'tool_results']);
  });
});
