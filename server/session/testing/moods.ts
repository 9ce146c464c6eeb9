import { type FakeKind, NATURAL_REASONS } from '@/server/model/testing/fakes';
import { createGate, type FakeCall, type FakePart, type FakeReply } from '@/server/model/testing/script';

/** How each protocol says that calls follow, that the ceiling was hit, and that it declines. */
const ENDS: Readonly<Record<FakeKind, { readonly calls: string; readonly length: string; readonly refusal: string }>> =
  {
    'openai-compatible': { calls: 'tool_calls', length: 'length', refusal: 'content_filter' },
    openai: { calls: 'completed', length: 'max_output_tokens', refusal: 'content_filter' },
    anthropic: { calls: 'tool_use', length: 'max_tokens', refusal: 'refusal' },
    google: { calls: 'STOP', length: 'MAX_TOKENS', refusal: 'SAFETY' },
  };

/** The word by which each protocol says that calls follow. */
export const CALL_REASONS = {
  'openai-compatible': ENDS['openai-compatible'].calls,
  openai: ENDS.openai.calls,
  anthropic: ENDS.anthropic.calls,
  google: ENDS.google.calls,
} as const;

/** A whole reply; whatever is less must never pass for it. */
export const WHOLE = 'All is well in the harbour: 北京 🚀, word for word.';

interface Moment {
  readonly kind: FakeKind;
  readonly mood: string;
  /** Number of the request, for ids and signatures that no other has. */
  readonly count: number;
  readonly window: number;
}

const FILES = ['README.md', 'no-such-file.md', ''];
const LONG = 'Berth fees, 北京 🚀 and "quotes" \\ with a tab\t and more. '.repeat(60);

/** What a model does next, spelt for its protocol. An unknown mood is a plain reply. */
export const MOODS: Readonly<Record<string, (moment: Moment) => FakeReply>> = {
  says: (at) => ends(at, [{ text: 'Here it is.' }], 'stop'),
  'is well': (at) => ends(at, [{ text: WHOLE }], 'stop'),
  passes: (at) => ends(at, [{ text: 'PASS' }], 'stop'),
  'says much': (at) => ends(at, [{ text: LONG }], 'stop'),
  thinks: (at) => ends(at, [thought(at), { text: 'So it is.' }], 'stop'),
  'thinks only': (at) => ends(at, [thought(at)], 'stop'),
  calls: (at) => ends(at, [{ text: 'Let me look.' }, call(at, 'read_file', { path: FILES[at.count % 3] })], 'calls'),
  'thinks and calls': (at) =>
    ends(
      at,
      [thought(at), call(at, 'list_files', { path: '' }, 'a'), call(at, 'search_files', { query: 'berth' }, 'b')],
      'calls',
    ),
  'calls much': (at) =>
    ends(
      at,
      [
        call(at, 'update_plan', { items: [{ text: LONG.slice(0, 150), status: 'pending' }] }),
        call(at, 'read_file', { path: LONG }, 'x'),
      ],
      'calls',
    ),
  masks: (at) => ends(at, [call(at, 'mask_tool_result', { item: `${at.count - 1}`, note: 'not needed' })], 'calls'),
  'calls and masks': (at) => ends(at, [call(at, 'mask_tool_result', { item: maskable(at), note: 'seen' })], 'calls'),
  recalls: (at) => ends(at, [call(at, 'recall', { item: 1 })], 'calls'),
  'calls wrongly': (at) =>
    ends(at, [call(at, 'read_file', ['no', 'object'], 'x'), call(at, 'no_such_tool', { a: '\ud83d' }, 'y')], 'calls'),
  'calls twice alike': (at) =>
    ends(
      at,
      [call({ ...at, count: 0 }, 'list_files', { path: '' }), call({ ...at, count: 0 }, 'list_files', { path: '' })],
      'calls',
    ),
  'says half a character': (at) => ends(at, [{ text: 'Half \ud83d of it\u0000.' }], 'stop'),
  'is cut': () => ({ parts: [{ text: 'On my w' }, { cut: true }] }),
  /** Until the person stops it; nobody opens the door. */
  'is held': (at) => ends(at, [{ text: 'On my way' }, { gate: createGate() }], 'stop'),
  'thinks and is cut': (at) => ({ parts: [thought(at), { cut: true }] }),
  'hits the ceiling': (at) => ends(at, [{ text: 'And so on and' }], 'length'),
  declines: (at) => ends(at, [{ text: 'I cannot' }], 'refusal'),
  'says nothing': (at) => ends(at, [], 'stop'),
  'is down': () => ({ status: 503, body: { error: { message: 'overloaded' } } }),
  overflows: (at) => ({ status: 400, body: overflow(at) }),
};

export function toMoodReply(moment: Moment): FakeReply {
  return (MOODS[moment.mood] ?? MOODS.says)?.(moment) ?? { reset: true };
}

function ends({ kind }: Moment, parts: readonly FakePart[], end: 'stop' | 'calls' | 'length' | 'refusal'): FakeReply {
  return { parts, end: { reason: end === 'stop' ? NATURAL_REASONS[kind] : ENDS[kind][end] } };
}

function thought({ kind, count }: Moment): FakePart {
  const text = `I wonder ${count}. `.repeat(8);
  return kind === 'openai-compatible' ? { reasoning: text } : { reasoning: text, signature: toSignature(count) };
}

/** Base64, since Google's are bytes. */
function toSignature(count: number): string {
  return Buffer.from(`signature ${count}`).toString('base64');
}

function call(at: Moment, name: string, args: unknown, more = ''): { readonly call: FakeCall } {
  const id = at.kind === 'openai-compatible' ? `call:${at.count}.${more}` : `toolu_${at.count}${more}`;
  const signed = at.kind === 'google' && more !== 'b' && more !== 'y' ? { signature: toSignature(at.count) } : {};
  return { call: { id, name, args, ...signed } };
}

/** The call of the request before, whoever answered it. */
function maskable({ kind, count }: Moment): string {
  return kind === 'openai-compatible' ? `call:${count - 1}.` : `toolu_${count - 1}`;
}

function overflow({ kind, window }: Moment): unknown {
  const most = Math.floor(window * 0.9);
  switch (kind) {
    case 'anthropic':
      return {
        type: 'error',
        error: { type: 'invalid_request_error', message: `prompt is too long: ${window} tokens > ${most} maximum` },
      };
    case 'google':
      return {
        error: {
          code: 400,
          message: `The input token count (${window}) exceeds the maximum number of tokens allowed (${most}).`,
          status: 'INVALID_ARGUMENT',
        },
      };
    default:
      return {
        error: { message: `This model's maximum context length is ${most} tokens.`, code: 'context_length_exceeded' },
      };
  }
}
