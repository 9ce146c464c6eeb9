import { gzipSync } from 'node:zlib';
import { type FakeKind, NATURAL_REASONS } from '@/server/model/testing/fakes';
import { createGate, type FakePart, type FakeReply, inChunks } from '@/server/model/testing/script';
import { CALL_REASONS, WHOLE } from './moods';

const USAGE = { input: 100, output: 20 };

/** A fault of a provider, spelt for its protocol. `isWhole`: nothing is wrong with what comes, however it comes. */
export interface Fault {
  readonly name: string;
  readonly isWhole?: boolean;
  readonly make: (kind: FakeKind) => FakeReply;
}

export const good = (kind: FakeKind): FakeReply => whole(kind, [{ text: WHOLE }]);

function whole(kind: FakeKind, parts: readonly FakePart[]): FakeReply {
  return { parts, end: { reason: NATURAL_REASONS[kind], usage: USAGE } };
}

const HALF: readonly FakePart[] = [{ text: WHOLE.slice(0, 20) }];
const bytes = (hex: string) => Buffer.from(hex, 'hex');
const status =
  (code: number, message: string, headers: Readonly<Record<string, string>> = {}) =>
  () => ({
    status: code,
    body: { error: { message } },
    headers,
  });
const broken =
  (...parts: readonly FakePart[]) =>
  (): FakeReply => ({ parts });

/** rel-R1, one of each kind. A door that nobody opens is a stall. */
export const FAULTS: readonly Fault[] = [
  { name: 'nothing', isWhole: true, make: good },
  { name: 'a byte at a time', isWhole: true, make: (kind) => whole(kind, inChunks(WHOLE, 1)) },
  {
    name: 'keep-alives between',
    isWhole: true,
    make: (kind) => whole(kind, [{ raw: ': wait\n\n' }, { text: WHOLE }, { raw: ': wait\n\n' }]),
  },
  { name: 'reset before headers', make: () => ({ reset: true }) },
  { name: 'reset after headers', make: broken({ cut: true }) },
  { name: 'reset in the text', make: broken(...HALF, { cut: true }) },
  { name: 'a clean end in the text', make: broken(...HALF) },
  {
    name: 'half a character, then a reset',
    make: broken(...HALF, { raw: bytes('646174613a20f09f9a') }, { cut: true }),
  },
  { name: 'half an event', make: broken(...HALF, { raw: 'data: {"id":"x","cho' }) },
  { name: 'silence before anything', make: () => broken({ gate: createGate() })() },
  { name: 'silence in the text', make: () => broken(...HALF, { gate: createGate() })() },
  { name: 'keep-alives for ever', make: () => broken(...HALF, { raw: ': wait\n\n' }, { gate: createGate() })() },
  {
    name: 'a text without end',
    make: () => ({ parts: Array.from({ length: 150 }, () => ({ text: 'x'.repeat(64_000) })) }),
  },
  {
    name: 'wrong JSON in the middle',
    make: (kind) => whole(kind, [...HALF, { raw: 'data: {"id":\n\n' }, { text: WHOLE.slice(20) }]),
  },
  { name: 'a page with 200', make: () => ({ status: 200, body: '<html>Hello</html>' }) },
  { name: 'an error with 200', make: () => ({ status: 200, body: { error: { message: 'model is loading' } } }) },
  { name: '429', make: status(429, 'Too many requests') },
  { name: '429, again in a second', make: status(429, 'Too many requests', { 'retry-after': '1' }) },
  { name: '429, again in two minutes', make: status(429, 'Too many requests', { 'retry-after': '120' }) },
  { name: '429, when is said in the text', make: status(429, 'Rate limit reached. Please try again in 2.5s.') },
  {
    name: '429 for want of money',
    make: status(429, 'You exceeded your current quota, please check your plan and billing details.'),
  },
  { name: '529', make: status(529, 'Overloaded') },
  { name: '500', make: status(500, 'internal error') },
  { name: '401', make: status(401, 'invalid x-api-key') },
  { name: '413', make: status(413, 'Request exceeds the maximum size') },
  { name: 'a refusal of the request', make: status(400, 'No such parameter: blorp') },
  { name: 'a redirect into this machine', make: status(302, '', { location: 'http://127.0.0.1:9/' }) },
  {
    name: 'overload in the stream',
    make: broken(...HALF, { error: { type: 'overloaded_error', message: 'Overloaded' } }),
  },
  {
    name: 'an error behind the end',
    make: (kind) => ({
      parts: [{ text: WHOLE }],
      end: { reason: NATURAL_REASONS[kind], usage: USAGE, withoutLast: true, after: [{ error: { message: 'boom' } }] },
    }),
  },
  {
    name: 'no reason at the end',
    make: (kind) =>
      kind === 'openai'
        ? { parts: HALF, end: { reason: null, withoutLast: true } }
        : { parts: HALF, end: { reason: null, usage: USAGE } },
  },
  {
    name: 'half a call',
    make: broken({ call: { id: 'call_1', name: 'read_file', args: {}, rawArgs: '{"path":"a.' } }),
  },
  {
    name: 'a call with huge arguments',
    isWhole: true,
    make: (kind) => ({
      parts: [{ call: { id: 'call_huge', name: 'read_file', args: { path: 'x'.repeat(300_000) } } }],
      end: { reason: CALL_REASONS[kind], usage: USAGE },
    }),
  },
  {
    name: 'packed six times',
    make: () => ({ parts: [{ raw: packed(6) }], headers: { 'content-encoding': Array(6).fill('gzip').join(', ') } }),
  },
];

function packed(layers: number): Uint8Array {
  let bytes = Buffer.from('data: {"id":"x","choices":[{"index":0,"delta":{"content":"bomb"}}]}\n\n'.repeat(2_000));
  for (let layer = 0; layer < layers; layer += 1) bytes = gzipSync(bytes);
  return bytes;
}

/** A row of numbers that a seed decides (mulberry32); `draw(n)` is 0 … n − 1. */
export function createDice(seed: number): (sides: number) => number {
  let state = seed >>> 0;
  return (sides) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides;
  };
}
