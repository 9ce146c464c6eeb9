import type { Cut, Part } from '@/server/contract/shapes';
import { cutAtCap, cutText } from '@/server/core/budget/cut-text';
import { measureMessage, measureResult, measureText } from '@/server/core/budget/measure';
import { toItemText } from '@/server/core/projection/model-view-text';
import { frameResult, toErrorText, toShortenedResult } from '@/server/core/projection/view-texts';
import { toSummaryText } from '@/server/core/projection/view-texts-summary';

/** The stored measures of imported items (`contract.md` 7): what the view would send for each. */

/** Of a message of a person or a reply: its parts, provider data apart. */
export function measureParts(parts: readonly Part[]): number {
  return parts.reduce((sum, part) => sum + measurePart(part), 0);
}

function measurePart(part: Part): number {
  if (part.type === 'text' || part.type === 'reasoning') return measureText(part.text);
  if (part.type === 'tool_call') return measureMessage({ role: 'assistant', parts: [{ ...part, artifacts: [] }] });
  if (part.type === 'file') return measureText(toItemText({ parts: [part] }, 1));
  const image = { ...part, width: part.width ?? 0, height: part.height ?? 0, item: null };
  return measureMessage({ role: 'user', parts: [image] });
}

interface ResultFacts {
  readonly callId: string;
  readonly name: string;
  readonly parts: readonly Part[];
  readonly isError: boolean;
  readonly number: number;
  readonly capBytes: number;
}

export interface MeasuredResult {
  readonly cap: Cut | null;
  readonly bytes: number;
  readonly viewBytes: number;
}

/** Of a result: whole, and as its cap shows it from its first appearance (M4). */
export function measureToolResult({ callId, name, parts, isError, number, capBytes }: ResultFacts): MeasuredResult {
  const text = toItemText({ parts: [...parts] }, number);
  const measure = (state: 'shortened' | 'error' | null, shown: string) =>
    measureResult({ callId, name, isError, text: frameResult({ tool: name, item: number, state, text: shown }) });
  const bytes = isError ? measure('error', toErrorText(text)) : measure(null, text);
  const cap = cutAtCap(text, capBytes);
  const cut = cap ? cutText(text, cap) : null;
  if (!cap || !cut) return { cap: null, bytes, viewBytes: bytes };
  // An id has 26 characters; which one it is does not change the measure.
  return { cap, bytes, viewBytes: measure('shortened', toShortenedResult({ number, id: '0'.repeat(26) }, cut)) };
}

/** Of an imported summary as installed: in the frame every summary has. */
export function measureSummary(body: string, through: { readonly number: number; readonly id: string }): number {
  const content = { checkpointId: through.id, body, throughNumber: through.number, throughId: through.id };
  return measureText(toSummaryText({ ...content, carried: [], stale: [] }, null).text);
}
