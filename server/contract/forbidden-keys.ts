/** Keys that would reach an object's prototype when merged or copied; refused wherever JSON comes in. */
const forbidden = new Set(['__proto__', 'constructor', 'prototype']);

export interface BodyProblem {
  readonly why: 'forbidden_key' | 'too_deep';
  /** Keys from the outermost in; the last is the forbidden one, or where the bound was passed. */
  readonly path: readonly string[];
}

interface Visit {
  readonly value: unknown;
  readonly path: readonly string[];
}

/**
 * The first key in parsed JSON that is refused everywhere, or the first place nested deeper than `maxDepth`.
 * Null when there is neither. Walks with a list of its own: a deep body must not overflow the stack.
 */
export function findBodyProblem(value: unknown, maxDepth: number): BodyProblem | null {
  const open: Visit[] = [{ value, path: [] }];
  for (let visit = open.pop(); visit !== undefined; visit = open.pop()) {
    if (typeof visit.value !== 'object' || visit.value === null) continue;
    if (visit.path.length >= maxDepth) return { why: 'too_deep', path: visit.path };
    for (const [key, inner] of Object.entries(visit.value)) {
      const path = [...visit.path, key];
      if (forbidden.has(key) && !Array.isArray(visit.value)) return { why: 'forbidden_key', path };
      open.push({ value: inner, path });
    }
  }
  return null;
}
