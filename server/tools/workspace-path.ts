import { countBytes } from '@/server/contract/text';
import type { WorkspaceRefusal } from '@/server/ports/workspace';

export type ParsedPath = { readonly ok: true; readonly components: readonly string[] } | WorkspaceRefusal;

const MAX_PATH_BYTES = 4_096;
const MAX_NAME_BYTES = 255;
const MAX_COMPONENTS = 64;
/** Names Windows opens as devices whatever folder they stand in, with any extension. */
const DEVICE_NAME = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?$/i;

/**
 * The components of a path a model wrote, or why it is refused. Only plain relative paths pass: no `..`, nothing
 * absolute, no NUL or control character, no backslash. Look-alikes of `..` and `/` (percent codes, full-width or
 * other dots that NFKC folds) are refused too, so that no later layer can read them as the real thing (rel-X14).
 * `.` and doubled slashes are dropped; the empty path is the root.
 */
export function parseWorkspacePath(path: string, platform: string = 'linux'): ParsedPath {
  if (countBytes(path) > MAX_PATH_BYTES) return refuse('bad_name', 'The path is too long.');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(path)) return refuse('bad_name', 'The path holds a control character.');
  if (path.includes('\\')) return refuse('bad_name', 'Use / between folders, not a backslash.');
  if (path.startsWith('/') || path.startsWith('~') || /^[A-Za-z]:/.test(path)) {
    return refuse('outside', 'Only paths inside the workspace, relative to it, can be used.');
  }
  const components = path.split('/').filter((name) => name !== '' && name !== '.');
  if (components.length > MAX_COMPONENTS) return refuse('bad_name', 'The path has too many folders.');
  for (const name of components) {
    const refusal = judgeName(name, platform);
    if (refusal !== null) return refusal;
  }
  return { ok: true, components };
}

function judgeName(name: string, platform: string): WorkspaceRefusal | null {
  const folded = fold(name);
  if (/^\.+$/.test(folded)) {
    return refuse('outside', 'A path cannot lead out of the workspace.');
  }
  if (folded.includes('/') || folded.includes('\\') || folded.includes('\u0000')) {
    return refuse('bad_name', 'A name in the path holds an encoded separator.');
  }
  if (countBytes(name) > MAX_NAME_BYTES) return refuse('bad_name', 'A name in the path is too long.');
  if (/[. ]$/.test(name)) return refuse('bad_name', 'A name in the path ends with a dot or a space.');
  if (platform === 'win32' && (DEVICE_NAME.test(name) || name.includes(':'))) {
    return refuse('bad_name', 'A name in the path is that of a device.');
  }
  return null;
}

/** As a careless later layer might read the name: percent codes decoded (twice), compatibility forms folded. */
function fold(name: string): string {
  const once = decodePercent(name.normalize('NFKC'));
  return decodePercent(once)
    .normalize('NFKC')
    .replace(/[\u2024\u2025\u2026\u3002\uff61]/g, '.')
    .trim();
}

function decodePercent(text: string): string {
  const byCode = text.replace(/%c0%ae/gi, '.').replace(/%c0%af/gi, '/');
  return byCode.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function refuse(why: WorkspaceRefusal['why'], text: string): WorkspaceRefusal {
  return { ok: false, why, text };
}
