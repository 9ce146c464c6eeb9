import type { FakeKind } from './fakes';

/** A request body, and what the address names. */
export interface SentBody {
  readonly body: Readonly<Record<string, unknown>>;
  readonly model?: string;
  /** Sent as it is, instead of the body's JSON. */
  readonly text?: string;
}

type Broken = readonly (readonly [refusal: string, sent: SentBody])[];

/** Every fake of the table runs with these limits. */
export const TABLE_LIMITS = { windowTokens: 4_000_000, maxOutputTokens: 1_000, strictTemplate: true } as const;
const HUGE = 'word '.repeat(2_700_000);
const LONE = (text: string) => text.replace('HALF', '\\ud83d');
const BIG_IMAGE = (bytes: number) => 'A'.repeat(bytes);

const chat = (messages: readonly unknown[], more: Readonly<Record<string, unknown>> = {}): SentBody => ({
  body: { model: 'm', messages, ...more },
});
const said = (role: string, content: unknown) => ({ role, content });
const chatCall = (id: string, args = '{}') => ({ id, type: 'function', function: { name: 'ls', arguments: args } });
const chatCalls = (...calls: readonly unknown[]) => ({ role: 'assistant', content: null, tool_calls: calls });
const chatResult = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'a.txt' });
const HI = said('user', 'hi');

const CHAT: Broken = [
  ['lone_surrogate', { body: {}, text: LONE(JSON.stringify(chat([said('user', 'HALF')]).body)) }],
  ['body_limit', chat([said('user', BIG_IMAGE(26_300_000))])],
  ['role', chat([said('function', 'x')])],
  ['late_system', chat([HI, said('system', 'be brief')])],
  ['role_order', chat([HI, HI])],
  ['role_order', chat([said('assistant', 'hello')])],
  ['user_after_tool', chat([HI, chatCalls(chatCall('a')), chatResult('a'), HI])],
  ['empty_content', chat([said('user', ' ')])],
  ['empty_content', chat([HI, said('assistant', '')])],
  ['orphan_result', chat([HI, said('assistant', 'x'), chatResult('a')])],
  ['orphan_result', chat([HI, chatCalls(chatCall('a')), chatResult('a'), chatResult('b')])],
  ['missing_result', chat([HI, chatCalls(chatCall('a'), chatCall('b')), chatResult('a')])],
  ['double_result', chat([HI, chatCalls(chatCall('a')), chatResult('a'), chatResult('a')])],
  ['call_id', chat([HI, chatCalls(chatCall('a'.repeat(41))), chatResult('a'.repeat(41))])],
  ['arguments', chat([HI, chatCalls(chatCall('a', '{"path":"a.')), chatResult('a')])],
  ['arguments', chat([HI, chatCalls(chatCall('a', '["a"]')), chatResult('a')])],
  ['ceiling', chat([HI], { max_tokens: 1_001 })],
  ['window', chat([said('user', HUGE)])],
];

const respond = (
  input: readonly unknown[],
  more: Readonly<Record<string, unknown>> = {},
  model = 'gpt-5',
): SentBody => ({
  body: { model, input, ...more },
});
const fn = (callId: string, args = '{}') => ({ type: 'function_call', call_id: callId, name: 'ls', arguments: args });
const fnOut = (callId: string) => ({ type: 'function_call_output', call_id: callId, output: 'a.txt' });
const thought = (encrypted: string | null) => ({
  type: 'reasoning',
  id: 'rs_1',
  summary: [],
  ...(encrypted === null ? {} : { encrypted_content: encrypted }),
});

const RESPONSES: Broken = [
  ['lone_surrogate', { body: {}, text: LONE(JSON.stringify(respond([said('user', 'HALF')]).body)) }],
  ['body_limit', respond([said('user', BIG_IMAGE(50_100_000))])],
  ['role', respond([said('tool', 'x')])],
  ['empty_content', respond([said('user', [{ type: 'input_text', text: '' }])])],
  ['empty_content', respond([HI, said('assistant', [])])],
  ['orphan_result', respond([HI, fnOut('a')])],
  ['missing_result', respond([HI, fn('a')])],
  ['missing_result', respond([HI, fn('a'), HI, fnOut('a')])],
  ['double_call_id', respond([HI, fn('a'), fnOut('a'), HI, fn('a'), fnOut('a')])],
  ['call_id', respond([HI, fn('a'.repeat(65)), fnOut('a'.repeat(65))])],
  ['arguments', respond([HI, fn('a', '{"path'), fnOut('a')])],
  ['signature', respond([HI, thought('FOREIGN'), said('assistant', 'x')])],
  ['not_stored', respond([HI, thought(null), said('assistant', 'x')])],
  ['not_stored', respond([HI, { type: 'item_reference', id: 'msg_1' }])],
  ['reasoning_alone', respond([HI, thought('OWN'), HI])],
  ['follower_alone', respond([HI, { ...fn('a'), id: 'fc_1' }, fnOut('a')])],
  ['effort', respond([HI], { reasoning: { effort: 'none' } }, 'gpt-5')],
  ['effort', respond([HI], { reasoning: { effort: 'minimal' } }, 'gpt-5.1')],
  ['effort', respond([HI], { reasoning: { effort: 'low' } }, 'gpt-4.1')],
  ['ceiling', respond([HI], { max_output_tokens: 1_001 })],
  ['ceiling', respond([HI], { max_output_tokens: 15 })],
  ['window', respond([said('user', HUGE)])],
];

