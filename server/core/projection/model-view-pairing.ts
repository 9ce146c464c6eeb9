import type { ModelView } from './model-view-shape';

/**
 * Breaches of the pairing law in a view that is about to be sent (case-B01): each call needs its result in the very
 * next entry, in call order; each result its call in the one before. Empty: the view is sound.
 */
export function findUnpaired({ entries }: Pick<ModelView, 'entries'>): readonly string[] {
  return entries.flatMap(({ message }, index) => {
    if (message.role === 'tool') {
      const before = entries[index - 1]?.message;
      return before?.role === 'assistant' ? [] : [`results without calls at entry ${index}`];
    }
    if (message.role === 'user') return [];
    const calls = message.parts.flatMap((part) => (part.type === 'tool_call' ? [part.callId] : []));
    const next = entries[index + 1]?.message;
    const results = next?.role === 'tool' ? next.results.map((result) => result.callId) : [];
    return calls.join('\n') === results.join('\n') ? [] : [`calls and results differ at entry ${index}`];
  });
}
