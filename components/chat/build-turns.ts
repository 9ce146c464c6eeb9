import type {
  AssistantMessage,
  Message,
  NoteMessage,
  SummaryMessage,
  ToolMessage,
  TrimMessage,
  UserMessage,
} from '@/server/contract/message';
import type { MessagePart, ShownToolCallPart } from '@/server/contract/view-parts';
import type { RunningReply } from '../sync/fold-stream';

/** One call of a tool with what came back, as one line of a steps box. */
export interface Step {
  readonly key: string;
  readonly call: ShownToolCallPart;
  readonly result: ToolMessage | null;
  /** The reply that holds the call is still being written. */
  readonly live: boolean;
}

export type Piece =
  | { readonly kind: 'text'; readonly key: string; readonly text: string; readonly live: boolean }
  | { readonly kind: 'reasoning'; readonly key: string; readonly text: string; readonly live: boolean }
  | { readonly kind: 'steps'; readonly key: string; readonly steps: readonly Step[] }
  | {
      readonly kind: 'attachment';
      readonly key: string;
      readonly part: Extract<MessagePart, { type: 'image' | 'file' }>;
    };

/** Everything an agent said and did in one go, with the notes of how it ended. */
export interface ReplyBlock {
  readonly kind: 'reply';
  readonly key: string;
  readonly at: string;
  readonly turnId: string | null;
  readonly messages: readonly AssistantMessage[];
  readonly pieces: readonly Piece[];
  readonly live: boolean;
  readonly ends: readonly NoteMessage[];
}

export type Block =
  | { readonly kind: 'user'; readonly key: string; readonly message: UserMessage }
  | ReplyBlock
  | { readonly kind: 'summary'; readonly key: string; readonly message: SummaryMessage }
  | { readonly kind: 'trim'; readonly key: string; readonly message: TrimMessage }
  | { readonly kind: 'note'; readonly key: string; readonly message: NoteMessage };

interface Draft {
  key: string;
  at: string;
  turnId: string | null;
  messages: AssistantMessage[];
  pieces: Piece[];
  live: boolean;
  ends: NoteMessage[];
}

function isQueued(message: Message): boolean {
  return message.role === 'user' && message.metadata.queued;
}

function addStep(draft: Draft, step: Step): void {
  const last = draft.pieces.at(-1);
  if (last?.kind !== 'steps') draft.pieces.push({ kind: 'steps', key: step.key, steps: [step] });
  else draft.pieces[draft.pieces.length - 1] = { ...last, steps: [...last.steps, step] };
}

function addParts(draft: Draft, message: AssistantMessage, results: ReadonlyMap<string, ToolMessage>): void {
  message.parts.forEach((part, index) => {
    const key = `${message.id}-${index}`;
    if (part.type === 'tool_call') {
      addStep(draft, { key, call: part, result: results.get(`${message.id} ${part.callId}`) ?? null, live: false });
    } else if (part.type === 'text' || part.type === 'reasoning') {
      if (part.text.trim() !== '') draft.pieces.push({ kind: part.type, key, text: part.text, live: false });
    } else if (part.type !== 'tool_result') draft.pieces.push({ kind: 'attachment', key, part });
  });
}