const claude = (messages: readonly unknown[], more: Readonly<Record<string, unknown>> = {}): SentBody => ({
  body: { model: 'm', max_tokens: 1_000, messages, tools: [{ name: 'ls' }], ...more },
});
const use = (id: string, input: unknown = {}) => ({ type: 'tool_use', id, name: 'ls', input });
const used = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'a.txt' });
const words = (text: string) => ({ type: 'text', text });
const thinking = (text: string, signature = 'OWN') => ({ type: 'thinking', thinking: text, signature });
const budget = (tokens: number) => ({ thinking: { type: 'enabled', budget_tokens: tokens } });
const marks = (count: number) =>
  Array.from({ length: count }, () => ({ ...words('x'), cache_control: { type: 'ephemeral' } }));

const ANTHROPIC: Broken = [
  ['lone_surrogate', { body: {}, text: LONE(JSON.stringify(claude([said('user', 'HALF')]).body)) }],
  ['body_limit', claude([said('user', BIG_IMAGE(32_100_000))])],
  ['role', claude([HI, said('system', 'x')])],
  ['first_role', claude([said('assistant', 'x'), HI])],
  ['last_role', claude([HI, said('assistant', 'x')])],
  ['empty_content', claude([said('user', [])])],
  ['empty_text', claude([said('user', [words('')])])],
  ['empty_text', claude([HI, said('assistant', [words(' \n')]), HI])],
  ['missing_result', claude([HI, said('assistant', [use('a')]), HI])],
  ['missing_result', claude([HI, said('assistant', [use('a'), use('b')]), said('user', [used('a')])])],
  ['orphan_result', claude([said('user', [used('a')])])],
  ['orphan_result', claude([HI, said('assistant', [use('a')]), said('user', [used('a'), used('b')])])],
  ['double_result', claude([HI, said('assistant', [use('a')]), said('user', [used('a'), used('a')])])],
  ['result_after_text', claude([HI, said('assistant', [use('a')]), said('user', [words('x'), used('a')])])],
  ['call_id', claude([HI, said('assistant', [use('a.b')]), said('user', [used('a.b')])])],
  [
    'double_call_id',
    claude([
      HI,
      said('assistant', [use('a')]),
      said('user', [used('a')]),
      said('assistant', [use('a')]),
      said('user', [used('a')]),
    ]),
  ],
  ['arguments', claude([HI, said('assistant', [use('a', '{"path"')]), said('user', [used('a')])])],
  ['undefined_tools', claude([HI, said('assistant', [use('a')]), said('user', [used('a')])], { tools: [] })],
  ['signature', claude([HI, said('assistant', [thinking('altered'), words('x')]), HI])],
  ['signature', claude([HI, said('assistant', [thinking('own', 'FOREIGN'), words('x')]), HI])],
  ['signature', claude([HI, said('assistant', [{ type: 'redacted_thinking', data: 'FOREIGN' }, words('x')]), HI])],
  ['unfinished_thinking', claude([HI, said('assistant', [use('a')]), said('user', [used('a')])], budget(1_024))],
  ['thinking_kind', { ...claude([HI], { ...budget(1_024), model: 'claude-opus-4-7' }) }],
  ['thinking_budget', claude([HI], budget(1_000))],
  ['thinking_budget', claude([HI], { ...budget(2_000) })],
  ['ceiling', claude([HI], { max_tokens: 1_001 })],
  ['ceiling', claude([HI], { max_tokens: undefined })],
  ['cache_marks', claude([said('user', marks(5))])],
  [
    'image_bytes',
    claude([
      said('user', [
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: BIG_IMAGE(5_300_000) } },
      ]),
    ]),
  ],
  ['window', claude([said('user', HUGE)])],
];

