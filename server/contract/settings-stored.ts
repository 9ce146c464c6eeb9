import { findBodyProblem } from './forbidden-keys';
import { isRecord } from './is-record';
import { defaultSettings, type Settings, type SettingsPatch, settingsPatchSchema } from './settings';
import { mergeSettings } from './settings-merge';

/** A stored field that is not in force, by its keys from the outermost in; no keys: nothing stored could be read. */
export interface RefusedField {
  readonly path: readonly string[];
  readonly message: string;
}

export interface StoredSettings {
  readonly settings: Settings;
  readonly refused: readonly RefusedField[];
}

/**
 * The settings in force from what is stored: any part, the rest by default. Read field by field, so that one value out
 * of range, or a key of another version, costs that field alone. Never throws.
 */
export function settingsFrom(stored: unknown): StoredSettings {
  const refused: RefusedField[] = [];
  let left = stored;
  for (;;) {
    const found = findRefused(left);
    if (found === null) return { settings: mergeSettings(defaultSettings, settingsPatchSchema.parse(left)), refused };
    const rest = found.map(({ path }) => path).reduce(withoutField, left);
    refused.push(...found);
    if (found.some(({ path }) => path.length === 0)) return { settings: defaultSettings, refused };
    left = rest;
  }
}

/**
 * What to store after a patch: the settings in force, and every refused field as it was stored, unless the patch chose
 * another value for it. So nothing a person or another version wrote is replaced by a default behind their back.
 */
export function settingsToStore(
  settings: Settings,
  before: { readonly stored: unknown; readonly refused: readonly RefusedField[]; readonly patch: SettingsPatch },
): unknown {
  const kept = before.refused.filter(({ path }) => !isChosen(before.patch, path));
  return kept.reduce<unknown>(
    (document, { path }) => withField(document, path, fieldOf(before.stored, path)),
    settings,
  );
}

/** Refused fields of one reading; null where everything that is there is allowed. */
function findRefused(stored: unknown): readonly RefusedField[] | null {
  const forbidden = findBodyProblem(stored, 8);
  if (forbidden !== null) return [{ path: toField(forbidden.path), message: 'this key is refused' }];
  const parsed = settingsPatchSchema.safeParse(stored);
  if (parsed.success) return null;
  const found = new Map<string, RefusedField>();
  for (const issue of parsed.error.issues) {
    const at = issue.path.map(String);
    const paths = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...at, key]) : [at];
    for (const path of paths.map(toField)) {
      found.set(path.join('.'), { path, message: issue.message });
    }
  }
  return [...found.values()];
}

/** A list is one field, and so is each number of a model: what is deeper belongs to the field it stands in. */
function toField(path: readonly string[]): readonly string[] {
  return path.slice(0, path[0] === 'models' ? 3 : 2);
}

function fieldOf(document: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => (isRecord(inner) ? inner[key] : undefined), document);
}

// Built from entries: they make an own key of any name, so nothing stored can reach a prototype.
function withoutField(document: unknown, [key, ...rest]: readonly string[]): unknown {
  if (!isRecord(document)) return document;
  const entries = Object.entries(document).flatMap(([name, inner]): [string, unknown][] => {
    if (name !== key) return [[name, inner]];
    return rest.length === 0 ? [] : [[name, withoutField(inner, rest)]];
  });
  return Object.fromEntries(entries);
}

function withField(document: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  const before = isRecord(document) ? Object.entries(document) : [];
  const inner = withField(before.find(([name]) => name === key)?.[1], rest, value);
  return Object.fromEntries([...before.filter(([name]) => name !== key), [key, inner]]);
}

/** A patch says something about a field where it names the field, or replaces what holds it. */
function isChosen(patch: unknown, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined || !isRecord(patch)) return true;
  return patch[key] !== undefined && isChosen(patch[key], rest);
}
