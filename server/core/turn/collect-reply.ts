import type { Part } from '@/server/contract/shapes';
import type { ReplyArtifact, ReplyCall, ReplyEnd, ReplyPart } from './model-call';

/** A reply while it streams: its parts in order, and what the provider attached to them. */
export interface PartialReply {
  readonly parts: readonly Part[];
  readonly calls: readonly ReplyCall[];
  readonly artifacts: readonly ReplyArtifact[];
  readonly end: ReplyEnd | null;
}

export const NO_REPLY: PartialReply = { parts: [], calls: [], artifacts: [], end: null };

/** Adds one part of the stream. Parts come by index and in order; text and reasoning of one index are joined. */
export function collectReply(reply: PartialReply, part: ReplyPart): PartialReply {
  switch (part.type) {
    case 'end':
      return { ...reply, end: part };
    case 'artifact':
      return { ...reply, artifacts: [...reply.artifacts, part] };
    case 'tool_call': {
      const own = { ...part, callId: toOwnId(reply.calls, part.callId) };
      const call = { type: own.type, callId: own.callId, name: own.name, args: own.args };
      return { ...reply, parts: place(reply.parts, part.part, call), calls: [...reply.calls, own] };
    }
    case 'text':
    case 'reasoning': {
      const before = reply.parts[part.part];
      const text = before?.type === part.type ? before.text + part.text : part.text;
      return { ...reply, parts: place(reply.parts, part.part, { type: part.type, text }) };
    }
  }
}

/** Two calls of one reply are two calls, also where a provider gives both the same id: the second is `id_2` (T3). */
function toOwnId(before: readonly { readonly callId: string }[], callId: string): string {
  const taken = new Set(before.map((call) => call.callId));
  let times = 1;
  let own = callId;
  while (taken.has(own)) {
    times += 1;
    own = `${callId}_${times}`;
  }
  return own;
}

/** How a reply ended. One whose stream ended without saying so is incomplete: nothing of it is taken for whole. */
export function endOf({ end }: Pick<PartialReply, 'end'>): ReplyEnd {
  return end ?? ENDLESS;
}

const ENDLESS: ReplyEnd = {
  type: 'end',
  end: 'error',
  rawEnd: null,
  natural: false,
  usage: { input: null, output: null, cachedRead: null, cachedWrite: null, reasoning: null },
  requestBytes: 0,
  ceiling: null,
  trouble: {
    kind: 'incomplete',
    status: null,
    code: null,
    text: '',
    requestId: null,
    retryAfterMs: null,
    reportedWindowTokens: null,
    reportedMaxOutputTokens: null,
  },
};

/** The text of a reply, reasoning left out. */
export function textOf(reply: Pick<PartialReply, 'parts'>): string {
  return reply.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

/** Says nothing: no call, no text but blanks. Reasoning alone is nothing (case-A03, case-B04). */
export function isBlankReply(reply: Pick<PartialReply, 'parts'>): boolean {
  return reply.parts.every((part) => part.type === 'reasoning' || (part.type === 'text' && part.text.trim() === ''));
}

function place(parts: readonly Part[], index: number, part: Part): readonly Part[] {
  if (index >= parts.length) return [...parts, part];
  return parts.map((before, at) => (at === index ? part : before));
}
