import { type PlanLine, readFramedResults, readPlanBlock } from './conversation-text';
import type { PracticeRequest } from './practice-request';
import { COMPACT_TEXT, HELP_TEXT, toIncompleteText, toMissingToolText, toUnknownText } from './practice-texts';

/** What the rules decided: text to say, and at most one tool to call. */
export interface PracticeAnswer {
  readonly text: string;
  readonly call: { readonly name: string; readonly args: Readonly<Record<string, unknown>> } | null;
}

type Rule = readonly [pattern: RegExp, act: (groups: readonly string[], request: PracticeRequest) => PracticeAnswer];

/** The table of contract 18, in its order; the first match acts. Whole messages only, letter case ignored. */
const RULES: readonly Rule[] = [
  [
    /^(?:help|\?|hi|hello|hey|good (?:morning|day|evening)|thanks?(?: you)?|what can you do|who are you)?[\s.!?]*$/i,
    () => say(HELP_TEXT),
  ],
  [
    /^(?:list|ls|files)(?: (?:all |the |my )*files?)?(?: (?:in|of|under))?(?:\s+(\S.*?))?[?.!]?$/i,
    ([path]) => call('list_files', { path: toPath(path ?? '') }),
  ],
  [
    /^(?:read|open|show)(?: (?:the )?file)?\s+(\S.*?)[?!]?$/i,
    ([path]) => call('read_file', { path: toPath(path ?? '') }),
  ],
  [/^(?:find|search)(?: for)?\s+(\S[\s\S]*?)[?!]?$/i, ([text]) => call('search_files', { text: unquote(text ?? '') })],
  [/^write\s+(\S+?):\s+([\s\S]+)$/i, ([path, text]) => call('write_file', { path: path ?? '', text: text ?? '' })],
  [
    /^replace\s+([\s\S]+?)\s+with\s+([\s\S]+?)\s+in\s+(\S+)$/i,
    ([a, b, path]) => call('edit_file', { path: path ?? '', find: unquote(a ?? ''), replace: unquote(b ?? '') }),
  ],
  [/^plan:?\s+(\S[\s\S]*)$/i, ([items]) => call('update_plan', { items: toPlan(items ?? '') })],
  [/^done\s+(\d+)[.!]?$/i, ([number], request) => tickOff(Number(number), request)],
  [/^keep\s+(\S[\s\S]*)$/i, ([text]) => call('carry_over', { text: text ?? '' })],
  [/^mask[.!]?$/i, (_groups, request) => maskNewest(request)],
  [/^recall\s+(?:items? )?(\d+(?:-\d+)?)$/i, ([what]) => call('recall', { what: what ?? '' })],
  [/^recall\s+(\S[\s\S]*)$/i, ([text]) => call('recall', { text: unquote(text ?? '') })],
  [/^(?:tour|take the tour|give me a tour)[.!]?$/i, () => call('list_files', { path: '', depth: 4 })],
  [/^\/?compact[.!]?$/i, () => say(COMPACT_TEXT)],
];

/** Answers a person's message by the first rule that fits; a tool that is not offered is said to be missing. */
export function answerMessage(message: string, request: PracticeRequest): PracticeAnswer {
  const plain = message
    .trim()
    .replace(/^(?:please|can you|could you|would you)\s+/i, '')
    .replace(/\s+please[.!]?$/i, '');
  for (const [pattern, act] of RULES) {
    const found = pattern.exec(plain);
    if (found === null) continue;
    const answer = act(found.slice(1), request);
    return answer.call === null || request.tools.has(answer.call.name)
      ? answer
      : say(toMissingToolText(answer.call.name));
  }
  return say(toUnknownText());
}

/** An answer in words, without a call. */
export function say(text: string): PracticeAnswer {
  return { text, call: null };
}

function call(name: string, args: Readonly<Record<string, unknown>>): PracticeAnswer {
  return { text: '', call: { name, args } };
}

function toPath(text: string): string {
  const bare = unquote(text);
  return bare === '.' || bare === '/' ? '' : bare.replace(/^\.?\//, '');
}

function unquote(text: string): string {
  return text.trim().replace(/^(["'`])([\s\S]*)\1$/, '$2');
}

function toPlan(items: string): readonly PlanLine[] {
  const texts = items
    .split(';')
    .map((item) => item.trim())
    .filter((item) => item !== '');
  return texts.map((text, index) => ({ text, status: index === 0 ? 'active' : 'pending' }));
}

function tickOff(number: number, request: PracticeRequest): PracticeAnswer {
  const plan = findPlan(request);
  if (plan === null || plan[number - 1] === undefined)
    return say(toIncompleteText(`I see no item ${number} in the plan. \`plan draft; review\` makes one.`));
  const ticked = plan.map((item, index) => (index === number - 1 ? { ...item, status: 'done' as const } : item));
  const next = ticked.findIndex((item) => item.status === 'pending');
  const hasActive = ticked.some((item) => item.status === 'active');
  return call('update_plan', {
    items: ticked.map((item, index) => (!hasActive && index === next ? { ...item, status: 'active' } : item)),
  });
}

/** The newest plan the request shows: a block the application wrote, or an earlier call of update_plan. */
function findPlan(request: PracticeRequest): readonly PlanLine[] | null {
  for (const message of [...request.messages].reverse()) {
    const block = readPlanBlock(message.text);
    if (block !== null) return block;
    const update = message.calls.findLast((one) => one.name === 'update_plan');
    const items = update === undefined ? null : toPlanLines(update.args);
    if (items !== null) return items;
  }
  return null;
}

function toPlanLines(args: unknown): readonly PlanLine[] | null {
  if (typeof args !== 'object' || args === null || !('items' in args) || !Array.isArray(args.items)) return null;
  return args.items.map((item: unknown) => {
    const line = typeof item === 'object' && item !== null ? item : {};
    const status = 'status' in line ? line.status : null;
    return {
      text: 'text' in line ? String(line.text) : '',
      status: status === 'done' || status === 'active' ? status : 'pending',
    };
  });
}

function maskNewest(request: PracticeRequest): PracticeAnswer {
  const results = request.messages
    .filter((message) => message.role === 'tool')
    .flatMap((message) => readFramedResults(message.text));
  const newest = results.findLast((result) => result.item !== null);
  if (newest?.item == null)
    return say(toIncompleteText('There is no tool result yet that I could mask. Try `read README.md` first.'));
  return call('mask_tool_result', { item: newest.item, note: `Result of ${newest.tool}, no longer needed.` });
}
