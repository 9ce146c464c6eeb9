import { AppError } from '@/server/contract/error';
import { isRecord } from '@/server/contract/is-record';
import type { PatchSettings, Settings, SettingsAnswer, SettingsPatch } from '@/server/contract/settings';

export type SettingsIo = {
  readonly send: (body: PatchSettings) => Promise<SettingsAnswer>;
  readonly fetch: () => Promise<SettingsAnswer>;
};

export type SaveOutcome =
  /** The server has it; `answer` is what is in force now. */
  | { readonly outcome: 'saved'; readonly answer: SettingsAnswer }
  /** Somebody else changed the very same value meanwhile; `answer` holds theirs and nothing of ours was written. */
  | { readonly outcome: 'conflict'; readonly answer: SettingsAnswer };

const mostTries = 3;

/** The value under a path of keys; undefined where the path ends early. */
function valueAt(root: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), root);
}

/** The paths a patch writes to: objects are walked, lists and values are ends. */
export function touchedPaths(patch: unknown, at: readonly string[] = []): readonly (readonly string[])[] {
  if (!isRecord(patch)) return [at];
  return Object.entries(patch).flatMap(([key, value]) => touchedPaths(value, [...at, key]));
}

/** Whether none of what the patch writes to differs between two states of the settings. */
export function sameWhereTouched(patch: SettingsPatch, before: Settings, now: Settings): boolean {
  return touchedPaths(patch).every(
    (path) => JSON.stringify(valueAt(before, path)) === JSON.stringify(valueAt(now, path)),
  );
}

/**
 * Writes a patch made from `base`. When the revision moved because something *else* was changed, the patch is sent again
 * from the fresh revision; when the same value was changed, the person is asked instead of one write silently winning.
 * Other failures are thrown as they are.
 */
export async function saveSettings(io: SettingsIo, base: SettingsAnswer, patch: SettingsPatch): Promise<SaveOutcome> {
  let from = base;
  for (let tries = 1; ; tries += 1) {
    try {
      return { outcome: 'saved', answer: await io.send({ revision: from.revision, settings: patch }) };
    } catch (thrown) {
      if (!(thrown instanceof AppError) || thrown.code !== 'conflict' || tries === mostTries) throw thrown;
    }
    const fresh = await io.fetch();
    if (!sameWhereTouched(patch, base.settings, fresh.settings)) return { outcome: 'conflict', answer: fresh };
    from = fresh;
  }
}
