import { isRecord } from '@/server/contract/is-record';
/** Text every provider takes: no lone surrogate, no NUL. The raw text stays in the log (contract 10, case-B07). */
export function toSendable(text: string): string {
  return text.toWellFormed().replaceAll('\u0000', '\uFFFD');
}

/** The same for every string and key inside a JSON value. */
export function toSendableJson(value: unknown): unknown {
  if (typeof value === 'string') return toSendable(value);
  if (Array.isArray(value)) return value.map(toSendableJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [toSendable(key), toSendableJson(inner)]));
}

/** Arguments as every protocol wants them: a JSON object (case-B10). Anything else is wrapped, never dropped. */
export function toArgsObject(args: unknown): Record<string, unknown> {
  const clean = toSendableJson(args ?? {});
  return isRecord(clean) ? Object.fromEntries(Object.entries(clean)) : { value: clean };
}
