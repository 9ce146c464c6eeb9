import { z } from 'zod';
import { countBytes } from '@/server/contract/text';
import type { Item, SessionState } from '@/server/core/projection/state-shape';
import { cutPages } from './cut-pages';
import { toItemTitle, toRecalledText } from './item-text';
import { answer, defineTool, fail, type Tool } from './tool';

const MAX_RANGE = 500;
const MAX_HITS = 30;
/** Room for the line that says which page this is. */
const PAGE_LINE_BYTES = 120;

/**
 * Reads back what the view no longer shows whole (M5, X9): items by number, range or id, a summary by its
 * checkpoint's id, or items of this session by words. Answers in pages of at most the recall cap.
 */
export const recall: Tool = defineTool({
  name: 'recall',
  description:
    'Reads the original of earlier items of this conversation, also masked, dropped, shortened or summarised ones; or finds items by words.',
  args: z.strictObject({
    what: z
      .union([z.string().trim().min(1).max(200), z.number().int()])
      .optional()
      .describe('"57", "57-60", an item id, or the id of a summary.'),
    text: z.string().trim().min(1).max(500).optional().describe('Words to look for instead.'),
    page: z.number().int().min(1).default(1),
  }),
  run({ what, text, page }, { state, callId, recallCapBytes }) {
    const found = what === undefined ? findWords(state, text, callId) : readPlace(state, String(what));
    if (!found.ok) return fail(found.text);
    const pages = cutPages(found.text, Math.max(200, recallCapBytes - PAGE_LINE_BYTES));
    const shown = pages[page - 1];
    if (shown === undefined) return fail(`There is no page ${page}; the last one is ${pages.length}.`);
    if (pages.length === 1) return answer(shown);
    const next = page < pages.length ? ` Call recall again with page ${page + 1} for the rest.` : '';
    return answer(`Page ${page} of ${pages.length}.${next}\n${shown}`);
  },
});

interface Found {
  readonly ok: boolean;
  readonly text: string;
}

function readPlace(state: SessionState, what: string): Found {
  const name = what.replace(/^items?\s+/i, '').trim();
  const range = /^(\d+)(?:\s*[-–]\s*(\d+))?$/.exec(name);
  if (range !== null) return readRange(state, Number(range[1]), Number(range[2] ?? range[1]));
  const item = state.items.find((one) => one.id === name);
  if (item !== undefined) return { ok: true, text: toBlock(item) };
  const checkpoint = state.path.find((event) => event.id === name);
  if (checkpoint !== undefined && !('unknown' in checkpoint) && checkpoint.type === 'checkpoint.committed') {
    return { ok: true, text: `Summary ${checkpoint.id}, written to save room; nobody said this:\n${checkpoint.text}` };
  }
  return { ok: false, text: `There is no item or summary ${name} in this conversation. To look for words, use text.` };
}

function readRange(state: SessionState, from: number, through: number): Found {
  const last = state.items.length;
  if (from > through) return { ok: false, text: `A range goes upwards: ${through}-${from}.` };
  if (from < 1 || through > last) return { ok: false, text: `Items of this conversation are 1-${last}.` };
  if (through - from >= MAX_RANGE) return { ok: false, text: `Ask for at most ${MAX_RANGE} items at once.` };
  return {
    ok: true,
    text: state.items
      .slice(from - 1, through)
      .map(toBlock)
      .join('\n\n'),
  };
}

function toBlock(item: Item): string {
  const text = toRecalledText(item);
  return `${toItemTitle(item)}, ${countBytes(text)} bytes:\n${text}`;
}

interface Hit {
  readonly item: Item;
  readonly words: number;
  readonly snippet: string;
}

/** Items that hold the most of the words, newest first. Earlier answers of recall are no source, nor is the question that is being answered. */
function findWords(state: SessionState, text: string | undefined, callId: string): Found {
  if (text === undefined) return { ok: false, text: 'Name what to read (what) or words to look for (text).' };
  const words = [...new Set(text.toLowerCase().split(/\s+/))];
  const asks = state.openTurn?.messageId ?? null;
  const sources = state.items.filter((item) => !isOwn(item, callId) && item.id !== asks);
  const hits = sources.flatMap((item) => toHit(item, words));
  const most = Math.max(0, ...hits.map((hit) => hit.words));
  const best = hits.filter((hit) => hit.words === most).reverse();
  if (best.length === 0) return { ok: false, text: 'No item of this conversation holds any of these words.' };
  const lines = best.slice(0, MAX_HITS).map(({ item, snippet }) => `${toItemTitle(item)}: ${snippet}`);
  const more = best.length > MAX_HITS ? [`(${best.length - MAX_HITS} more; use more words)`] : [];
  const count = best.length === 1 ? '1 item' : `${best.length} items`;
  const all =
    most === words.length ? '' : ` ${best.length === 1 ? 'holds' : 'hold'} ${most} of the ${words.length} words`;
  return { ok: true, text: [`${count}${all}. Read one with what.`, ...lines, ...more].join('\n') };
}

function isOwn({ event }: Item, callId: string): boolean {
  if (event.type === 'tool.result') return event.name === 'recall';
  return event.parts.some((part) => part.type === 'tool_call' && part.callId === callId);
}

function toHit(item: Item, words: readonly string[]): readonly Hit[] {
  const text = toRecalledText(item);
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0);
  if (places.length === 0) return [];
  const at = Math.min(...places);
  const from = Math.max(0, at - 60);
  const cut = text
    .slice(from, at + 120)
    .replace(/\s+/g, ' ')
    .trim();
  const snippet = `${from > 0 ? '…' : ''}${cut}${at + 120 < text.length ? '…' : ''}`;
  return [{ item, words: places.length, snippet }];
}
