import type {
  ViewMessage,
  ViewText,
  ViewToolCall,
  ViewToolMessage,
  ViewToolResult,
} from '@/server/core/projection/view-message';

/** An entry with what its place in the request means; kept through every later step. */
export interface PlacedMessage {
  readonly message: ViewMessage;
  /** Belongs to the running turn. */
  readonly inTurn: boolean;
  /** The cache mark stands at the end of this entry. */
  readonly isCacheEnd: boolean;
}

const NO_RESULT = 'No result: this branch of the conversation ends before one.';

/**
 * The last check before a request is built (case-B01, case-B02): every call has exactly one result, in call order, in one
 * tool message right after it; a result without a call becomes quoted text. Call ids that occur twice in a conversation
 * are told apart. A sound view passes unchanged; `model-view` promises one, but one 400 here would repeat for ever.
 */
export function mendPairs(entries: readonly PlacedMessage[]): PlacedMessage[] {
  const mended: PlacedMessage[] = [];
  const timesSeen = new Map<string, number>();
  for (let at = 0; at < entries.length; at += 1) {
    const entry = entries[at];
    if (entry === undefined) break;
    if (entry.message.role === 'tool') {
      mended.push({ ...entry, message: quoteResults(entry.message.results) });
      continue;
    }
    const calls = callsOf(entry.message);
    if (calls.length === 0) {
      mended.push(entry);
      continue;
    }
    const batch = gatherBatch(entries, at + 1);
    at += batch.length;
    mended.push(...mendBatch({ entry, calls, batch, timesSeen }));
  }
  return mended;
}

function callsOf(message: ViewMessage): readonly ViewToolCall[] {
  return message.role === 'assistant' ? message.parts.filter((part) => part.type === 'tool_call') : [];
}

function gatherBatch(entries: readonly PlacedMessage[], from: number): PlacedMessage[] {
  let end = from;
  while (entries[end]?.message.role === 'tool') end += 1;
  return entries.slice(from, end);
}

interface Batch {
  readonly entry: PlacedMessage;
  readonly calls: readonly ViewToolCall[];
  readonly batch: readonly PlacedMessage[];
  readonly timesSeen: Map<string, number>;
}

function mendBatch({ entry, calls, batch, timesSeen }: Batch): PlacedMessage[] {
  const given = batch.flatMap((placed) => (placed.message.role === 'tool' ? placed.message.results : []));
  const answered = new Set<ViewToolResult>();
  const ids = calls.map((call) => toUniqueId(call.callId, timesSeen));
  const results = calls.map((call, index) => {
    const result = given.find((candidate) => candidate.callId === call.callId && !answered.has(candidate));
    if (result !== undefined) answered.add(result);
    return { ...(result ?? toMissing(call)), name: call.name, callId: ids[index] ?? call.callId };
  });
  const place = { inTurn: entry.inTurn, isCacheEnd: batch.some((placed) => placed.isCacheEnd) };
  const orphans = given.filter((result) => !answered.has(result));
  const tool: PlacedMessage = { ...place, message: { role: 'tool', results } satisfies ViewToolMessage };
  const rest = orphans.length === 0 ? [] : [{ ...place, isCacheEnd: false, message: quoteResults(orphans) }];
  return [{ ...entry, message: renameCalls(entry.message, ids) }, tool, ...rest];
}

/**
 * The first use keeps its id, the second gets `_2`, or the next number that no call before it has: decided by order
 * alone, so a longer view never renames an earlier call.
 */
function toUniqueId(callId: string, timesSeen: Map<string, number>): string {
  let times = (timesSeen.get(callId) ?? 0) + 1;
  let own = times === 1 ? callId : `${callId}_${times}`;
  while (times > 1 && timesSeen.has(own)) {
    times += 1;
    own = `${callId}_${times}`;
  }
  timesSeen.set(callId, times);
  if (own !== callId) timesSeen.set(own, 1);
  return own;
}

function renameCalls(message: ViewMessage, ids: readonly string[]): ViewMessage {
  if (message.role !== 'assistant') return message;
  let next = 0;
  const parts = message.parts.map((part) => {
    if (part.type !== 'tool_call') return part;
    const callId = ids[next] ?? part.callId;
    next += 1;
    return callId === part.callId ? part : { ...part, callId };
  });
  return { role: 'assistant', parts };
}

function toMissing(call: ViewToolCall): ViewToolResult {
  const tool = call.name.replaceAll(/[^A-Za-z0-9_.:-]/g, '_');
  return {
    callId: call.callId,
    name: call.name,
    isError: false,
    text: `<tool_result tool="${tool}" state="none">\n${NO_RESULT}\n</tool_result>`,
  };
}

function quoteResults(results: readonly ViewToolResult[]): ViewMessage {
  const parts: ViewText[] = results.map((result) => ({ type: 'text', text: result.text }));
  return { role: 'user', parts };
}
