import fc from 'fast-check';
import type { AssistantMessage, Message, UserMessage } from '@/server/contract/message';
import type { StreamEvent } from '@/server/contract/stream';

/** Conversations for tests: what a server would send, and what its transcript then is. */

export const sessionId = '01J0000000000000000000000S';
const at = '2026-01-02T03:04:05.678Z';
const model = { provider: 'fake', model: 'sonnet-x' };

export function idOf(n: number): string {
  return `01J${String(n).padStart(23, '0')}`;
}

export function userMessage(n: number, change: Partial<UserMessage['metadata']> & { seq?: number } = {}): UserMessage {
  const { seq = n, ...metadata } = change;
  return {
    id: idOf(n),
    seq,
    at,
    role: 'user',
    parts: [{ type: 'text', text: `question ${n}` }],
    metadata: {
      number: null,
      turnId: null,
      bytes: 10,
      clientMessageId: `client-${n}`,
      kind: 'person',
      by: 'owner',
      queued: false,
      ...metadata,
    },
  };
}

export function reply(n: number, text: string, turnId: string | null = null): AssistantMessage {
  return {
    id: idOf(n),
    seq: n,
    at,
    role: 'assistant',
    parts: [{ type: 'text', text }],
    metadata: { number: null, turnId, bytes: 10, step: 0, model, end: 'stop', rawEnd: 'stop', usage: null, ms: 5 },
  };
}

export function chatMessage(message: Message): StreamEvent {
  return { event: 'chat.message', data: { ...message, sessionId } };
}

export function delta(n: number, offset: number, text: string, turnId: string): StreamEvent {
  return {
    event: 'chat.delta',
    data: { sessionId, turnId, messageId: idOf(n), part: 0, kind: 'text', offset, text },
  };
}

interface Told {
  readonly events: readonly StreamEvent[];
  readonly messages: readonly Message[];
}

/** Cuts a text into the pieces it arrives in, by the places given. */
function piecesOf(text: string, cuts: readonly number[]): readonly { offset: number; text: string }[] {
  const places = [...new Set([0, ...cuts.map((cut) => cut % (text.length + 1)), text.length])].sort((a, b) => a - b);
  return places.slice(0, -1).map((offset, index) => ({ offset, text: text.slice(offset, places[index + 1]) }));
}

/** One turn: a question that waited or not, the reply in pieces, now and then reset in the middle and begun anew. */
const turnArbitrary = fc.record({
  waits: fc.boolean(),
  text: fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' }),
  cuts: fc.array(fc.nat(60), { maxLength: 6 }),
  restarts: fc.boolean(),
});

type Turn = typeof turnArbitrary extends fc.Arbitrary<infer T> ? T : never;

function tellTurn(turn: Turn, index: number): Told {
  const base = index * 10 + 1;
  const turnId = idOf(base + 9);
  const asked = userMessage(base, { seq: base, queued: true });
  const placed = userMessage(base, { seq: base + 1, turnId });
  const answer = reply(base + 2, turn.text, turnId);
  const pieces = piecesOf(turn.text, turn.cuts).map((piece) => delta(base + 2, piece.offset, piece.text, turnId));
  const reset: StreamEvent = { event: 'chat.reset', data: { sessionId, turnId, messageId: answer.id } };
  const events: StreamEvent[] = [
    ...(turn.waits ? [chatMessage(asked)] : []),
    chatMessage(placed),
    { event: 'chat.turn', data: { sessionId, turnId, state: 'started', model } },
    ...(turn.restarts ? [...pieces.slice(0, 2), reset] : []),
    ...pieces,
    chatMessage(answer),
    { event: 'chat.turn', data: { sessionId, turnId, state: 'finished' } },
  ];
  return { events, messages: [placed, answer] };
}

/** A conversation as its events and as the snapshot they must fold to. */
export const conversationArbitrary: fc.Arbitrary<Told> = fc
  .array(turnArbitrary, { minLength: 1, maxLength: 5 })
  .map((turns) => {
    const told = turns.map(tellTurn);
    return { events: told.flatMap((one) => one.events), messages: told.flatMap((one) => one.messages) };
  });
