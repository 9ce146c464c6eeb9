import type { FoundKind } from '@/server/contract/search';

/** Who speaks in a place that was found. */
export const kindWords: Readonly<Record<FoundKind, string>> = {
  user: 'You',
  assistant: 'Agent',
  tool: 'Tool result',
  summary: 'Summary',
  subagent: 'Subagent',
};
