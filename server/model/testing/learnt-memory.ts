import type { ModelRef } from '@/server/ports/model';
import type { Learnt, LearntMemory } from '../connection';

/** What was learnt, kept in memory. */
export function createLearntMemory(): LearntMemory {
  const facts = new Map<string, Learnt>();
  const keyOf = (ref: ModelRef) => JSON.stringify([ref.provider, ref.model]);
  return {
    read: (ref) => facts.get(keyOf(ref)) ?? {},
    learn: (ref, fact) => {
      facts.set(keyOf(ref), { ...facts.get(keyOf(ref)), ...fact });
    },
  };
}
