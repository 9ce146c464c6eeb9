import type { ErrorCode } from '@/server/contract/error';
import type { Trouble, TroubleKind } from './model-call';

const CODES: Readonly<Record<TroubleKind, ErrorCode>> = {
  context: 'provider_context',
  too_large: 'provider_too_large',
  rate_limit: 'provider_rate_limited',
  quota: 'provider_quota',
  overload: 'provider_overloaded',
  auth: 'provider_auth',
  network: 'provider_network',
  server: 'provider_server',
  refusal: 'provider_refusal',
  invalid_request: 'provider_invalid_request',
  stall: 'provider_stalled',
  cancelled: 'cancelled',
  incomplete: 'provider_incomplete',
  unknown: 'provider_unknown',
};

const TEXTS: Readonly<Record<TroubleKind, (provider: string) => string>> = {
  context: (provider) => `The conversation does not fit the window of the model at ${provider}, not even shortened.`,
  too_large: (provider) => `${provider} says that the request is too large.`,
  rate_limit: (provider) => `${provider} is limiting requests. Your message is kept; try again in a moment.`,
  quota: (provider) => `The quota or credit at ${provider} is used up. Your message is kept.`,
  overload: (provider) => `${provider} is overloaded. Your message is kept; try again in a moment.`,
  auth: (provider) => `The key for ${provider} was refused. Check it in Settings, or use another model.`,
  network: (provider) => `${provider} could not be reached at its address. Your message is kept.`,
  server: (provider) => `${provider} answered with an error of its own. Your message is kept.`,
  refusal: () => 'The model declined to answer.',
  invalid_request: (provider) => `${provider} did not accept the request. The details say why.`,
  stall: (provider) => `${provider} stopped sending. What came so far is kept.`,
  cancelled: () => 'Stopped.',
  incomplete: () => 'The reply ended before it was finished.',
  unknown: (provider) => `${provider} answered with something unknown. The details have its words.`,
};

/** How a turn that could not go on says why (T3): a code for programs, a sentence for a person. */
export function explainTrouble(
  trouble: Trouble,
  provider: string,
): { readonly code: ErrorCode; readonly text: string } {
  const empty = trouble.kind === 'incomplete' && trouble.code === 'empty';
  const cutOff = trouble.kind === 'network' && trouble.code === 'cut_off';
  const said = cutOff
    ? `The connection to ${provider} broke. What came so far is kept.`
    : TEXTS[trouble.kind](provider);
  const text = empty ? 'The model ended its reply without any text.' : said;
  return { code: CODES[trouble.kind], text };
}

/** Why another try or another model follows, for a note in the transcript (G2). */
export function explainChange(trouble: Trouble, provider: string): string {
  return `${provider} ${CHANGES[trouble.kind] ?? 'could not answer'}`;
}

const CHANGES: Readonly<Partial<Record<string, string>>> = {
  rate_limit: 'is limiting requests',
  quota: 'has no quota left',
  overload: 'is overloaded',
  auth: 'refused its key',
  network: 'could not be reached or broke off',
  server: 'answered with an error',
  stall: 'stopped sending',
};

const REJECTIONS: Readonly<Partial<Record<string, string>>> = {
  context: 'the request did not fit its window',
  too_large: 'the request was too large',
  refusal: 'it declined',
  invalid_request: 'it did not accept the request',
  incomplete: 'its answer broke off',
  empty: 'its answer was empty',
  sections: 'headings were missing or doubled',
  tool_markup: 'it called a tool instead',
  not_smaller: 'what it wrote was not smaller',
  too_long: 'what it wrote was too long',
  over_commit: 'what it wrote would not have made enough room',
  source_changed: 'the conversation changed meanwhile',
  audit_unreadable: 'it gave no clear verdict',
  reread_malformed: 'it asked to read items again in a way nobody can follow',
  reread_unavailable: 'it asked to read items again that are not there to be read',
  reread_oversized: 'the items it asked to read again do not fit its window',
};

/** A reason of the ledger as the end of a sentence; one that is not known stands as it is. */
export function explainReason(reason: string): string {
  const head = reason.split(':')[0] ?? reason;
  const change = CHANGES[head];
  return REJECTIONS[head] ?? (change === undefined ? reason : `its provider ${change}`);
}
