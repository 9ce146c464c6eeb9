import { createHash } from 'node:crypto';
import type { ProviderKind } from '@/server/ports/model';

/** What each protocol takes as a call id; Google and most compatible servers take anything. */
const ALPHABETS: Readonly<Record<ProviderKind, RegExp>> = {
  anthropic: /^[A-Za-z0-9_-]{1,64}$/,
  openai: /^[A-Za-z0-9_-]{1,64}$/,
  google: /^.{1,128}$/s,
  'openai-compatible': /^[A-Za-z0-9_.:-]{1,64}$/,
  embedded: /^.{1,128}$/s,
};

/** The id as the target takes it: itself where its alphabet allows, else always the same short hash of it (contract 10). */
export function toCallId(kind: ProviderKind, callId: string): string {
  if (ALPHABETS[kind].test(callId)) return callId;
  return `call_${createHash('sha256').update(callId.toWellFormed()).digest('hex').slice(0, 24)}`;
}
