import type { NewEvent } from '@/server/core/log/new-event';
import { explainReason } from '@/server/core/turn/explain';
import type { EventBus } from '@/server/ports/event-bus';

/**
 * Names each summariser that was asked and gave nothing, and why, the moment it is in the ledger (S4). Said, not stored:
 * the ledger has it. Nothing is said of an accepted one, which the boundary names, nor of one that a person stopped.
 */
export function tellAttempts(bus: EventBus, sessionId: string, events: readonly NewEvent[]): void {
  for (const event of events) {
    if (event.type !== 'compaction.attempt') continue;
    const { compactionId, outcome, model, stage, n } = event;
    if (outcome !== 'rejected' && outcome !== 'failed') continue;
    const reason = event.reason ?? 'unknown';
    const text = `${model.model} (${model.provider}) wrote no summary: ${explainReason(reason)}.`;
    const said = { compactionId, model, stage: stage ?? 'one_shot', n, outcome, reason };
    const data = { sessionId, level: 'info' as const, code: 'summariser_attempt', text, data: said };
    bus.publish({ event: { event: 'chat.notice', data }, sessionId, seq: null });
  }
}
