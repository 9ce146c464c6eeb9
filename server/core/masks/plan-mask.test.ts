import { describe, expect, it } from 'vitest';
import { aLog, type LogBuilder } from '@/server/core/projection/log-builder';
import { planMask } from './plan-mask';

/** The model calls `mask_tool_result` for `target`; its result is not there yet. */
function ask(log: LogBuilder, target: string | number, note = 'spent') {
  log.batch([{ name: 'mask_tool_result', callId: 'mask', args: { target }, result: null }]);
  return planMask({ state: log.state(), byCall: 'mask', target, note });
}
const why = (plan: ReturnType<typeof ask>) => (plan.ok ? null : plan.why);

describe('masking (M1, M2)', () => {
  const story = () =>
    aLog()
      .says('go')
      .calls('ls', {}, 'old')
      .batch([
        { name: 'read', callId: 'r1', result: 'eins' },
        { name: 'read', callId: 'r2', result: 'zwei' },
      ]);

  it.each([5, '5', 'item 5', 'r1'])('M1: a result of the newest batch can be named as %j', (target) => {
    const log = story();
    expect(ask(log, target)).toEqual({
      ok: true,
      event: { item: log.itemId(5), callId: 'r1', note: 'spent', bytes: 4, byCall: 'mask' },
    });
  });

  it('M1: by its id too, and the note becomes one line', () => {
    const log = story();
    expect(ask(log, log.itemId(6), 'two\nlines')).toMatchObject({ ok: true, event: { note: 'two lines' } });
  });

  it('M1: never mid-history; the refusal names what can be masked', () => {
    expect(why(ask(story(), 3))).toMatch(/newest batch can be masked: item 5, item 6\./);
  });

  it('M2: messages cannot be masked', () => {
    expect(why(ask(story(), 1))).toMatch(/Item 1 is no tool result/);
  });

  it('M2: what is not there is named, and nothing is masked twice', () => {
    expect(why(ask(story(), 99))).toMatch(/no tool result "99"/);
    const log = story().masks(6);
    expect(why(ask(log, 6))).not.toBeNull();
    expect(why(ask(aLog().says('hi'), 1))).toMatch(/no tool result/);
  });

  it('M1: only a call of this conversation masks', () => {
    expect(planMask({ state: story().state(), byCall: 'no', target: 5, note: '' })).toMatchObject({ ok: false });
  });
});
