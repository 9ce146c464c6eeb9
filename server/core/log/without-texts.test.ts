import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LogEvent } from '@/server/contract/events/event';
import { aLog } from '@/server/core/projection/log-builder';
import { cookSoup, VERBS } from '@/server/core/projection/log-builder-soup';
import { checkLog } from './check-log';
import { withoutTexts } from './without-texts';

const check = (events: readonly LogEvent[]) =>
  checkLog(events.map((event, at) => ({ kind: 'event', event, from: at * 11, to: at * 11 + 10 }))).violations;

describe('a log without its texts', () => {
  it('law: is judged as the log with them, whatever lines of it are lost', () => {
    const step = fc.record({ verb: fc.constantFrom(...VERBS), pick: fc.nat(50) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), fc.array(fc.nat(80), { maxLength: 4 }), (steps, lost) => {
        const events = cookSoup(steps)
          .lines()
          .filter((_, at) => !lost.includes(at));
        expect(check(events.map(withoutTexts))).toEqual(check(events));
      }),
      { numRuns: 150 },
    );
  });

  it('holds nothing of what was said', () => {
    const text = 'a very long story '.repeat(20);
    const log = aLog()
      .says(text)
      .calls('read_file', { path: text }, text)
      .replies(text)
      .compacts({ text: `## Objective\n${text}` })
      .plan([text])
      .marks(text);
    const slim = log.lines().map(withoutTexts);
    expect(JSON.stringify(log.lines()).split('very long story').length).toBeGreaterThan(100);
    expect(JSON.stringify(slim)).not.toContain('very long story');
  });
});