/** Half-written arguments are shown as the text they are; whole ones as what they say. */
function parseArgs(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function addRunning(draft: Draft, running: RunningReply): void {
  draft.live = true;
  running.parts.forEach((part, index) => {
    const key = `${running.messageId}-${index}`;
    const last = index === running.parts.length - 1;
    if (part.kind !== 'tool_call') {
      if (part.text.trim() !== '') draft.pieces.push({ kind: part.kind, key, text: part.text, live: last });
      return;
    }
    const { callId, name } = part.call ?? { callId: key, name: '' };
    const call: ShownToolCallPart = { type: 'tool_call', callId, name, args: parseArgs(part.text), state: 'announced' };
    addStep(draft, { key, call, result: null, live: true });
  });
}

/** Results by the reply they belong to: ids of calls are a provider's own and may come again in a later reply. */
function pairResults(messages: readonly Message[]): ReadonlyMap<string, ToolMessage> {
  const results = new Map<string, ToolMessage>();
  let owner = '';
  for (const message of messages) {
    if (message.role === 'assistant') owner = message.id;
    else if (message.role === 'tool') results.set(`${owner} ${message.metadata.callId}`, message);
  }
  return results;
}

const endNotes: ReadonlySet<string> = new Set(['turn_ended', 'interrupted']);

function newDraft(key: string, at: string, turnId: string | null): Draft {
  return { key, at, turnId, messages: [], pieces: [], live: false, ends: [] };
}

/**
 * The transcript as it is drawn: one block for each thing a person said, one for everything an agent did until the next,
 * boundaries and notes between them. Messages that wait are not in it.
 */
export function buildBlocks(messages: readonly Message[]): readonly Block[] {
  const results = pairResults(messages);
  const blocks: Block[] = [];
  let draft: Draft | null = null;
  const close = () => {
    if (draft) blocks.push({ kind: 'reply', ...draft });
    draft = null;
  };
  for (const message of messages) {
    if (isQueued(message) || message.role === 'tool') continue;
    if (message.role === 'assistant') {
      if (draft && draft.turnId !== message.metadata.turnId) close();
      draft ??= newDraft(message.id, message.at, message.metadata.turnId);
      draft.messages.push(message);
      addParts(draft, message, results);
    } else if (message.role === 'note' && endNotes.has(message.metadata.kind) && draft) {
      draft.ends.push(message);
    } else {
      close();
      blocks.push(toBlock(message));
    }
  }
  close();
  return blocks;
}

/**
 * The blocks with the reply that is being written: joined to the last one where that belongs to the same turn. All
 * others are the same objects, so that a frame of streaming draws one block and no other.
 */
export function withRunning(blocks: readonly Block[], running: RunningReply | null): readonly Block[] {
  if (running === null) return blocks;
  const last = blocks.at(-1);
  const joins = last?.kind === 'reply' && last.turnId === running.turnId;
  const draft = joins ? { ...last, pieces: [...last.pieces] } : newDraft(running.messageId, '', running.turnId);
  const open: Draft = { ...draft, messages: [...draft.messages], ends: [...draft.ends] };
  addRunning(open, running);
  return [...(joins ? blocks.slice(0, -1) : blocks), { ...open, kind: 'reply' }];
}

function toBlock(message: UserMessage | SummaryMessage | TrimMessage | NoteMessage): Block {
  const key = message.id;
  if (message.role === 'user') return { kind: 'user', key, message };
  if (message.role === 'summary') return { kind: 'summary', key, message };
  if (message.role === 'trim') return { kind: 'trim', key, message };
  return { kind: 'note', key, message };
}

/** A stretch of the transcript that ends with the boundary covering it; the last one ends with the conversation. */
export interface Segment {
  readonly boundary: SummaryMessage | null;
  readonly messages: readonly Message[];
}

/** The end of a turn that a summary covers, as far as it stands behind it: older than the summary, and nothing of its turn follows. */
function isCoveredEnd(message: Message, boundary: SummaryMessage, after: readonly Message[]): boolean {
  if (message.role !== 'note' || !endNotes.has(message.metadata.kind) || message.seq > boundary.seq) return false;
  const { turnId } = message.metadata;
  return !after.some(
    (other) => other.role !== 'note' && 'turnId' in other.metadata && other.metadata.turnId === turnId,
  );
}

/** Cut at the summaries that were not taken back; how a covered turn ended is covered with it. */
export function cutSegments(messages: readonly Message[]): readonly Segment[] {
  const segments: Segment[] = [];
  let open: Message[] = [];
  for (const message of messages) {
    if (message.role === 'summary' && !message.metadata.reverted) {
      segments.push({ boundary: message, messages: open });
      open = [];
    } else open.push(message);
  }
  const whole = [...segments, { boundary: null, messages: open }];
  return whole.map((segment, index) => {
    const [above, below] = [whole[index - 1], whole[index + 1]];
    const { boundary } = segment;
    const own = above?.boundary ? withoutEnds(segment.messages, above.boundary).kept : segment.messages;
    const ends = boundary && below ? withoutEnds(below.messages, boundary).ends : [];
    return own === segment.messages && ends.length === 0 ? segment : { boundary, messages: [...own, ...ends] };
  });
}

function withoutEnds(
  messages: readonly Message[],
  boundary: SummaryMessage,
): { readonly kept: readonly Message[]; readonly ends: readonly Message[] } {
  const ends = messages.filter((message) => isCoveredEnd(message, boundary, messages));
  return { ends, kept: ends.length === 0 ? messages : messages.filter((message) => !ends.includes(message)) };
}
