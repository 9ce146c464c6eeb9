import { createHash } from 'node:crypto';
import type { ProviderKind } from '@/server/ports/model';
import type { Target } from './target';

/**
 * What each protocol takes as a call id. Chat completions: OpenAI takes 40 characters at most
 * (github.com/agno-agi/agno/issues/5382, 2025-11-11); Google and most compatible servers take anything.
 */
const ALPHABETS: Readonly<Record<ProviderKind, RegExp>> = {
  anthropic: /^[A-Za-z0-9_-]{1,64}$/,
  openai: /^[A-Za-z0-9_-]{1,64}$/,
  google: /^.{1,128}$/s,
  'openai-compatible': /^[A-Za-z0-9_.:-]{1,40}$/,
  embedded: /^.{1,128}$/s,
};

/** Nine letters and digits: Mistral's API and templates (github.com/anomalyco/opencode/issues/1680, 2025-08-07). */
const SHORT = /^[A-Za-z0-9]{9}$/;

/** The id as the target takes it: itself where its alphabet allows, else always the same short hash of it (contract 10). */
export function toCallId(target: Pick<Target, 'kind' | 'shortCallIds'>, callId: string): string {
  if ((target.shortCallIds ? SHORT : ALPHABETS[target.kind]).test(callId)) return callId;
  const hash = createHash('sha256').update(callId.toWellFormed()).digest('hex');
  return target.shortCallIds ? hash.slice(0, 9) : `call_${hash.slice(0, 24)}`;
}
