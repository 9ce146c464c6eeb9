import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { measureItem } from '@/server/core/budget/measure-item';
import { trim } from '@/server/core/trim/trim';
import { builtModel } from './log-builder-verbs';
import { NO_PROMPT, projectView, untrimmedConversationBytes } from './model-view';
import { findUnpaired } from './model-view-pairing';
import type { ModelView } from './model-view-shape';
import { aStory, aTeller, type StoryStep } from './model-view-stories';
import type { SessionState } from './state-shape';

const view = (state: SessionState, over: Partial<Parameters<typeof projectView>[0]> = {}) =>
  projectView({ state, prompt: NO_PROMPT, model: builtModel, moment: 'step', ...over });

function tell(story: readonly StoryStep[]) {
  const teller = aTeller();
  for (const step of story) teller.tell(step);
  return teller.log;
}

const serialised = (entries: ModelView['body']) => entries.map((entry) => JSON.stringify(entry.message));
const anyRoom = fc.oneof(fc.integer({ min: -100, max: 2_000 }), fc.integer({ min: 1_000, max: 40_000 }));
const boundsOf = (roomBytes: number) => {
  const room = Math.max(1_000, roomBytes);
  return {
    roomBytes,
    lowMarkBytes: Math.floor(Math.floor(room * 0.85) * 0.6),
    firstMessageCapBytes: Math.max(400, Math.floor(room * 0.1)),
  };
};

describe('laws of the view', () => {
  it('pairing: every call has its result or a stub right after it, in every view', () => {
    fc.assert(
      fc.property(aStory, (story) => {
        expect(findUnpaired(view(tell(story).state()))).toEqual([]);
      }),
    );
  });

  it('pairing: also after a trim to any room', () => {
    fc.assert(
      fc.property(aStory, anyRoom, (story, room) => {
        const log = tell(story);
        const trimmed = trim({ state: log.state(), model: builtModel, ...boundsOf(room) });
        if (trimmed) log.append('view.trimmed', trimmed);
        expect(findUnpaired(view(log.state()))).toEqual([]);
      }),
    );
  });

  it('trim: fits any room, measures what the view then measures, and once is enough', () => {
    fc.assert(
      fc.property(aStory, anyRoom, (story, room) => {
        const log = tell(story);
        const input = { model: builtModel, ...boundsOf(room) };
        const before = view(log.state()).conversationBytes;
        const trimmed = trim({ ...input, state: log.state() });
        if (trimmed === null) {
          expect(before).toBeLessThanOrEqual(Math.max(room, 1_000));
          return;
        }
        expect(trimmed.before).toBe(before);
        log.append('view.trimmed', trimmed);
        expect(view(log.state()).conversationBytes).toBe(trimmed.after);
        expect(trimmed.after).toBeLessThanOrEqual(Math.max(room, 1_000));
        expect(trim({ ...input, state: log.state() })).toBeNull();
      }),
      { numRuns: 300 },
    );
  });

  it('trim: whatever the size of a single item', () => {
    fc.assert(
      fc.property(aStory, fc.constantFrom('says', 'replies', 'calls', 'thinks'), anyRoom, (story, what, room) => {
        const log = tell([...story, { what, size: 300_000, pick: 1, kind: 'person' }]);
        const trimmed = trim({ state: log.state(), model: builtModel, ...boundsOf(room) });
        if (trimmed) log.append('view.trimmed', trimmed);
        expect(view(log.state()).conversationBytes).toBeLessThanOrEqual(Math.max(room, 1_000));
      }),
      { numRuns: 60 },
    );
  });

  it('trim: monotone in the room', () => {
    fc.assert(
      fc.property(aStory, anyRoom, fc.nat(20_000), (story, room, more) => {
        const state = tell(story).state();
        const before = view(state).conversationBytes;
        const sizeIn = (bytes: number) => trim({ state, model: builtModel, ...boundsOf(bytes) })?.after ?? before;
        expect(sizeIn(room)).toBeLessThanOrEqual(sizeIn(room + more));
      }),
      { numRuns: 300 },
    );
  });

  it('prefix (perf-B4): between recorded changes each view extends the one before, the plan block aside', () => {
    fc.assert(
      fc.property(aStory, (story) => {
        const { log, tell: tellStep } = aTeller();
        let sent: readonly string[] = serialised(view(log.state()).body);
        let from = log.events().length;
        for (const step of story) {
          tellStep(step);
          const isChanged = log
            .events()
            .slice(from)
            .some((event) => CHANGES.test(event.type));
          const body = serialised(view(log.state()).body);
          if (!isChanged) expect(body.slice(0, sent.length)).toEqual(sent);
          sent = body;
          from = log.events().length;
        }
      }),
    );
  });

  it('boundary: nothing covered reaches the view but through summary, keep, carry-over, plan and expanded ranges', () => {
    fc.assert(
      fc.property(aStory, (story) => {
        const state = tell(story).state();
        const { checkpoint, items } = state;
        const shown = new Set(view(state).entries.flatMap((entry) => entry.accounts.flatMap(({ itemIds }) => itemIds)));
        const end = items.findIndex((item) => item.id === checkpoint?.event.covers.through) + 1;
        const allowed = new Set(checkpoint?.event.keep);
        for (const range of checkpoint?.expanded ?? []) {
          const first = items.findIndex((item) => item.id === range.from);
          const last = items.findIndex((item) => item.id === range.through);
          for (const item of items.slice(first, last + 1)) allowed.add(item.id);
        }
        for (const item of items.slice(0, end)) if (!allowed.has(item.id)) expect(shown.has(item.id)).toBe(false);
        const raw = items.slice(end).filter((item) => item.event.type !== 'message.assistant');
        for (const item of raw) expect(shown.has(item.id)).toBe(true);
      }),
    );
  });

  it('C12: the pieces of the account add up to every entry, the entries to the view', () => {
    fc.assert(
      fc.property(aStory, (story) => {
        const shown = view(tell(story).state());
        for (const entry of shown.body) {
          expect(entry.accounts.reduce((sum, account) => sum + account.bytes, 0)).toBe(entry.bytes);
        }
        const bytes = shown.body.reduce((sum, entry) => sum + entry.bytes, 0);
        expect(bytes).toBe(shown.conversationBytes + shown.floor.carryBytes);
      }),
    );
  });

  it('perf-C1: what is stored with an item is never below what a view measures of it', () => {
    fc.assert(
      fc.property(aStory, (story) => {
        const state = tell(story).state();
        const untouched = view(state, { actions: new Map() }).entries.flatMap((entry) => entry.accounts);
        for (const account of untouched) {
          const item = state.items.find(({ id }) => id === account.itemIds[0]);
          if (item === undefined || account.kind !== 'raw' || state.masks.has(item.id)) continue;
          expect(account.bytes).toBeLessThanOrEqual(measureItem(item.event).viewBytes);
        }
      }),
    );
  });

  it('C1: with no trim in force the untrimmed conversation is the conversation, and a cache changes nothing', () => {
    const cache = new WeakMap();
    fc.assert(
      fc.property(aStory, (story) => {
        const state = tell(story).state();
        const plain = view(state, { actions: new Map() });
        expect(untrimmedConversationBytes({ state, model: builtModel })).toBe(plain.conversationBytes);
        expect(view(state, { cache })).toEqual(view(state));
        expect(view(state, { cache })).toEqual(view(state));
      }),
    );
  });
});

const CHANGES = /^(checkpoint\.|view\.|prompt\.kept|head\.|branch\.opened)/;
