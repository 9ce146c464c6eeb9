import type { ToolMessage } from '@/server/contract/message';
import type { Step } from './build-turns';

export type StepIcon = 'read' | 'search' | 'list' | 'query' | 'edit' | 'plan' | 'mask' | 'recall' | 'delegate' | 'tool';

/** A call as one line: what was done, to what. */
export interface StepWords {
  readonly icon: StepIcon;
  /** In the past once it is done, else as it happens. */
  readonly verb: string;
  readonly object: string;
  /** For the head of the box: `read`, `file`; counted there as "read 2 files". */
  readonly sum: { readonly verb: string; readonly noun: string; readonly nouns: string };
}

interface Known {
  readonly icon: StepIcon;
  readonly verbs: readonly [done: string, live: string];
  readonly keys: readonly string[];
  readonly sum: StepWords['sum'];
}

const file = { noun: 'file', nouns: 'files' };

const known: Readonly<Record<string, Known>> = {
  read_file: { icon: 'read', verbs: ['Read', 'Reading'], keys: ['path'], sum: { verb: 'read', ...file } },
  list_files: {
    icon: 'list',
    verbs: ['Listed', 'Listing'],
    keys: ['path'],
    sum: { verb: 'listed', noun: 'folder', nouns: 'folders' },
  },
  search_files: {
    icon: 'search',
    verbs: ['Searched', 'Searching'],
    keys: ['text', 'path'],
    sum: { verb: 'searched', noun: 'time', nouns: 'times' },
  },
  write_file: { icon: 'edit', verbs: ['Wrote', 'Writing'], keys: ['path'], sum: { verb: 'wrote', ...file } },
  edit_file: { icon: 'edit', verbs: ['Edited', 'Editing'], keys: ['path'], sum: { verb: 'edited', ...file } },
  update_plan: {
    icon: 'plan',
    verbs: ['Updated', 'Updating'],
    keys: [],
    sum: { verb: 'updated', noun: 'plan', nouns: 'plans' },
  },
  mask_tool_result: {
    icon: 'mask',
    verbs: ['Masked', 'Masking'],
    keys: ['item', 'note'],
    sum: { verb: 'masked', noun: 'result', nouns: 'results' },
  },
  recall: {
    icon: 'recall',
    verbs: ['Recalled', 'Recalling'],
    keys: ['what', 'text'],
    sum: { verb: 'recalled', noun: 'item', nouns: 'items' },
  },
  delegate: {
    icon: 'delegate',
    verbs: ['Delegated', 'Delegating'],
    keys: ['task', 'agent'],
    sum: { verb: 'delegated', noun: 'task', nouns: 'tasks' },
  },
};

/** Names of other tools' habits, as imports bring them: Claude Code and its kin. */
const foreign: Readonly<Record<string, string>> = {
  Read: 'read_file',
  Write: 'write_file',
  Edit: 'edit_file',
  MultiEdit: 'edit_file',
  LS: 'list_files',
  Glob: 'search_files',
  Grep: 'search_files',
  TodoWrite: 'update_plan',
  Task: 'delegate',
};
const foreignKeys = ['file_path', 'path', 'pattern', 'query', 'command', 'description', 'url', 'text', 'what', 'name'];

function readArg(args: unknown, key: string): string {
  if (typeof args !== 'object' || args === null || !Object.hasOwn(args, key)) return '';
  const value: unknown = Reflect.get(args, key);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 300);
}

function objectOf(name: string, args: unknown, keys: readonly string[]): string {
  if (name === 'update_plan') return 'plan';
  if (name === 'search_files') {
    const path = readArg(args, 'path');
    const text = readArg(args, 'text') || readArg(args, 'pattern');
    return oneLine(path === '' ? text : `${text} in ${path}`);
  }
  if (name === 'list_files' && readArg(args, 'path') === '') return 'the workspace';
  const found = [...keys, ...foreignKeys].map((key) => readArg(args, key)).find((text) => text !== '');
  return oneLine(found ?? '');
}

