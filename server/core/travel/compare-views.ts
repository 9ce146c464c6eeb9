import type { Model } from '@/server/contract/shapes';
import { prepareDraft } from '@/server/core/log/encode-line-draft';
import { type NewEvent, stampEvents } from '@/server/core/log/new-event';
import { appendToLog } from '@/server/core/projection/log-state';
import { projectView, type ViewPrompt } from '@/server/core/projection/model-view';
import type { RenderCache } from '@/server/core/projection/model-view-entries';
import { foldSession } from '@/server/core/projection/session-state';
import type { LogState, SessionState } from '@/server/core/projection/state-shape';

interface Foreseen {
  readonly log: LogState;
  readonly state: SessionState;
  readonly events: readonly NewEvent[];
}

/** The state as it would be with these events, from the fold itself; nothing is appended. Throws for events that no log can hold. */
function foresee({ log, state, events }: Foreseen): SessionState {
  const stamp = { branch: state.branch, logId: log.logId, head: state.head, at: state.opened.at };
  let made = 0;
  const nextId = () => {
    made += 1;
    return `7ZZZZZZZZZZZZZZZZZZZ${String(made).padStart(6, '0')}`;
  };
  let after = log;
  for (const draft of stampEvents(events, { ...stamp, nextId })) {
    const prepared = prepareDraft(draft);
    if (prepared.kind === 'refused') throw new TypeError(`no log can hold this ${draft.type}: ${prepared.why}`);
    const { prev } = draft;
    const link = typeof prev === 'object' && prev !== null ? (after.byId.get(prev.id)?.seq ?? null) : (prev ?? null);
    after = appendToLog(after, prepared.draft.place({ seq: after.newestSeq + 1, prev: link }).event);
  }
  return foldSession(after, state.branch);
}

interface Seen {
  readonly prompt: ViewPrompt;
  readonly model: Model | null;
  readonly cache?: RenderCache;
}

/** Bytes of the whole view, floor included, now and with these events: what the card says before and after (X5). */
export function compareViews(input: Foreseen & Seen): {
  readonly beforeBytes: number;
  readonly afterBytes: number;
} {
  const { log: _log, state: _state, events: _events, ...seen } = input;
  const measure = (state: SessionState) => projectView({ ...seen, state, moment: 'entry' }).bytes;
  return { beforeBytes: measure(input.state), afterBytes: measure(foresee(input)) };
}
