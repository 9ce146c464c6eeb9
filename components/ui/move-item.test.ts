import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { focusAfterRemoval, moveItem } from './move-item';

describe('an ordered list', () => {
  it('moves one item and stops at the ends', () => {
    expect(moveItem(['a', 'b', 'c'], 1, 'up')).toEqual(['b', 'a', 'c']);
    expect(moveItem(['a', 'b', 'c'], 0, 'last')).toEqual(['b', 'c', 'a']);
    const list = ['a', 'b'];
    expect(moveItem(list, 0, 'up')).toBe(list);
    expect(moveItem(list, 1, 'down')).toBe(list);
  });

  it('never loses or doubles an item', () => {
    const move = fc.constantFrom('up', 'down', 'first', 'last' as const);
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer()), fc.nat(20), move, (items, from, how) => {
        expect([...moveItem(items, from, how)].toSorted()).toEqual(items.toSorted());
      }),
    );
  });

  it('gives the focus to the next item after a removal, else to the one before', () => {
    expect([focusAfterRemoval(0, 2), focusAfterRemoval(2, 2), focusAfterRemoval(0, 0)]).toEqual([0, 1, null]);
  });
});
