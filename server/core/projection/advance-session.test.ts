import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isItem, type LogEvent } from '@/server/contract/events/event';
import { planNumbers } from '@/server/core/budget/numbers';
import { chooseAutomaticCut } from '@/server/core/compaction/cut';
import { advanceSession } from './advance-session';
import { aLog } from './log-builder';
import { cookSoup, VERBS } from './log-builder-soup';
import { appendToLog, emptyLogState } from './log-state';
import { NO_PROMPT, projectView } from './model-view';
import type { RenderCache } from './model-view-entries';
import { foldSession } from './session-state';
import type { LogState, SessionState } from './state-shape';

const stepArbitrary = fc.record({ verb: fc.constantFrom(...VERBS), pick: fc.nat(50) });
const soupArbitrary = fc.array(stepArbitrary, { minLength: 5, maxLength: 60 }).map(cookSoup);

/** Every session of a log, told on from line to line; folded whole only where the step says so. */
class Follower {
  log: LogState = emptyLogState();
  readonly sessions = new Map<string, SessionState>();
  advanced = 0;
  folded = 0;

  take(event: LogEvent): void {
    this.log = appendToLog(this.log, event);
    for (const branch of this.log.branches.keys()) {
      const before = this.sessions.get(branch);
      const advanced = before ? advanceSession(before, this.log, event) : null;
      if (advanced) this.advanced += 1;
      else this.folded += 1;
      this.sessions.set(branch, advanced ?? foldSession(this.log, branch));
    }
  }
}

describe('a session that is told on, perf-B1', () => {
  it('law: line by line it is what folding the whole log says, with masks, trims, summaries, forks and reverts', () => {
    fc.assert(
      fc.property(soupArbitrary, (story) => {
        const follower = new Follower();
        for (const event of story.events()) {
          follower.take(event);
          for (const [branch, session] of follower.sessions) expect(session).toEqual(foldSession(follower.log, branch));
        }
      }),
      { numRuns: 40 },
    );
  });

  it('law: also where a line is lost and what follows it hangs elsewhere', () => {
    fc.assert(
      fc.property(soupArbitrary, fc.nat(), (story, pick) => {
        const follower = new Follower();
        const lost = pick % story.events().length;
        for (const event of story.events().filter((_, place) => place !== lost)) {
          follower.take(event);
          for (const [branch, session] of follower.sessions) expect(session).toEqual(foldSession(follower.log, branch));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('law: what was handed out before stays as it was', () => {
    fc.assert(
      fc.property(soupArbitrary, (story) => {
        const follower = new Follower();
        const seen: { readonly log: LogState; readonly sessions: Map<string, SessionState> }[] = [];
        for (const event of story.events()) {
          follower.take(event);
          seen.push({ log: follower.log, sessions: new Map(follower.sessions) });
        }
        for (const { log, sessions } of seen)
          for (const [branch, session] of sessions) expect(session).toEqual(foldSession(log, branch));
      }),
      { numRuns: 20 },
    );
  });

  it('an ordinary turn is never folded anew', () => {
    const story = aLog().session();
    for (let turn = 0; turn < 5; turn += 1) story.says(`question ${turn}`).calls('read_file').replies('done');
    const follower = new Follower();
    for (const event of story.events()) follower.take(event);
    expect(follower.folded).toBe(1);
  });

  it('perf-C1: a view and a cut after an append read no text but that of the new item', () => {
    const story = aLog().session();
    for (let turn = 0; turn < 40; turn += 1) story.says(`question ${turn}`).calls('read_file').replies('done');
    story.says('one more').calls('read_file', {}, 'found');
    const read: string[] = [];
    const events = story.events().map((event) => watchTexts(event, read));
    const follower = new Follower();
    const cache: RenderCache = new WeakMap();
    const look = () => {
      const [state] = follower.sessions.values();
      if (state) projectView({ state, prompt: NO_PROMPT, model: null, moment: 'step', cache });
      if (state) chooseAutomaticCut({ state, numbers, settings, model: null, tailLimitBytes: null });
    };
    for (const event of events.slice(0, -1)) follower.take(event);
    look();
    expect(read.length).toBeGreaterThan(80);
    read.length = 0;
    for (const event of events.slice(-1)) follower.take(event);
    look();
    // The first message is kept word for word within a cap that goes by the room: it alone is measured again.
    expect(new Set(read)).toEqual(new Set(['found', 'question 0']));
  });
});

const settings = {
  preset: 'roomy',
  triggerRatio: 0.85,
  tailRatio: 0.2,
  lowMarkRatio: 0.6,
  carryBoundBytes: 4096,
  resultCapBytes: 16_384,
} as const;
const floor = { promptBytes: 400, toolsBytes: 200, planBytes: 0, carryBytes: 0 };
const numbers = planNumbers({ budgetBytes: 40_000, floor, settings, thriftyTriggerBytes: null });

/** The event with texts that say when they are read. */
function watchTexts(event: LogEvent, read: string[]): LogEvent {
  if (!isItem(event)) return event;
  const parts = event.parts.map((part) => {
    if (part.type !== 'text') return part;
    const { text } = part;
    return Object.defineProperty({ ...part }, 'text', {
      enumerable: true,
      get: () => {
        read.push(text);
        return text;
      },
    });
  });
  return { ...event, parts };
}
