import { heldMembers, isGrowingList } from './growing-list';

/** Freezes a value and all it holds, so that a test falls where somebody writes to what is read-only. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (isGrowingList(value) && Array.isArray(value)) {
    for (const inner of heldMembers(value).members) deepFreeze(inner);
    return value;
  }
  if (Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) deepFreeze(inner);
  if (value instanceof Map) for (const inner of value.values()) deepFreeze(inner);
  return value;
}