/** A call in words, from its name and its arguments; a tool nobody here knows is named as it is. */
export function describeCall({ call, result, live }: Pick<Step, 'call' | 'result' | 'live'>): StepWords {
  const name = foreign[call.name] ?? call.name;
  const tool = known[name];
  const running = live || (result === null && ['announced', 'running', 'waiting_approval'].includes(call.state));
  if (!tool) {
    const sum = { verb: 'ran', noun: 'tool', nouns: 'tools' };
    const verb = call.name === '' ? 'Calling' : call.name;
    return { icon: 'tool', verb, object: objectOf(name, call.args, []), sum };
  }
  const [done, now] = tool.verbs;
  return { icon: tool.icon, verb: running ? now : done, object: objectOf(name, call.args, tool.keys), sum: tool.sum };
}

/** What a helper was told, as the text it is; null for any other call. */
export function readTask({ name, args }: Step['call']): string | null {
  if ((foreign[name] ?? name) !== 'delegate') return null;
  const text = readArg(args, 'prompt') || readArg(args, 'task');
  return text === '' ? null : text;
}

/** "read 2 files, searched 1 time, edited 1 file", in the order they first came. */
export function sumUpSteps(steps: readonly Step[]): string {
  const sums = new Map<string, { count: number; sum: StepWords['sum'] }>();
  for (const step of steps) {
    const { sum } = describeCall(step);
    const held = sums.get(sum.verb);
    sums.set(sum.verb, { sum, count: (held?.count ?? 0) + 1 });
  }
  return [...sums.values()].map(({ count, sum }) => sayCount(count, sum)).join(', ');
}

function sayCount(count: number, { verb, noun, nouns }: StepWords['sum']): string {
  if (nouns === 'plans') return `${verb} the plan`;
  if (nouns === 'times') return count === 1 ? verb : `${verb} ${count} times`;
  return `${verb} ${count} ${count === 1 ? noun : nouns}`;
}

function countLines(text: string): number {
  return text === '' ? 0 : text.replace(/\n$/, '').split('\n').length;
}

const stateWords = {
  announced: '',
  waiting_approval: 'waiting for you',
  running: 'running',
  done: '',
  failed: 'failed',
  denied: 'not allowed',
  cancelled: 'stopped',
  interrupted: 'interrupted',
  none: 'no result',
} as const;

/** Ends that a person or a stop of the server brought about: no fault of the tool, so nothing opens itself. */
const cutWords: Readonly<Partial<Record<ToolMessage['metadata']['why'], string>>> = {
  denied: 'not allowed',
  cancelled: 'stopped',
  interrupted: 'interrupted',
};

/** What came of a call, in a word or two. */
export function describeResult({ call, result }: Pick<Step, 'call' | 'result'>): {
  readonly text: string;
  readonly failed: boolean;
} {
  const part = result?.parts[0];
  const cut = result ? cutWords[result.metadata.why] : undefined;
  if (cut) return { text: cut, failed: false };
  const failed = call.state === 'failed' || (part?.type === 'tool_result' && part.isError);
  if (failed) return { text: 'failed', failed: true };
  const word = stateWords[call.state];
  if (word !== '') return { text: word, failed: false };
  if (part?.type !== 'tool_result') return { text: '', failed: false };
  if (part.masked) return { text: 'masked', failed: false };
  const lines = countLines(part.output);
  const name = foreign[call.name] ?? call.name;
  if (name === 'search_files' && !part.clipped) {
    if (/^No line holds it/.test(part.output)) return { text: 'no matches', failed: false };
    return { text: lines === 1 ? '1 match' : `${lines} matches`, failed: false };
  }
  if (name === 'update_plan') return { text: planWords(call.args), failed: false };
  if (part.clipped) return { text: `${Math.max(1, Math.round(part.bytes / 1000))}\u00a0kB`, failed: false };
  return { text: lines === 1 ? '1 line' : `${lines} lines`, failed: false };
}

function planWords(args: unknown): string {
  const items: unknown = typeof args === 'object' && args !== null ? Reflect.get(args, 'items') : null;
  if (!Array.isArray(items)) return '';
  const done = items.filter((item) => readArg(item, 'status') === 'done').length;
  return `${done} of ${items.length} done`;
}
