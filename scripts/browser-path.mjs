import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable'];

function findOnPath() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find((path) => existsSync(path));
}

/**
 * The browser to test with: the one named in CHROMIUM_PATH, else Playwright's own download (undefined), else a Chromium on
 * PATH, else the one npm ships for Linux x64. Throws with the remedy where there is none.
 * @returns {Promise<string | undefined>}
 */
export async function browserPath() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  const { chromium } = await import('@playwright/test');
  if (existsSync(chromium.executablePath())) return undefined;
  const onPath = findOnPath();
  if (onPath !== undefined) return onPath;
  if (process.platform === 'linux' && process.arch === 'x64') {
    return (await import('@sparticuz/chromium')).default.executablePath();
  }
  throw new Error('No Chromium: run `npx playwright install chromium` or set CHROMIUM_PATH');
}

/** Flags for a browser that talks to nobody but the server under test. */
export const browserFlags = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
  // Chromium refuses its sandbox to root; everybody else keeps it.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];
