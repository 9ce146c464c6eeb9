import { resolve } from 'node:path';
import { z } from 'zod';
import { AppError } from '@/server/contract/error';
import { type CreateProvider, providersEnvSchema } from '@/server/contract/provider';

/** What the process was started with, parsed once (api.md, "Configuration by environment"). */
export interface Environment {
  readonly dataDir: string;
  /** Bundled with the application: the sample workspace and conversation. */
  readonly samplesDir: string;
  readonly migrationsDir: string;
  /** What the thread of full-text search is started with. */
  readonly searchWorker: string;
  /** What the thread of an import is started with. */
  readonly importWorker: string;
  /** Null: generated into the data directory. */
  readonly secret: string | null;
  readonly providers: readonly CreateProvider[];
  readonly vars: Readonly<Record<string, string | undefined>>;
}

/** Throws `invalid_request` naming the variable that makes no sense. */
export function parseEnvironment(vars: Readonly<Record<string, string | undefined>>, appDir: string): Environment {
  return {
    dataDir: resolve(appDir, vars.TIDEMARK_DATA_DIR || './data'),
    samplesDir: resolve(appDir, 'samples'),
    migrationsDir: resolve(appDir, 'db/migrations'),
    searchWorker: resolve(appDir, 'db/sqlite/search-worker.mjs'),
    importWorker: resolve(appDir, 'db/files/import-worker.mjs'),
    secret: vars.TIDEMARK_SECRET || null,
    providers: parseProviders(vars.TIDEMARK_PROVIDERS),
    vars,
  };
}

function parseProviders(text: string | undefined): readonly CreateProvider[] {
  if (!text) return [];
  const parsed = providersEnvSchema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new AppError('invalid_request', `TIDEMARK_PROVIDERS: ${z.prettifyError(parsed.error)}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
