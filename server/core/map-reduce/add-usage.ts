import type { Usage } from '@/server/contract/shapes';
import { isSilent } from '@/server/core/compaction/attempt';

/** Token counts added up; a number that nobody reported is not guessed. Null: nothing was reported at all. */
export function addUsage(sum: Usage | null, more: Usage): Usage | null {
  if (isSilent(more)) return sum;
  if (sum === null) return more;
  return {
    input: add(sum.input, more.input),
    output: add(sum.output, more.output),
    cachedRead: add(sum.cachedRead, more.cachedRead),
    cachedWrite: add(sum.cachedWrite, more.cachedWrite),
    reasoning: add(sum.reasoning, more.reasoning),
  };
}

function add(a: number | null, b: number | null): number | null {
  return a === null ? b : a + (b ?? 0);
}
