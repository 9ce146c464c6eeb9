import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Album, aStep, holdTips } from './testing/journey';
import { Traveller } from './testing/traveller';

/**
 * Random journeys through one file (issue 3): messages, batches, plans, masks, summaries, trims, forks, reverts, edits, rollbacks,
 * undos, expansions, restarts. After every step the bytes before it stand (L3); at the end no rule of section 5 is broken, the
 * path alone says what the whole says, and every view is sound. On the way, whatever is come back to looks as it did, to the byte,
 * also by the tip that the arrows of "2 of 3" name.
 */
it('L3, L4, L5, X5: whatever the journey, bytes only grow, no rule breaks, and what was left can be returned to', async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(fc.commands([aStep], { maxCommands: 100, size: 'max' }), async (steps) => {
      const album: Album = { places: new Map(), heads: new Map(), stays: new Map(), compared: 0 };
      const traveller = await Traveller.setOut();
      await fc.asyncModelRun(() => ({ model: album, real: traveller }), steps);
      await traveller.holdLaws();
      await holdTips(album, traveller);
      await traveller.end();
      compared += album.compared;
    }),
    { numRuns: 300 },
  );
  expect(compared).toBeGreaterThan(200);
}, 120_000);
