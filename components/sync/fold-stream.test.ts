import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StreamEvent } from '@/server/contract/stream';
import { emptyChat, foldPage, foldStream } from './fold-stream';
import {
  chatMessage,
  conversationArbitrary,
  delta,
  idOf,
  reply,
  sessionId,
  userMessage,
} from './fold-stream-arbitraries';
import { aSummary } from './testing/a-summary';

const fold = (events: readonly StreamEvent[]) => events.reduce(foldStream, emptyChat(sessionId));

describe('the stream of a conversation, folded', () => {
  it('law stream: all events folded are the transcript the server has, and nothing is left running', () => {
    fc.assert(
      fc.property(conversationArbitrary, ({ events, messages }) => {
        const state = fold(events);
        expect(state.messages).toEqual(messages);
        expect(state.running).toBeNull();
        expect(state.gap).toBe(false);
      }),
    );
  });

  it('S4, R5: what a compaction tells in passing is a note, and pushes no notice out; any other one is a notice, info too', () => {
    const notice = (code: string): StreamEvent => {
      return { event: 'chat.notice', data: { sessionId, level: 'info', code, text: 'Something to know.' } };
    };
    const told = Array.from({ length: 30 }, () => notice('summariser_attempt'));
    const state = fold([notice('refill_stop'), notice('staging_rebuilt'), ...told]);
    expect(state.notices.map(({ code }) => code)).toEqual(['refill_stop']);
    expect(state.notes.at(-1)?.code).toBe('summariser_attempt');
  });

  it('case-E06: a reconnect that tells any stretch again doubles nothing and loses nothing', () => {
    fc.assert(
      fc.property(conversationArbitrary, fc.nat(), fc.nat(), ({ events, messages }, cut, back) => {
        const at = cut % (events.length + 1);
        const again = events.slice(Math.max(0, at - (back % (at + 1)))).filter(({ event }) => event === 'chat.message');
        const state = [...events.slice(0, at), ...again, ...events.slice(at)].reduce(foldStream, emptyChat(sessionId));
        expect(state.messages).toEqual(messages);
        expect(state.running).toBeNull();
      }),
    );
  });

  it('case-E06: every delta twice is the same text once, at every moment', () => {
    fc.assert(
      fc.property(conversationArbitrary, ({ events }) => {
        let once = emptyChat(sessionId);
        let doubled = emptyChat(sessionId);
        for (const event of events) {
          once = foldStream(once, event);
          doubled = foldStream(doubled, event);
          if (event.event === 'chat.delta') doubled = foldStream(doubled, event);
          expect(doubled.running).toEqual(once.running);
        }
      }),
    );
  });

  it('contract 16: a running part told again from offset 0 joins what a late tab missed', () => {
    const state = fold([delta(3, 0, 'one two three', 'T'), delta(3, 13, ' four', 'T')]);
    expect(state.running?.parts[0]?.text).toBe('one two three four');
    const late = fold([delta(3, 0, 'one two three', 'T'), delta(3, 4, 'two three four', 'T')]);
    expect(late.running?.parts[0]?.text).toBe('one two three four');
  });

  it('contract 16: a piece behind a hole is not drawn, and the hole is remembered for a new connection', () => {
    const state = fold([delta(3, 0, 'one', 'T'), delta(3, 9, 'four', 'T')]);
    expect(state.running?.parts[0]?.text).toBe('one');
    expect(state.gap).toBe(true);
  });

  it('contract 16: a delta for a message that is already durable is ignored', () => {
    const state = fold([chatMessage(reply(3, 'whole', 'T')), delta(3, 0, 'who', 'T')]);
    expect(state.running).toBeNull();
  });

  it('C9: a reset takes the partial text from the screen', () => {
    const reset: StreamEvent = { event: 'chat.reset', data: { sessionId, turnId: 'T', messageId: idOf(3) } };
    expect(fold([delta(3, 0, 'wrong', 'T'), reset]).running).toBeNull();
  });

  it('C12: a summary stands right after the last message it stands in for, whatever its own line is', () => {
    const state = fold([
      chatMessage(userMessage(1)),
      chatMessage(reply(2, 'a')),
      chatMessage(userMessage(3)),
      chatMessage(reply(4, 'b')),
      chatMessage(aSummary(9, 2)),
      chatMessage(userMessage(10)),
    ]);
    expect(state.messages.map((message) => message.id)).toEqual([1, 2, 9, 3, 4, 10].map(idOf));
  });

  it('case-E08: waiting messages stand last in the server’s order, and withdrawn ones are gone', () => {
    const queue: StreamEvent = { event: 'chat.queue', data: { sessionId, messageIds: [idOf(7), idOf(5)] } };
    const waiting = [5, 6, 7].map((n) => chatMessage(userMessage(n, { queued: true })));
    const state = fold([chatMessage(userMessage(1)), ...waiting, queue, chatMessage(reply(8, 'late'))]);
    expect(state.messages.map((message) => message.id)).toEqual([1, 8, 7, 5].map(idOf));
  });

  it('events of another conversation change nothing', () => {
    const foreign: StreamEvent = { event: 'chat.queue', data: { sessionId: idOf(77), messageIds: [] } };
    const state = fold([chatMessage(userMessage(1))]);
    expect(foldStream(state, foreign)).toBe(state);
  });

  it('a page without any overlap replaces what is held: no hole is drawn over', () => {
    const held = fold([chatMessage(userMessage(1))]);
    const page = { messages: [userMessage(50), reply(51, 'x')], hasBefore: true, hasAfter: false };
    const state = foldPage(held, { page, at: 'newest' });
    expect(state.messages.map((message) => message.id)).toEqual([50, 51].map(idOf));
    expect(state.hasBefore).toBe(true);
  });

  it('a page that overlaps wins from where it begins and keeps what was read before it', () => {
    const held = fold([1, 2, 3].map((n) => chatMessage(userMessage(n))));
    const page = { messages: [userMessage(3), reply(4, 'x')], hasBefore: true, hasAfter: false };
    const state = foldPage({ ...held, hasBefore: false }, { page, at: 'newest' });
    expect(state.messages.map((message) => message.id)).toEqual([1, 2, 3, 4].map(idOf));
    expect(state.hasBefore).toBe(false);
  });
});
