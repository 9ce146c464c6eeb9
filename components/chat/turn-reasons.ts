import type { NoteMessage } from '@/server/contract/message';
import type { TroubleDetail } from '@/server/contract/shapes';

export type EndAction = 'continue' | 'keys' | 'model' | 'compact' | 'settings';

/** How a turn ended, for the reader: what happened, what is safe, what to do (T3, ux 15). */
export interface EndWords {
  readonly text: string;
  readonly tone: 'quiet' | 'warn' | 'danger';
  readonly actions: readonly EndAction[];
  readonly detail: TroubleDetail | null;
}

type Told = Omit<EndWords, 'detail'>;

const byCode: Readonly<Record<string, Told>> = {
  step_limit: { text: 'Stopped at the limit of steps for one reply.', tone: 'quiet', actions: ['continue'] },
  no_model: { text: 'No model is set up that could answer.', tone: 'danger', actions: ['keys', 'model'] },
  unknown_model: { text: 'The chosen model is not set up any more.', tone: 'danger', actions: ['model', 'keys'] },
  floor_too_large: {
    text: 'The fixed part of the prompt leaves no room for the conversation. Shorten the instructions or skills.',
    tone: 'danger',
    actions: ['model'],
  },
  provider_auth: { text: 'The key for this model was refused.', tone: 'danger', actions: ['keys', 'model'] },
  provider_rate_limited: {
    text: 'The provider is limiting requests.',
    tone: 'warn',
    actions: ['continue', 'model'],
  },
  provider_quota: {
    text: 'The quota or credit of this provider is used up.',
    tone: 'danger',
    actions: ['model', 'keys'],
  },
  provider_overloaded: { text: 'The provider is overloaded.', tone: 'warn', actions: ['continue', 'model'] },
  provider_network: { text: 'The provider could not be reached.', tone: 'warn', actions: ['continue', 'model'] },
  provider_server: { text: 'The provider had an error of its own.', tone: 'warn', actions: ['continue', 'model'] },
  provider_stalled: { text: 'The provider sent nothing for too long.', tone: 'warn', actions: ['continue', 'model'] },
  provider_context: {
    text: 'The conversation did not fit into the model, even after leaving parts out.',
    tone: 'danger',
    actions: ['compact', 'model'],
  },
  provider_too_large: {
    text: 'The request was too large for the provider.',
    tone: 'danger',
    actions: ['compact', 'model'],
  },
  provider_refusal: { text: 'The model declined to answer.', tone: 'warn', actions: ['model'] },
  provider_invalid_request: { text: 'The provider did not accept the request.', tone: 'danger', actions: ['model'] },
  provider_incomplete: {
    text: 'The reply broke off. What came is kept.',
    tone: 'warn',
    actions: ['continue'],
  },
  provider_unknown: {
    text: 'The provider gave an error nobody here knows.',
    tone: 'danger',
    actions: ['continue', 'model'],
  },
  storage_full: {
    text: 'The disk is full: nothing new can be saved. What is here is safe.',
    tone: 'danger',
    actions: [],
  },
  storage_failed: { text: 'Saving failed. What is here is safe.', tone: 'danger', actions: ['continue'] },
};

const byOutcome: Readonly<Record<string, Told>> = {
  cancelled: { text: 'Stopped. What came until then is kept.', tone: 'quiet', actions: ['continue'] },
  interrupted: {
    text: 'The server stopped in the middle of this reply. What came until then is kept.',
    tone: 'warn',
    actions: ['continue'],
  },
  failed: { text: 'The reply failed.', tone: 'danger', actions: ['continue', 'model'] },
};

/** Words for a turn that failed or ended early; null where nothing needs saying. */
export function wordTurnEnd(turn: {
  outcome: string;
  code: string | null;
  detail?: TroubleDetail | null;
}): EndWords | null {
  const detail = turn.detail ?? null;
  const cancelled = turn.outcome === 'cancelled' || turn.code === 'cancelled';
  const told = cancelled ? byOutcome.cancelled : (byCode[turn.code ?? ''] ?? byOutcome[turn.outcome]);
  return told ? { ...told, detail } : null;
}

const noteWords = {
  failover: 'The first model did not answer; another one went on.',
  retry: 'The provider was asked again.',
  window: 'The provider reported another window for this model; the budget follows it.',
  refill_stop:
    'Compacting did not help in this reply: the context filled up again at once. Older parts are left out instead.',
  interrupted: 'The server stopped in the middle of this.',
  import: 'Imported up to here.',
  turn_ended: 'The reply ended early.',
  unreadable: 'Something of a newer version or a damaged line stands here and could not be read.',
} as const;

/** A note in its own words where it brought some. */
export function wordNote(message: NoteMessage): string {
  const own = message.parts
    .map((part) => part.text)
    .join(' ')
    .trim();
  return own === '' ? noteWords[message.metadata.kind] : own;
}
