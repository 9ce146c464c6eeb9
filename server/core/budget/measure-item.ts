import type { Cut } from '@/server/contract/shapes';
import {
  type AssistantContent,
  type ResultContent,
  toAssistantMessage,
  toUserMessage,
  toViewResult,
  type UserContent,
} from '@/server/core/projection/model-view-item';
import { toItemText } from '@/server/core/projection/model-view-text';
import { cutAtCap } from './cut-text';
import { measureMessage, measureResult } from './measure';

/** An item before it is appended, or as it stands in the log. Result fields that default may be left out. */
export type MeasuredItem =
  | ({ readonly type: 'message.user' } & UserContent)
  | ({ readonly type: 'message.assistant' } & Omit<AssistantContent, 'artifacts'> & Partial<AssistantContent>)
  | ({ readonly type: 'tool.result' } & Omit<ResultContent, 'isError' | 'cap'> & Partial<ResultContent>);

export interface ItemBytes {
  /** The whole item. */
  readonly bytes: number;
  /** As the view shows it from its first appearance, its cap applied (M4). */
  readonly viewBytes: number;
}

/** Stands for the number and id an item will have: as long as any real ones, so a view never measures more. */
const LONGEST_NAME = { number: 9_999_999, id: '7ZZZZZZZZZZZZZZZZZZZZZZZZZ' } as const;

/**
 * What an item measures (`contract.md` 7), counted once, when it is appended, and stored with it (perf-C1). It holds
 * its frame, and reasoning and provider data as its own model gets them back; what a view measures is never more.
 */
export function measureItem(item: MeasuredItem): ItemBytes {
  if (item.type === 'tool.result') {
    const viewBytes = measureFramed(item, item.cap ?? null);
    return { bytes: item.cap ? measureFramed(item, null) : viewBytes, viewBytes };
  }
  const rendered =
    item.type === 'message.user'
      ? toUserMessage(item, LONGEST_NAME, null)
      : toAssistantMessage({ artifacts: [], ...item }, LONGEST_NAME, { action: null, model: item.model });
  const bytes = rendered === null ? 0 : measureMessage(rendered.message);
  return { bytes, viewBytes: bytes };
}

function measureFramed(item: Extract<MeasuredItem, { type: 'tool.result' }>, cap: Cut | null): number {
  const content = { ...item, isError: item.isError ?? false, cap };
  return measureResult(toViewResult(content, LONGEST_NAME, { mask: null, action: null }).result);
}

/** The cap of a result that is about to be appended: null where its text fits (M4). `capBytes`: `capFor`. */
export function planResultCap(content: Pick<ResultContent, 'parts'>, capBytes: number): Cut | null {
  return cutAtCap(toItemText(content, LONGEST_NAME.number), capBytes);
}
