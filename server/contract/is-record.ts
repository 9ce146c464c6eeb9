/** Whether a value is an object with fields: no list, not null. The first question at every shore where JSON arrives. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
