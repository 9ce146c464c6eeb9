import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aLog } from './log-builder';
import { cookSoup, VERBS } from './log-builder-soup';
import { projectTranscript } from './transcript';
import { takePage } from './transcript-page';
import { projectFrom, projectPage, projectParts } from './transcript-window';

const stepArbitrary = fc.record({ verb: fc.constantFrom(...VERBS), pick: fc.nat(50) });
const soupArbitrary = fc.array(stepArbitrary, { minLength: 5, maxLength: 60 }).map(cookSoup);

describe('a page told from its own items, rel-S21', () => {
  it('law: it is the page of the whole transcript, wherever it begins', () => {
    fc.assert(
      fc.property(soupArbitrary, fc.nat(), fc.integer({ min: 1, max: 8 }), (story, pick, limit) => {
        const [state, log] = [story.state(), story.log()];
        const whole = projectTranscript(state, log);
        const anchor = whole[pick % Math.max(1, whole.length)]?.id;
        expect(projectPage(state, log, { limit })).toEqual(takePage(whole, { limit }));
        if (anchor === undefined) return;
        for (const request of [
          { before: anchor, limit },
          { after: anchor, limit },
        ])
          expect(projectPage(state, log, request)).toEqual(takePage(whole, request));
      }),
      { numRuns: 300 },
    );
  });

  it('law: told from some messages on, each of them is as the whole transcript has it', () => {
    fc.assert(
      fc.property(soupArbitrary, fc.array(fc.nat(), { minLength: 1, maxLength: 3 }), (story, picks) => {
        const [state, log] = [story.state(), story.log()];
        const whole = projectTranscript(state, log);
        const ids = new Set(picks.flatMap((pick) => whole[pick % Math.max(1, whole.length)]?.id ?? []));
        const told = projectFrom(state, log, ids).filter(({ id }) => ids.has(id));
        const named = whole.filter(({ id }) => ids.has(id) && log.byId.has(id));
        expect(told.filter(({ id }) => log.byId.has(id))).toEqual(named);
      }),
      { numRuns: 200 },
    );
  });

  it('law: its parts one after the other are the whole', () => {
    fc.assert(
      fc.property(soupArbitrary, fc.integer({ min: 1, max: 9 }), (story, items) => {
        const whole = projectTranscript(story.state(), story.log());
        expect([...projectParts(story.state(), story.log(), items)].flat()).toEqual(whole);
      }),
      { numRuns: 200 },
    );
  });

  it('refuses an anchor that is not in it, as the whole one does', () => {
    const story = aLog().says('hello').replies('hi');
    expect(() => projectPage(story.state(), story.log(), { before: '01K0000000000000000000GONE', limit: 5 })).toThrow(
      'not part of this conversation',
    );
  });
});