const gemini = (
  contents: readonly unknown[],
  config: Readonly<Record<string, unknown>> = {},
  model = 'gemini-2.5-pro',
): SentBody => ({
  body: { contents, generationConfig: config },
  model,
});
const turn = (role: string, ...parts: readonly unknown[]) => ({ role, parts });
const g = (text: string) => ({ text });
const gCall = (name: string, more: Readonly<Record<string, unknown>> = {}) => ({
  functionCall: { name, args: {} },
  ...more,
});
const gResult = (name: string) => ({ functionResponse: { name, response: { content: 'a.txt' } } });
const ASK = turn('user', g('hi'));

const GEMINI: Broken = [
  ['lone_surrogate', { body: {}, text: LONE(JSON.stringify(gemini([turn('user', g('HALF'))]).body)) }],
  ['body_limit', gemini([turn('user', g(BIG_IMAGE(21_000_000)))])],
  ['role', gemini([turn('assistant', g('x')), ASK])],
  ['last_role', gemini([ASK, turn('model', g('x'))])],
  ['empty_content', gemini([turn('user')])],
  ['empty_text', gemini([turn('user', g(''))])],
  ['call_turn', gemini([turn('model', gCall('ls')), turn('user', gResult('ls'))])],
  ['orphan_result', gemini([ASK, turn('model', g('x')), turn('user', gResult('ls'))])],
  ['missing_result', gemini([ASK, turn('model', gCall('ls'), gCall('cat')), turn('user', gResult('ls'))])],
  [
    'missing_result',
    gemini([ASK, turn('model', gCall('ls'), gCall('cat')), turn('user', gResult('cat'), gResult('ls'))]),
  ],
  ['missing_result', gemini([ASK, turn('model', gCall('ls')), ASK])],
  [
    'arguments',
    gemini([ASK, turn('model', { functionCall: { name: 'ls', args: '{"path"' } }), turn('user', gResult('ls'))]),
  ],
  [
    'missing_signature',
    gemini([ASK, turn('model', gCall('ls')), turn('user', gResult('ls'))], {}, 'gemini-3-pro-preview'),
  ],
  ['signature', gemini([ASK, turn('model', { ...g('x'), thoughtSignature: 'FOREIGN' }), ASK])],
  ['thinking_budget', gemini([ASK], { thinkingConfig: { thinkingBudget: 0 } })],
  ['thinking_budget', gemini([ASK], { thinkingConfig: { thinkingLevel: 'minimal' } }, 'gemini-3-pro-preview')],
  ['ceiling', gemini([ASK], { maxOutputTokens: 1_001 })],
  ['window', gemini([turn('user', g(HUGE))])],
];

/** By protocol, one request or more for each thing its server refuses; `OWN` is a signature it gave out, for `own`. */
export const BROKEN: Readonly<Record<FakeKind, Broken>> = {
  'openai-compatible': CHAT,
  openai: RESPONSES,
  anthropic: ANTHROPIC,
  google: GEMINI,
};

/** By protocol, requests that are sound: calls, results, signatures of its own, text. */
export const SOUND: Readonly<Record<FakeKind, readonly SentBody[]>> = {
  'openai-compatible': [
    chat([
      said('system', 's'),
      HI,
      chatCalls(chatCall('a'), chatCall('b')),
      chatResult('b'),
      chatResult('a'),
      said('assistant', 'x'),
      HI,
    ]),
  ],
  openai: [
    respond([
      HI,
      thought('OWN'),
      { ...fn('a'), id: 'fc_1' },
      fnOut('a'),
      said('assistant', [{ type: 'output_text', text: 'x' }]),
      HI,
    ]),
    respond([HI], { reasoning: { effort: 'none' } }, 'gpt-5.2'),
  ],
  anthropic: [
    claude([
      HI,
      said('assistant', [thinking('own'), use('a'), use('b')]),
      said('user', [used('a'), used('b'), words('and?')]),
    ]),
    claude([said('user', marks(4))]),
  ],
  google: [
    gemini([
      ASK,
      turn('model', gCall('ls', { thoughtSignature: 'OWN' }), gCall('cat')),
      turn('user', gResult('ls'), gResult('cat')),
    ]),
    gemini(
      [
        ASK,
        turn('model', gCall('ls', { thoughtSignature: 'skip_thought_signature_validator' })),
        turn('user', gResult('ls')),
      ],
      {},
      'gemini-3-pro-preview',
    ),
  ],
};
