import { toOpenApi } from '@/server/contract/openapi';
import type { Health, JobsAnswer, JobsQuery, Ready } from '@/server/contract/operations';
import { routeTable } from '@/server/contract/route-table';
import type { Job, JobStore } from '@/server/ports/job-store';

/** A thing that a request needs: `run` throws where it does not answer. */
export interface ReadyCheck {
  readonly name: string;
  readonly run: () => void;
  /** Said though it answers: a database that had to be put back (`contract.md` 20), a disk that fills (rel-S28). */
  readonly notice?: () => string | null;
}

export interface ServerInfoDeps {
  readonly jobs: JobStore;
  readonly version: string;
  readonly checks: readonly ReadyCheck[];
}

/** What the server says of itself. */
export function createServerInfo({ jobs, version, checks }: ServerInfoDeps) {
  return {
    health: (): Health => ({ status: 'ok', version }),
    ready: (): Ready => {
      const results = checks.map(check);
      return { ready: results.every((result) => result.ok), checks: results };
    },
    jobs: ({ state, limit }: JobsQuery): JobsAnswer => ({
      jobs: jobs.list(state === 'cancelled' ? 'abandoned' : (state ?? null), limit).map(toShownJob),
    }),
    openApi: () => toOpenApi(routeTable, version),
  };
}

function check({ name, run, notice = () => null }: ReadyCheck): Ready['checks'][number] {
  try {
    run();
    return { name, ok: true, text: notice() };
  } catch {
    return { name, ok: false, text: 'does not answer' };
  }
}

function toShownJob(job: Job): JobsAnswer['jobs'][number] {
  const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
  return {
    id: job.id,
    kind: job.kind,
    key: job.serialKey,
    state: job.state === 'abandoned' ? 'cancelled' : job.state,
    priority: job.priority,
    tries: job.startedAt === null ? 0 : 1,
    createdAt: new Date(job.createdAt).toISOString(),
    startedAt: iso(job.startedAt),
    endedAt: iso(job.endedAt),
    error: job.code === null ? null : { code: job.code, message: 'This work failed.' },
  };
}
