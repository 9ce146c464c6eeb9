import type { SummaryMessage } from '@/server/contract/message';
import { idOf } from '../fold-stream-arbitraries';

/** A summary in force in line `n`, of everything through item `through`; 212 kB became 6.1 kB. */
export function aSummary(
  n: number,
  through: number,
  changes: Partial<SummaryMessage['metadata']> = {},
): SummaryMessage {
  const at = '2026-11-20T08:00:00.000Z';
  return {
    id: idOf(n),
    seq: n,
    at,
    role: 'summary',
    parts: [{ type: 'text', text: '## Objective\nThe harbour.' }],
    metadata: {
      summary_through: idOf(through),
      covers: { from: idOf(1), through: idOf(through), items: 48, bytes: 212_000 },
      bytes: 6_100,
      model: { provider: 'fake', model: 'haiku-x' },
      usage: null,
      trigger: 'manual',
      method: 'one_shot',
      carryOver: { kept: [], dropped: [] },
      stale: [],
      promptRecomposed: false,
      checks: [],
      compactionId: idOf(n + 100),
      sourceBytes: 212_000,
      counts: { user: 12, assistant: 12, tool: 24, summaries: 0 },
      span: { from: at, through: at },
      edited: false,
      imported: false,
      inForce: true,
      ...changes,
    },
  };
}
