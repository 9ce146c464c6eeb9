import type { ModelRef, ProviderKind } from '@/server/ports/model';
import type { Learnt, ProviderConnection } from './connection';
import { findKnownLimits } from './known-windows';

/** All that contract 10's rules ask of the model a request goes to. */
export interface Target {
  readonly kind: ProviderKind;
  readonly ref: ModelRef;
  readonly window: number | null;
  readonly windowFrom: 'set' | 'reported' | 'table' | null;
  readonly maxOutput: number | null;
  readonly vision: boolean;
  readonly mergeRoles: boolean;
  readonly strictAfterTool: boolean;
  readonly includeUsage: boolean;
  /** Whether a choice of reasoning may be sent. */
  readonly takesReasoning: boolean;
  readonly shortCallIds: boolean;
  /** Image data as it is sent (base64), in one request and in one image. */
  readonly imageLimitBytes: number;
  readonly oneImageBytes: number;
  readonly cacheTtl: 'off' | '5m' | '1h';
}

/** Image data a request may hold where a provider names no limit of its own. */
export const IMAGE_LIMIT_BYTES = 20_000_000;

/**
 * Limits of image data by their pages on 2026-11-30. Google: 20 MiB for the whole request, so room is left for the text
 * (ai.google.dev/gemini-api/docs/image-understanding); Anthropic: 5 MiB an image beside 32 MB a request
 * (docs.anthropic.com/en/docs/build-with-claude/vision).
 */
const IMAGE_LIMITS: Partial<Record<ProviderKind, { readonly request: number; readonly one: number }>> = {
  google: { request: 16_000_000, one: 16_000_000 },
  anthropic: { request: IMAGE_LIMIT_BYTES, one: 5_242_880 },
};

/** Mistral's own server says so in its errors; nobody should have to learn it there first. */
const SHORT_CALL_ID_HOSTS = /^https:\/\/([\w-]+\.)*mistral\.ai(\/|$)/;

/**
 * Joins what a person set, what the provider reported and what the table knows. A number a person set wins, unless the
 * provider reported a smaller one; the table is asked last (S5: none of it touches an agent's budget).
 */
export function resolveTarget(
  connection: ProviderConnection,
  model: { readonly id: string; readonly learnt: Learnt },
): Target {
  const set = connection.models.find((entry) => entry.id === model.id);
  const known = findKnownLimits(model.id);
  const { learnt } = model;
  const { window, windowFrom } = resolveWindow({
    set: set?.window ?? null,
    reported: learnt.window ?? null,
    table: known?.window ?? null,
  });
  return {
    kind: connection.kind,
    ref: { provider: connection.id, model: model.id },
    window,
    windowFrom,
    maxOutput: learnt.maxOutput ?? set?.maxOutput ?? known?.maxOutput ?? null,
    vision: set?.vision ?? known?.vision ?? (connection.kind !== 'openai-compatible' && connection.kind !== 'embedded'),
    mergeRoles: connection.mergeRoles ?? connection.kind !== 'openai',
    strictAfterTool: connection.strictAfterTool ?? learnt.strictAfterTool ?? false,
    includeUsage: connection.includeUsage ?? learnt.refusesStreamOptions !== true,
    takesReasoning: learnt.refusesReasoning !== true,
    shortCallIds: learnt.shortCallIds ?? SHORT_CALL_ID_HOSTS.test(connection.baseUrl),
    imageLimitBytes: connection.imageLimitBytes ?? IMAGE_LIMITS[connection.kind]?.request ?? IMAGE_LIMIT_BYTES,
    oneImageBytes: IMAGE_LIMITS[connection.kind]?.one ?? Number.POSITIVE_INFINITY,
    cacheTtl: connection.cacheTtl,
  };
}

function resolveWindow(from: {
  set: number | null;
  reported: number | null;
  table: number | null;
}): Pick<Target, 'window' | 'windowFrom'> {
  if (from.set !== null && (from.reported === null || from.reported >= from.set))
    return { window: from.set, windowFrom: 'set' };
  if (from.reported !== null) return { window: from.reported, windowFrom: 'reported' };
  return { window: from.table, windowFrom: from.table === null ? null : 'table' };
}

const UNKNOWN_MAX_OUTPUT = 32_000;
const CEILING_MARGIN = 512;
const LEAST_CEILING = 1_024;

/**
 * The ceiling in tokens a request of this size carries, or null: none (R11, contract 10). Only Anthropic's protocol
 * demands one: `min(maxOutput, window − ceil(measure / ratio) − 512)`, at least 1,024; unknown `maxOutput`: 32,000.
 */
export function toCeiling(
  target: Target,
  size: { readonly measureBytes: number; readonly bytesPerToken: number; readonly configured: number | null },
): number | null {
  const known = target.maxOutput;
  if (target.kind !== 'anthropic')
    return size.configured === null ? null : Math.min(size.configured, known ?? size.configured);
  const most = Math.min(size.configured ?? known ?? UNKNOWN_MAX_OUTPUT, known ?? Number.POSITIVE_INFINITY);
  if (target.window === null) return most;
  const left = target.window - Math.ceil(size.measureBytes / size.bytesPerToken) - CEILING_MARGIN;
  return Math.min(most, Math.max(LEAST_CEILING, left));
}
