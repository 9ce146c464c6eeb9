import type { ModelRef, ModelRequest, ProviderTrouble } from '@/server/ports/model';
import type { Learnt, LearntMemory } from './connection';
import type { Target } from './target';

/** A request that may go out once more, changed: what to remember, and the share of the image limit it may use. */
export interface Resend {
  readonly learn: Learnt | null;
  readonly imageShare: number;
}

/** At most this many changed resends of one call; each removes one cause, so none repeats. */
const MOST_RESENDS = 3;

/**
 * Whether a refused request can be sent again without what the server refused: usage option (case-D06), ceiling above its
 * own (case-D07), user message right after results, call ids of another alphabet, a choice of reasoning it does not know
 * (contract 10), too many image bytes (case-B08). Null: hand the trouble on.
 */
export function planResend(
  trouble: ProviderTrouble | null,
  seen: {
    readonly target: Target;
    readonly request: ModelRequest;
    readonly resends: number;
    readonly imageShare: number;
  },
): Resend | null {
  if (trouble === null || seen.resends >= MOST_RESENDS) return null;
  const { target, imageShare } = seen;
  if (trouble.kind === 'too_large')
    return imageShare === 1 && holdsImages(seen.request) ? { learn: null, imageShare: 0.5 } : null;
  const asksForReasoning = seen.request.reasoning !== 'default';
  const learn =
    trouble.kind === 'invalid_request' || trouble.kind === 'server'
      ? toLesson(trouble, { target, asksForReasoning })
      : null;
  return learn === null ? null : { learn, imageShare };
}

function toLesson(
  trouble: ProviderTrouble,
  { target, asksForReasoning }: { readonly target: Target; readonly asksForReasoning: boolean },
): Learnt | null {
  if (target.includeUsage && /stream_options|include_usage/i.test(trouble.text)) return { refusesStreamOptions: true };
  if (!target.strictAfterTool && saysStrictRoles(trouble.text)) return { strictAfterTool: true };
  if (!target.shortCallIds && /tool call id .*length of 9/i.test(trouble.text)) return { shortCallIds: true };
  if (asksForReasoning && target.takesReasoning && refusesReasoning(trouble.text)) return { refusesReasoning: true };
  const most = trouble.reportedMaxOutputTokens;
  if (most !== null && (target.maxOutput === null || most < target.maxOutput)) return { maxOutput: most };
  return null;
}

/**
 * How the four protocols refuse a word or a budget of thinking (2026-11-30). A ceiling that is too low for the budget is
 * not that, and a signature is none either.
 */
function refusesReasoning(text: string): boolean {
  if (/signature|thinking block/i.test(text)) return false;
  return /reasoning[._ ]?effort|thinking[._ ]?(type|budget|level|config|mode)|budget \d+ is invalid|reasoning is mandatory/i.test(
    text,
  );
}

/** Mistral's API and Jinja templates of local servers (2026). */
function saysStrictRoles(text: string): boolean {
  return /roles must alternate|unexpected role 'user' after role 'tool'|expected last role|alternate user\/assistant/i.test(
    text,
  );
}

function holdsImages(request: ModelRequest): boolean {
  return request.entries.some((entry) => entry.role === 'user' && entry.parts.some((part) => part.type === 'image'));
}

/** Keeps the limits a provider reported while it refused. Nothing is learnt from success. */
export function learnFrom(
  trouble: ProviderTrouble | null,
  where: { readonly ref: ModelRef; readonly memory: LearntMemory },
): void {
  if (trouble?.reportedWindowTokens != null) where.memory.learn(where.ref, { window: trouble.reportedWindowTokens });
}
