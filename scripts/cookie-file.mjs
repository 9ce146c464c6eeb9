import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** @typedef {{ readonly sha256: string, readonly expiresAtMs: number }} StoredCookie */

/** @param {unknown} entry @returns {entry is StoredCookie} */
const isCookie = (entry) =>
  typeof entry === 'object' &&
  entry !== null &&
  'sha256' in entry &&
  'expiresAtMs' in entry &&
  typeof entry.sha256 === 'string' &&
  /^[0-9a-f]{64}$/.test(entry.sha256) &&
  typeof entry.expiresAtMs === 'number';

/**
 * The signed-in browsers of a data directory (hashes only), so that a restart signs nobody out. A file that cannot be read
 * counts as empty: then the printed address signs in anew.
 * @param {string} dataDir
 */
export function openCookieFile(dataDir) {
  const path = join(dataDir, 'signed-in.json');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  /** @type {readonly StoredCookie[]} */
  let stored = [];
  try {
    const parsed = JSON.parse(readFileSync(path, 'utf8'));
    if (Array.isArray(parsed)) stored = parsed.filter(isCookie);
  } catch {
    stored = [];
  }
  /** @param {readonly StoredCookie[]} cookies */
  const save = (cookies) => {
    const draft = `${path}.${process.pid}.tmp`;
    writeFileSync(draft, JSON.stringify(cookies), { mode: 0o600 });
    chmodSync(draft, 0o600);
    renameSync(draft, path);
  };
  return { stored, save };
}
