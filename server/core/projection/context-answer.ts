import type { ContextAnswer, ContextMeter, ConversationPart, WindowSource } from '@/server/contract/context';
import type { Numbers } from '@/server/core/budget/numbers';
import type { EntryAccount, ModelView, ViewEntry } from './model-view-shape';
import type { SessionState } from './state-shape';

const PREVIEW_CHARACTERS = 200;

export interface ContextAnswerInput {
  readonly view: ModelView;
  readonly state: Pick<SessionState, 'items' | 'checkpoint'>;
  readonly numbers: Pick<Numbers, 'budgetBytes' | 'roomBytes'>;
  /** `?full=1`: whole texts instead of previews. */
  readonly full: boolean;
}

/**
 * The answer of `GET …/context`: what the next request would send, piece by piece, and which items each piece stands
 * for (C12). A tool entry is a row for each result; a summary's row names every item it covers.
 */
export function toContextAnswer({ view, state, numbers, full }: ContextAnswerInput): ContextAnswer {
  const rows = view.entries.flatMap((entry) => entry.accounts.map((account) => toRow(entry, account, { state, full })));
  return {
    system: view.system,
    tools: view.tools.map(({ name, description, inputSchema }) => ({ name, description, parameters: inputSchema })),
    entries: rows,
    bytes: view.bytes,
    budgetBytes: numbers.budgetBytes,
    roomBytes: numbers.roomBytes,
  };
}

function toRow(
  { message }: ViewEntry,
  account: EntryAccount,
  { state, full }: Pick<ContextAnswerInput, 'state' | 'full'>,
): ContextAnswer['entries'][number] {
  return {
    role: account.kind === 'plan' ? 'user' : message.role,
    kind: account.kind,
    itemIds: account.kind === 'summary' ? coveredIds(state) : [...account.itemIds],
    bytes: account.bytes,
    preview: full ? account.text : toPreview(account.text),
    note: account.note,
    callId: account.callId,
  };
}

function coveredIds({ items, checkpoint }: ContextAnswerInput['state']): string[] {
  const through = checkpoint?.event.covers.through;
  const end = items.findLastIndex((item) => item.id === through) + 1;
  return items.slice(0, end).map((item) => item.id);
}

/** By characters, so that no pair is cut in half (case-B07). */
function toPreview(text: string): string {
  return Array.from(text.slice(0, 2 * PREVIEW_CHARACTERS))
    .slice(0, PREVIEW_CHARACTERS)
    .join('');
}

export interface ContextMeterInput {
  readonly view: ModelView;
  readonly numbers: Numbers;
  /** `measured` once a reply was measured since the last fold or change of model. */
  readonly basis: ContextMeter['basis'];
  readonly windowTokens: number | null;
  readonly windowSource: WindowSource;
  readonly reportedTokens: number | null;
  readonly deferred: boolean;
}

/** The meter's facts (`contract.md` 7): the floor's parts and the conversation's add up to `usedBytes`. */
export function toContextMeter(input: ContextMeterInput): ContextMeter {
  const { view, numbers } = input;
  return {
    budgetBytes: numbers.budgetBytes,
    roomBytes: numbers.roomBytes,
    usedBytes: view.bytes,
    floor: [...view.floorParts],
    basis: input.basis,
    triggerBytes: numbers.triggerBytes,
    conversation: toConversationParts(view),
    windowTokens: input.windowTokens,
    windowSource: input.windowSource,
    reportedTokens: input.reportedTokens,
    deferred: input.deferred,
    floorTooLarge: numbers.floorTooLarge,
  };
}

function toConversationParts({ body }: ModelView): ConversationPart[] {
  const bytes = { summary: 0, messages: 0, tool_results: 0 };
  for (const { message, accounts } of body) {
    for (const account of accounts) {
      if (account.kind === 'carry_over') continue;
      const part = account.kind === 'summary' ? 'summary' : message.role === 'tool' ? 'tool_results' : 'messages';
      bytes[part] += account.bytes;
    }
  }
  const parts: ConversationPart[] = [
    { part: 'summary', bytes: bytes.summary },
    { part: 'messages', bytes: bytes.messages },
    { part: 'tool_results', bytes: bytes.tool_results },
  ];
  return parts.filter((part) => part.bytes > 0);
}
