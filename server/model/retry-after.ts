import { asObject, type ErrorFacts } from './error-facts';

/**
 * How long a provider asks to wait, in ms, from its header (`retry-after-ms`, seconds or a date) or, where only the
 * body says it, from Google's RetryInfo or the wording (`Please try again in 1m2.5s`). Null: it did not say.
 */
export function readRetryAfter(facts: ErrorFacts, nowMs: number): number | null {
  return fromHeaders(facts.headers, nowMs) ?? fromDetails(facts.body) ?? fromWording(facts.message);
}

function fromHeaders(headers: Readonly<Record<string, string>>, nowMs: number): number | null {
  const ms = Number(headers['retry-after-ms'] ?? Number.NaN);
  if (Number.isFinite(ms) && ms >= 0) return Math.ceil(ms);
  const said = headers['retry-after']?.trim();
  if (said === undefined || said === '') return null;
  const seconds = Number(said);
  if (Number.isFinite(seconds)) return seconds >= 0 ? Math.ceil(seconds * 1_000) : null;
  const date = Date.parse(said);
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
}

function fromDetails(body: unknown): number | null {
  const { details, retry_after: plain } = asObject(body);
  if (typeof plain === 'number' && plain >= 0) return Math.ceil(plain * 1_000);
  if (!Array.isArray(details)) return null;
  for (const detail of details) {
    const delay = asObject(detail).retryDelay;
    const seconds = typeof delay === 'string' ? /^([\d.]+)s$/.exec(delay)?.[1] : undefined;
    if (seconds !== undefined) return Math.ceil(Number(seconds) * 1_000);
  }
  return null;
}

function fromWording(message: string): number | null {
  const said =
    /(?:try again|retry|wait|retrying)\D{0,12}?(?:in|after|for)? ?((?:[\d.]+ ?(?:h|ms|m(?:in(?:utes?)?)?|s(?:ec(?:onds?)?)?)\b ?)+)/i.exec(
      message,
    )?.[1] ?? /(?:try again|retry) in ((?:[\d.]+(?:ms|h|m|s))+)/i.exec(message)?.[1];
  if (said === undefined) return null;
  let total = 0;
  for (const [, amount, unit] of said.matchAll(/([\d.]+) ?(ms|h|m|s)/gi)) total += Number(amount) * unitMs(unit ?? 's');
  return total > 0 ? Math.ceil(total) : null;
}

function unitMs(unit: string): number {
  switch (unit.toLowerCase()) {
    case 'ms':
      return 1;
    case 'm':
      return 60_000;
    case 'h':
      return 3_600_000;
    default:
      return 1_000;
  }
}
