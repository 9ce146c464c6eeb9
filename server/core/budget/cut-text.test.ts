import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutAtCap, cutText, splitCut } from './cut-text';
import { utf8Bytes } from './json-bytes';

describe('cutting a text at whole characters', () => {
  it('M4: two thirds head and one third tail, as the contract counts them', () => {
    expect(splitCut(16_384)).toEqual({ headBytes: 10_922, tailBytes: 5_461 });
    expect(cutText('x'.repeat(18_204), splitCut(16_384))?.leftOutBytes).toBe(1_821);
  });

  it('case-B07: an emoji on the border is left out whole, not cut in half', () => {
    const cut = cutText('status 🔥🚀 done', { headBytes: 9, tailBytes: 6 });
    expect(cut).toMatchObject({ head: 'status ', headBytes: 7, tail: ' done', tailBytes: 5 });
  });

  it('case-B07: lone surrogates come back well-formed', () => {
    const cut = cutText(`abc\ud83d${'x'.repeat(40)}\udc00`, { headBytes: 8, tailBytes: 8 });
    expect(`${cut?.head}${cut?.tail}`.isWellFormed()).toBe(true);
  });

  it('M4: a text within the cap has no cut, one byte more has', () => {
    expect(cutAtCap('x'.repeat(100), 100)).toBeNull();
    expect(cutAtCap('x'.repeat(101), 100)).toEqual({ headBytes: 66, tailBytes: 33 });
  });

  it('B5: head, tail and what was left out add up; cutting again at the same lengths gives the same', () => {
    const text = fc.string({ unit: 'binary', maxLength: 200 });
    fc.assert(
      fc.property(text, fc.nat(300), fc.nat(300), (whole, headBytes, tailBytes) => {
        const cut = cutText(whole, { headBytes, tailBytes });
        if (cut === null) {
          expect(headBytes + tailBytes).toBeGreaterThanOrEqual(utf8Bytes(whole));
          return;
        }
        expect(cut.headBytes + cut.leftOutBytes + cut.tailBytes).toBe(utf8Bytes(whole));
        expect(cut.headBytes).toBeLessThanOrEqual(headBytes);
        expect(cut.tailBytes).toBeLessThanOrEqual(tailBytes);
        expect(cut.head.isWellFormed() && cut.tail.isWellFormed()).toBe(true);
        expect(whole.toWellFormed().startsWith(cut.head) && whole.toWellFormed().endsWith(cut.tail)).toBe(true);
        expect(cutText(whole, cut)).toEqual(cut);
      }),
    );
  });
});
