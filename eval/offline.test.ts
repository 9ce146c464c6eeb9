import { describe, expect, it } from 'vitest';
import { runPaths } from './offline/paths';
import { REPORTED, reportPaths } from './offline/report';
import { INSPECTIONS, tellTrace } from './offline/trace';

const result = runPaths();
const pathOf = async (name: string) => {
  const found = (await result).paths.find((path) => path.name === name);
  if (found === undefined) throw new Error(`no path is called ${name}`);
  return found;
};

describe('E1: the long trace through five paths', () => {
  it('the trace is what it says, the same in every run', () => {
    const [one, two] = [tellTrace(), tellTrace()];
    expect(one.events()).toEqual(two.events());
    const reads = one.state().items.filter(({ event }) => event.type === 'tool.result');
    expect(reads).toHaveLength(INSPECTIONS);
    expect(one.log().violations).toEqual([]);
  });

  it.each(['sequential MapReduce', 'parallel MapReduce'])(
    '%s keeps all five marks, drops the stale one, and preserves every item',
    async (name) => {
      const path = await pathOf(name);
      expect(path).toMatchObject({ markersKept: 5, staleShown: false, itemsPreserved: true });
      expect(path.viewTokens).toBeLessThan((await result).sourceTokens / 4);
      expect(path.mapPeakTokens).toBeLessThan(8_000);
    },
  );

  it('R6: one at a time in the one mode, four at once in the other, with the same calls and the same view', async () => {
    const [one, four] = [await pathOf('sequential MapReduce'), await pathOf('parallel MapReduce')];
    expect([one.mostAtOnce, four.mostAtOnce]).toEqual([1, 4]);
    expect([one.calls, one.viewTokens, one.mapPeakTokens]).toEqual([four.calls, four.viewTokens, four.mapPeakTokens]);
  });

  it('R0: one request for the whole does not fit a window of 8,000 tokens; in a large one it is one call', async () => {
    expect(await pathOf('one-shot oracle')).toMatchObject({ calls: 1, markersKept: 5, staleShown: false });
    expect((await pathOf('one-shot oracle')).note).toContain('does not fit');
  });

  it('M1: masking alone makes no call, and leaves what was said in sight', async () => {
    expect(await pathOf('masking only')).toMatchObject({ calls: 0, markersKept: 5, staleShown: false });
  });

  it('the table stands beside the reported one and names its source', async () => {
    const text = reportPaths(await result).join('\n');
    for (const { viewTokens } of Object.values(REPORTED.paths)) expect(text).toContain(viewTokens.toLocaleString('en'));
    expect(text).toContain(REPORTED.source);
    expect(text).toContain('not what a model remembers');
  });
});
