import { describe, expect, it } from 'vitest';
import type { Message, SummaryMessage } from '@/server/contract/message';
import { idOf, reply, userMessage } from '../sync/fold-stream-arbitraries';
import { aSummary } from '../sync/testing/a-summary';
import { aToolResult } from './testing/a-tool-result';
import { findShownAgain, lastItemOf, newestPoint, pointBefore, tipsShown } from './travel-points';

const held = (messages: readonly Message[], hasBefore = false) => ({ messages, hasBefore });

describe('the point a message follows (contract 2)', () => {
  it('L4: it is the item before it, and for the very first message the beginning', () => {
    const talk = [userMessage(1), reply(2, 'two'), userMessage(3)];
    expect(pointBefore(held(talk), idOf(3))).toBe(idOf(2));
    expect(pointBefore(held(talk), idOf(1))).toBeNull();
  });

  it('L4: before the oldest message held there may be more, so nothing is claimed', () => {
    expect(pointBefore(held([userMessage(3)], true), idOf(3))).toBeUndefined();
    expect(pointBefore(held([userMessage(3)]), idOf(9))).toBeUndefined();
  });

  it('L5: where the server says what it came after, that is it: a plan by hand is no message and stood before it too', () => {
    const [one, two] = [userMessage(1), reply(2, 'two')];
    expect(pointBefore(held([one, two, userMessage(4, { follows: idOf(3) })]), idOf(4))).toBe(idOf(3));
    expect(pointBefore(held([userMessage(1, { follows: null })], true), idOf(1))).toBeNull();
  });

  it('X5: a summary that was made just before it comes along, though it is drawn further up', () => {
    // Covers 1 and 2, keeps 3 and 4 as they are, and stands in line 5.
    const talk = [userMessage(1), reply(2, 'two'), aSummary(5, 2), userMessage(3), reply(4, 'four'), userMessage(6)];
    expect(pointBefore(held(talk), idOf(6))).toBe(idOf(5));
    expect(pointBefore(held(talk), idOf(3))).toBe(idOf(2));
    expect(newestPoint(talk.slice(0, 5))).toBe(idOf(5));
  });

  it('X5: one that was taken back, a note and a waiting message are no points', () => {
    const undone: SummaryMessage = aSummary(5, 2, { reverted: { at: '2026-01-02T03:04:05.678Z', by: 'owner' } });
    const waiting = userMessage(7, { queued: true });
    expect(newestPoint([userMessage(1), reply(2, 'two'), undone, waiting])).toBe(idOf(2));
    expect(newestPoint([])).toBeNull();
  });

  it('L4: a reply ends with the results of its calls', () => {
    expect(lastItemOf([userMessage(1), reply(2, 'two'), userMessage(3)], idOf(2))).toBe(idOf(2));
    const results = [aToolResult(3, 'T1', 'list'), aToolResult(4, 'T1', 'read')];
    expect(lastItemOf([userMessage(1), reply(2, 'two', 'T1'), ...results, reply(5, 'on', 'T1')], idOf(2))).toBe(
      idOf(4),
    );
  });
});

describe('what is shown of other paths', () => {
  it('ux 5: what arrows lead to is known by its branches and their ends', () => {
    const edited = userMessage(5, { alternatives: { index: 1, ids: [idOf(1), idOf(5)], tips: [idOf(4), idOf(6)] } });
    expect([...tipsShown([edited])].sort()).toEqual([idOf(1), idOf(4), idOf(5), idOf(6)].sort());
  });

  it('X5: the parts shown again are those of the summary in force, from their first to their last item', () => {
    const parts = [{ from: idOf(2), through: idOf(3) }];
    const talk = [
      userMessage(1),
      reply(2, 'two'),
      userMessage(3),
      reply(4, 'four'),
      aSummary(5, 4, { expanded: parts }),
    ];
    expect([...findShownAgain(talk).ids]).toEqual([idOf(2), idOf(3)]);
    expect(findShownAgain([...talk.slice(0, 4), aSummary(5, 4, { expanded: parts, inForce: false })]).parts).toBe(0);
  });
});
