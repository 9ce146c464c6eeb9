import type { ProviderTrouble, TroubleKind } from '@/server/ports/model';
import { asObject, type ErrorFacts, readErrorFacts } from './error-facts';
import { OVERFLOW_CODES, readReportedMaxOutput, readReportedWindow, saysOverflow } from './overflow-wording';
import { redactDetail } from './redact';
import { readRetryAfter } from './retry-after';

/** What must not come out again, and the clock for `retry-after` dates. */
export interface ClassifyContext {
  readonly secrets: readonly string[];
  readonly prompt: readonly string[];
  readonly nowMs: number;
}

/** Codes whose meaning no status can change (dated 2026-11-30), in the order they are asked. */
const CODE_MEANINGS: readonly (readonly [RegExp, TroubleKind])[] = [
  [/^redirect_refused$|^key_origin$|^ill_formed_request$/, 'invalid_request'],
  [
    /insufficient_quota|billing|credit|quota_exceeded|payment_required|insufficient_(funds|balance)|out_of_credits|spend_limit|arrearage/,
    'quota',
  ],
  [/rate_?limit|too_many_requests|throttl|resource_exhausted/, 'rate_limit'],
  [/overload|capacity|unavailable|engine_overloaded/, 'overload'],
  [
    /authentication|invalid_api_key|api_key_invalid|unauthenticated|unauthorized|permission|access_denied|invalid_auth/,
    'auth',
  ],
  [/request_too_large|payload_too_large|request_entity_too_large/, 'too_large'],
  [/content_?filter|content_policy|safety|moderation|responsible_ai/, 'refusal'],
];
const QUOTA_WORDING =
  /insufficient[_ ](quota|balance|credit|fund)|exceeded your current quota|billing|out of credits?|credit balance|payment required|spend(ing)? limit|per[ -]?day.*(limit|quota)|monthly (limit|quota)/i;
/** Anthropic says it with a plain 400. */
const MONEY_WORDING = /credit balance|insufficient (credit|fund|balance)/i;
const RATE_WORDING =
  /rate[ -]?limit|too many requests|requests per (minute|second)|tokens per minute|\b[rt]pm\b|slow down/i;
const OVERLOAD_WORDING =
  /overload|at capacity|over capacity|temporarily unavailable|no healthy upstream|server is busy|model is (currently )?loading/i;
const AUTH_WORDING =
  /api[ -]?key (not valid|is invalid|expired|not found)|invalid (api[ -]?key|x-api-key|token|credentials)|incorrect api key|unauthorized|no (auth|credentials|api key)/i;
const REFUSAL_WORDING = /content (policy|management policy|filter)|flagged|safety (system|reasons)|prompt was blocked/i;
const BYTES_WORDING =
  /request (entity|body)? ?(is )?too large|payload too large|maximum (request |content )?size|body (size )?exceed|payload size exceed|image exceeds [\d.]+ ?[mk]i?b/i;

/**
 * Classifies a failure by its meaning, once, where it is born (G4): status and machine code first, wording last.
 * A rate limit is never an overflow, whatever its text says of tokens. The text kept is redacted and ≤ 500 bytes.
 */
export function classifyError(error: unknown, context: ClassifyContext): ProviderTrouble {
  const facts = readErrorFacts(error);
  const body = asObject(facts.body);
  const retryAfterMs = readRetryAfter(facts, context.nowMs);
  const kind = judge(facts, retryAfterMs !== null);
  return {
    kind,
    status: facts.status,
    code: facts.codes[0] === undefined ? null : redactDetail(facts.codes[0], { ...context, prompt: [] }).slice(0, 80),
    text: redactDetail(facts.message, context),
    requestId: readRequestId(facts, body),
    retryAfterMs,
    reportedWindowTokens: kind === 'context' ? readReportedWindow(facts.message, body) : null,
    reportedMaxOutputTokens: kind === 'invalid_request' ? readReportedMaxOutput(facts.message) : null,
  };
}

/** A trouble that no provider sent: a stall, a stop, an end that is none. */
export function toTrouble(
  kind: TroubleKind,
  detail: { readonly code?: string; readonly text: string },
): ProviderTrouble {
  return {
    kind,
    status: null,
    code: detail.code ?? null,
    text: detail.text,
    requestId: null,
    retryAfterMs: null,
    reportedWindowTokens: null,
    reportedMaxOutputTokens: null,
  };
}

function judge(facts: ErrorFacts, saysWhen: boolean): TroubleKind {
  const { status, codes, message } = facts;
  if (facts.transport) return 'network';
  if (status === 401 || status === 407) return 'auth';
  if (status === 402) return 'quota';
  if (status === 429) return isQuota(facts, saysWhen) ? 'quota' : 'rate_limit';
  if (codes.some((code) => OVERFLOW_CODES.has(code))) return 'context';
  const byCode = meaningOfCode(codes);
  if (byCode !== null) return byCode === 'rate_limit' && isQuota(facts, saysWhen) ? 'quota' : byCode;
  if (status === 403) return isQuota(facts, saysWhen) ? 'quota' : 'auth';
  if (status === 529 || status === 503) return 'overload';
  if (status !== 413 && saysOverflow(message)) return 'context';
  if (status === 413) return saysOverflow(message) && !BYTES_WORDING.test(message) ? 'context' : 'too_large';
  return judgeByWording(status, message);
}

function judgeByWording(status: number | null, message: string): TroubleKind {
  if (BYTES_WORDING.test(message)) return 'too_large';
  if (status !== null && status >= 500) return OVERLOAD_WORDING.test(message) ? 'overload' : 'server';
  if (MONEY_WORDING.test(message)) return 'quota';
  if (AUTH_WORDING.test(message)) return 'auth';
  if (REFUSAL_WORDING.test(message)) return 'refusal';
  if (status !== null && status >= 400)
    return status === 408 || status === 409 || status === 425 ? 'server' : 'invalid_request';
  if (QUOTA_WORDING.test(message)) return 'quota';
  if (RATE_WORDING.test(message)) return 'rate_limit';
  if (OVERLOAD_WORDING.test(message)) return 'overload';
  // An error object inside a 200 that says nothing we know is the server's own failure (case-D08).
  return message === '' ? 'unknown' : 'server';
}

/** Codes are asked outermost first, so `rate_limit_exceeded` is not drowned by a general `invalid_request_error` around it. */
function meaningOfCode(codes: readonly string[]): TroubleKind | null {
  for (const code of codes) {
    const found = CODE_MEANINGS.find(([pattern]) => pattern.test(code));
    if (found !== undefined) return found[1];
  }
  return null;
}

/**
 * Google words its limits a minute as "exceeded your current quota" too; there a delay stands beside it. So wording
 * counts only where nobody says when to come back, unless the violated quota is one a day.
 */
function isQuota(facts: ErrorFacts, saysWhen: boolean): boolean {
  if (facts.codes.some((code) => /insufficient_quota|billing|credit|payment|balance/.test(code))) return true;
  if (/PerDay/.test(JSON.stringify(facts.body ?? ''))) return true;
  return !saysWhen && QUOTA_WORDING.test(facts.message);
}

function readRequestId(facts: ErrorFacts, body: Readonly<Record<string, unknown>>): string | null {
  const names = ['x-request-id', 'request-id', 'x-goog-request-id', 'cf-ray'];
  const found = names.map((name) => facts.headers[name]).find((id) => id !== undefined) ?? body.request_id;
  return typeof found === 'string' && /^[\w.:-]{1,128}$/.test(found) ? found : null;
}
