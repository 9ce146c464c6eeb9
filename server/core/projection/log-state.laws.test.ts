import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '@/server/contract/events/event';
import { messageSchema } from '@/server/contract/message';
import { checkLog } from '@/server/core/log/check-log';
import { cookSoup, VERBS } from './log-builder-soup';
import { appendToLog, foldEvents } from './log-state';
import { isPathLine } from './log-state-path';
import { legalCuts, toGroups } from './responded';
import { foldSession } from './session-state';
import { projectTranscript } from './transcript';

const stepArbitrary = fc.record({ verb: fc.constantFrom(...VERBS), pick: fc.nat(50) });
const soupArbitrary = fc.array(stepArbitrary, { minLength: 5, maxLength: 60 }).map(cookSoup);
const runs = { numRuns: 60 };

const recordsOf = (events: readonly StoredEvent[]) =>
  events.map((event, place) => ({ kind: 'event', event, from: place * 11, to: place * 11 + 10 }) as const);

describe('laws of replay', () => {
  it('replay: folding all is folding any prefix and then the rest, and the prefix stays as it was', () => {
    fc.assert(
      fc.property(soupArbitrary, fc.nat(), (story, cut) => {
        const events = story.events();
        const length = cut % (events.length + 1);
        const prefix = foldEvents(events.slice(0, length));
        const rest = events.slice(length).reduce(appendToLog, prefix);
        expect(rest).toEqual(foldEvents(events));
        expect(prefix).toEqual(foldEvents(events.slice(0, length)));
      }),
      runs,
    );
  });

  it('replay: two histories that grow from one state do not see each other', () => {
    fc.assert(
      fc.property(soupArbitrary, soupArbitrary, (one, other) => {
        const base = foldEvents(one.events());
        const grow = () =>
          other.events().map((event) => ({ ...event, seq: event.seq + base.newestSeq, id: `${event.id}x` }));
        const first = grow().reduce(appendToLog, base);
        const second = grow().slice(0, 3).reduce(appendToLog, base);
        expect(base).toEqual(foldEvents(one.events()));
        expect(second).toEqual(foldEvents([...one.events(), ...grow().slice(0, 3)]));
        expect(first).toEqual(foldEvents([...one.events(), ...grow()]));
      }),
      { numRuns: 20 },
    );
  });

  it('contract 5: whatever happens to a conversation, check-log finds nothing', () => {
    fc.assert(
      fc.property(soupArbitrary, (story) => {
        expect(checkLog(recordsOf(story.events())).violations).toEqual([]);
      }),
      runs,
    );
  });

  it('contract 2: path state needs the path alone: abandoned lines and other branches change nothing', () => {
    fc.assert(
      fc.property(soupArbitrary, (story) => {
        for (const branch of story.log().branches.keys()) {
          const whole = foldSession(story.log(), branch);
          const onPath = new Set(whole.path.map(({ seq }) => seq));
          const kept = story.events().filter((event) => !isPathLine(event) || onPath.has(event.seq));
          const alone = foldSession(foldEvents(kept), branch);
          for (const key of [
            'path',
            'items',
            'turns',
            'keptPrompt',
            'checkpoint',
            'masks',
            'trims',
            'trimActions',
          ] as const) {
            expect(alone[key]).toEqual(whole[key]);
          }
          expect([alone.plan, alone.carryOvers, alone.title]).toEqual([whole.plan, whole.carryOvers, whole.title]);
        }
      }),
      runs,
    );
  });

  it('L6: a lost line of a path brings no abandoned line onto it, and everything can still be shown', () => {
    fc.assert(
      fc.property(soupArbitrary, fc.nat(), (story, pick) => {
        const events = story.events();
        const candidates = events.filter(isPathLine);
        const lost = candidates[pick % candidates.length];
        const log = foldEvents(events.filter((event) => event !== lost));
        for (const branch of log.branches.keys()) {
          const state = foldSession(log, branch);
          const before = new Set(foldSession(story.log(), branch).path.map(({ seq }) => seq));
          expect(state.path.filter(({ seq }) => !before.has(seq))).toEqual([]);
          for (const message of projectTranscript(state, log)) messageSchema.parse(message);
        }
      }),
      runs,
    );
  });

  it('cut: groups concatenated are the items, and a legal cut never parts a call from its result', () => {
    fc.assert(
      fc.property(soupArbitrary, (story) => {
        const state = story.state();
        expect(toGroups(state.items).flatMap(({ items }) => items)).toEqual(state.items);
        for (const cut of legalCuts(state)) expect(state.items[cut]?.event.type).not.toBe('tool.result');
      }),
      runs,
    );
  });

  it('the transcript shows every item once and in path order, and each message keeps the contract', () => {
    fc.assert(
      fc.property(soupArbitrary, (story) => {
        const state = story.state();
        const messages = projectTranscript(state, story.log());
        for (const message of messages) messageSchema.parse(message);
        const ids = new Set(state.items.map(({ id }) => id));
        expect(messages.filter(({ id }) => ids.has(id)).map(({ id }) => id)).toEqual(state.items.map(({ id }) => id));
        expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length);
        const summaries = messages.filter((message) => message.role === 'summary' && message.metadata.inForce);
        expect(summaries).toHaveLength(state.checkpoint ? 1 : 0);
      }),
      runs,
    );
  });
});
