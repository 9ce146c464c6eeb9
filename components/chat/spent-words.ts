import type { Usage } from '@/server/contract/shapes';
import { formatCost } from '../ui/format-cost';

const count = (tokens: number | null) => (tokens === null ? null : tokens.toLocaleString('en'));

/** Tokens as reported: `1,200 in, 300 out, 800 of it cached, 400 put into the cache`; null where nothing was. */
export function sayTokens(usage: Usage | null): string | null {
  if (usage === null) return null;
  const { input, output, cachedRead, cachedWrite } = usage;
  const words = [
    input === null ? '' : `${count(input)} in`,
    output === null ? '' : `${count(output)} out`,
    cachedRead === null ? '' : `${count(cachedRead)} cached`,
    cachedWrite === null ? '' : `${count(cachedWrite)} put into the cache`,
  ].filter(Boolean);
  return words.length === 0 ? null : words.join(', ');
}

/** A price nobody knows is not guessed. */
export function sayCost(cost: number | null, usage: Usage | null): string {
  if (cost !== null) return formatCost(cost);
  return usage === null ? 'no usage reported' : 'price not known';
}
