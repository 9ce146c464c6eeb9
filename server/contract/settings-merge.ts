import { findBodyProblem } from './forbidden-keys';
import {
  defaultModelSettings,
  type ModelSettings,
  type Settings,
  type SettingsPatch,
  settingsPatchSchema,
} from './settings';

export type SettingsPatchResult =
  | { readonly ok: true; readonly patch: SettingsPatch }
  | { readonly ok: false; readonly problems: readonly { readonly path: string; readonly message: string }[] };

/**
 * A patch from outside. Refuses unknown keys, values out of range, and keys that would reach a prototype
 * anywhere in it: zod passes over an own `__proto__` in a record silently, so they are looked for first (rel-X20).
 */
export function parseSettingsPatch(input: unknown): SettingsPatchResult {
  const found = findBodyProblem(input, 8);
  if (found !== null) {
    const message = found.why === 'too_deep' ? 'nested too deep' : 'this key is refused';
    return { ok: false, problems: [{ path: found.path.join('.'), message }] };
  }
  const parsed = settingsPatchSchema.safeParse(input);
  if (parsed.success) return { ok: true, patch: parsed.data };
  return {
    ok: false,
    problems: parsed.error.issues.map((issue) => ({ path: issue.path.map(String).join('.'), message: issue.message })),
  };
}

/** Keys a patch leaves out, or carries as `undefined`, stay as they were. */
function overlay<T extends object>(base: T, patch: { readonly [K in keyof T]?: T[K] | undefined } | undefined): T {
  const merged = { ...base };
  if (patch === undefined) return merged;
  for (const key in base) {
    const value = patch[key];
    if (value !== undefined) merged[key] = value;
  }
  return merged;
}

function mergeModels(base: Settings['models'], patch: SettingsPatch['models']): Settings['models'] {
  const models = new Map<string, ModelSettings>(Object.entries(base));
  for (const [key, change] of Object.entries(patch ?? {})) {
    if (change === null) models.delete(key);
    else models.set(key, overlay(models.get(key) ?? defaultModelSettings, change));
  }
  return Object.fromEntries(models);
}

/**
 * Settings after a patch, neither input changed. Objects merge key by key, lists and values replace, and a model
 * entry of null is removed. Only keys that the settings know are read, so nothing can be smuggled in.
 */
export function mergeSettings(base: Settings, patch: SettingsPatch): Settings {
  return {
    context_budget: patch.context_budget === undefined ? base.context_budget : patch.context_budget,
    models: mergeModels(base.models, patch.models),
    routing: overlay(base.routing, patch.routing),
    compaction: overlay(base.compaction, patch.compaction),
    carry_over: overlay(base.carry_over, patch.carry_over),
    tools: overlay(base.tools, patch.tools),
    turns: overlay(base.turns, patch.turns),
    requests: overlay(base.requests, patch.requests),
    subagents: overlay(base.subagents, patch.subagents),
    cache: overlay(base.cache, patch.cache),
    trash: overlay(base.trash, patch.trash),
  };
}
