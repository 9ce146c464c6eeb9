import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '@/server/contract/error';

/**
 * The installation's secret: made on first use, readable by its owner only. A file that others can read is refused,
 * because whoever copied it can read the stored keys (rel-S30).
 */
export function readSecretFile(dataDir: string): string {
  const path = join(dataDir, 'secret');
  if (!existsSync(path)) {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    writeFileSync(path, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' });
  }
  if ((statSync(path).mode & 0o077) !== 0) {
    throw new AppError('storage_failed', `Other users can read ${path}. Run: chmod 600 ${path}`);
  }
  return readFileSync(path, 'utf8').trim();
}
