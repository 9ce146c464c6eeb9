import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LogEvent } from '@/server/contract/events/event';
import { cookSoup, VERBS } from '@/server/core/projection/log-builder-soup';
import { NO_PROMPT, projectView } from '@/server/core/projection/model-view';
import { foldSession } from '@/server/core/projection/session-state';
import { projectTranscript } from '@/server/core/projection/transcript';
import { checkLog } from './check-log';
import { encodeLine } from './encode-line';
import { finishScan, scanChunk, startScan } from './scan-log';

/** What an editor, a careless script or a bad disk does to lines; `at` picks where. */
const MUTATIONS = {
  'take lines out': (lines: string[], at: number) => void lines.splice(at, 1 + (at % 3)),
  'write one twice': (lines: string[], at: number) => void lines.splice(at, 0, lines[at] ?? ''),
  'swap two': (lines: string[], at: number) => {
    const [line] = lines.splice(at, 1);
    lines.splice((at * 7) % (lines.length + 1), 0, line ?? '');
  },
  'cut one short': (lines: string[], at: number) => void lines.splice(at, 1, (lines[at] ?? '').slice(0, 30)),
  'lose the newline': (lines: string[], at: number) => void lines.splice(at, 2, lines.slice(at, at + 2).join('')),
  'write a word into one': (lines: string[], at: number) =>
    void lines.splice(at, 1, (lines[at] ?? '').replace('"seq"', '"sequence"')),
  'end one as Windows does': (lines: string[], at: number) => void lines.splice(at, 1, `${lines[at] ?? ''}\r`),
  'put something between': (lines: string[], at: number) =>
    void lines.splice(at, 0, '', '{}', '\u0000\u0000', '<<<<<<< HEAD'),
  'mark the beginning': (lines: string[]) => void lines.splice(0, 1, `\ufeff${lines[0] ?? ''}`),
} as const;

const anyMutation = fc.record({ what: fc.constantFrom(...Object.keys(MUTATIONS)), at: fc.nat(60) });
const anyStep = fc.record({ verb: fc.constantFrom(...VERBS), pick: fc.nat(50) });

function mutate(
  lines: readonly string[],
  mutations: readonly { readonly what: string; readonly at: number }[],
): Buffer {
  const changed = [...lines];
  for (const { what, at } of mutations) {
    const act = Object.entries(MUTATIONS).find(([name]) => name === what)?.[1];
    act?.(changed, at % Math.max(1, changed.length));
  }
  return Buffer.from(changed.map((line) => `${line}\n`).join(''));
}

function scan(bytes: Buffer) {
  const step = scanChunk(startScan(), bytes);
  return [...step.records, ...finishScan(step.state).records];
}

const idsOf = (events: readonly LogEvent[]) => events.map(({ id }) => id);

describe('rel-S8: whatever is done to the lines of a log', () => {
  it('in 1,000 cases it opens, every untouched line is there, and what happened is named', () => {
    fc.assert(
      fc.property(
        fc.array(anyStep, { minLength: 2, maxLength: 20 }),
        fc.array(anyMutation, { minLength: 1, maxLength: 3 }),
        (steps, mutations) => {
          const lines = cookSoup(steps)
            .events()
            .map((event) => encodeLine(event).trimEnd());
          const bytes = mutate(lines, mutations);
          const records = scan(bytes);
          const { log, violations, damage } = checkLog(records);
          for (const branch of log.branches.keys()) {
            const session = foldSession(log, branch);
            projectTranscript(session, log);
            projectView({ state: session, prompt: NO_PROMPT, model: null, moment: 'entry' });
          }
          const events = records.flatMap((record) => (record.kind === 'event' ? [record.event] : []));
          const standing = new Set(bytes.toString().split(/\r?\n/));
          const untouched = lines.filter((line) => standing.has(line)).map((line) => JSON.parse(line).id);
          expect(untouched.filter((id) => !idsOf(events).includes(id))).toEqual([]);
          // Nothing of it goes unsaid, but for the end cut away between two lines, which looks like a log that ends there.
          const asFarAs = lines.slice(0, events.length).map((line) => JSON.parse(line).id);
          const isPrefix = JSON.stringify(idsOf(events)) === JSON.stringify(asFarAs);
          if (!isPrefix) expect(violations.length + damage.length).toBeGreaterThan(0);
        },
      ),
      { numRuns: 1000 },
    );
  }, 120_000);
});
