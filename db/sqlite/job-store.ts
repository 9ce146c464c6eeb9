import { and, asc, desc, eq, inArray } from 'drizzle-orm';
import { AppError } from '@/server/contract/error';
import type { Job, JobStore, NewJob } from '@/server/ports/job-store';
import type { Sqlite } from './open';
import { jobs } from './schema';

type JobRow = typeof jobs.$inferSelect;

const WAITING = ['queued', 'running'] as const;

/** Jobs in SQLite. One process holds the directory (L7), so a claim is one short immediate transaction. */
export function createJobStore(db: Sqlite): JobStore {
  const hot = prepareHot(db.$client);
  return {
    enqueue: hot.enqueue,
    claim: hot.claim,
    extend: (jobId, owner, leaseUntil) =>
      db.update(jobs).set({ leaseUntil }).where(owned(jobId, owner)).run().changes === 1,
    end: hot.end,
    withdraw: (jobId, now) =>
      db
        .update(jobs)
        .set({ state: 'abandoned', endedAt: now })
        .where(and(eq(jobs.id, jobId), eq(jobs.state, 'queued')))
        .run().changes === 1,
    abandonRunning: (now) =>
      db
        .update(jobs)
        .set({ state: 'abandoned', endedAt: now, leaseUntil: null })
        .where(eq(jobs.state, 'running'))
        .returning()
        .all()
        .map(toJob),
    pending: (serialKey) =>
      db
        .select()
        .from(jobs)
        .where(and(eq(jobs.serialKey, serialKey), inArray(jobs.state, [...WAITING])))
        .orderBy(asc(jobs.priority), asc(jobs.id))
        .all()
        .map(toJob),
    list: (state, limit) =>
      db
        .select()
        .from(jobs)
        .where(state ? eq(jobs.state, state) : undefined)
        .orderBy(desc(jobs.id))
        .limit(limit)
        .all()
        .map(toJob),
  };
}

const owned = (jobId: string, owner: string) =>
  and(eq(jobs.id, jobId), eq(jobs.owner, owner), eq(jobs.state, 'running'));

interface HotRow extends Omit<Job, 'payload'> {
  readonly payloadJson: string;
}

const COLUMNS = `id, kind, serial_key as serialKey, priority, state, payload_json as payloadJson, created_at as createdAt,
  started_at as startedAt, ended_at as endedAt, code`;

/**
 * What every job goes through, as statements that are prepared once (perf-F3). A claim walks the queued jobs in the order
 * of their index and stops at the first whose key is free, so it takes as long however many wait.
 */
function prepareHot(client: Sqlite['$client']): Pick<JobStore, 'enqueue' | 'claim' | 'end'> {
  const find = client.prepare<[string, string, string], HotRow>(
    `select ${COLUMNS} from jobs where kind = ? and serial_key = ? and state in ('queued', 'running') and id <> ?
     order by id limit 1`,
  );
  const insert = client.prepare<[string, string, string, number, string, number], HotRow>(
    `insert into jobs (id, kind, serial_key, priority, state, payload_json, created_at)
     values (?, ?, ?, ?, 'queued', ?, ?) returning ${COLUMNS}`,
  );
  const free = client.prepare<[], HotRow>(
    `select ${COLUMNS} from jobs as waiting where state = 'queued' and not exists (
       select 1 from jobs as busy where busy.state = 'running' and busy.serial_key = waiting.serial_key
     ) order by priority, id limit 1`,
  );
  // Never one's own: a clock that jumps over the lease (a laptop that slept) must not start a job beside itself.
  const expired = client.prepare<[number, string], HotRow>(
    `select ${COLUMNS} from jobs where state = 'running' and lease_until < ? and owner <> ? order by priority, id limit 1`,
  );
  const take = client.prepare<[string, number, number, string], HotRow>(
    `update jobs set state = 'running', owner = ?, lease_until = ?, started_at = ? where id = ? returning ${COLUMNS}`,
  );
  const end = client.prepare<[string, number, string | null, string, string]>(
    `update jobs set state = ?, ended_at = ?, code = ?, lease_until = null where id = ? and owner = ? and state = 'running'`,
  );
  const claim = client.transaction((owner: string, now: number, leaseMs: number) => {
    const next = first(expired.get(now, owner), free.get());
    const row = next && take.get(owner, now + leaseMs, now, next.id);
    return row ? fromHotRow(row) : null;
  });
  const enqueue = client.transaction((job: NewJob) => {
    const existing = job.single ? find.get(job.kind, job.serialKey, job.except ?? '') : undefined;
    if (existing) return { job: fromHotRow(existing), existed: true };
    const { id, kind, serialKey, priority, payload, now } = job;
    const row = insert.get(id, kind, serialKey, priority, JSON.stringify(payload), now);
    if (!row) throw new AppError('internal', 'The job was not kept.');
    return { job: fromHotRow(row), existed: false };
  });
  return {
    enqueue: (job) => enqueue.immediate(job),
    claim: (owner, now, leaseMs) => claim.immediate(owner, now, leaseMs),
    end: (jobId, owner, outcome, now, code) => void end.run(outcome, now, code ?? null, jobId, owner),
  };
}

/** In the order of the queue: lower priority, then older. */
function first(one: HotRow | undefined, other: HotRow | undefined): HotRow | undefined {
  if (!one || !other) return one ?? other;
  if (one.priority !== other.priority) return one.priority < other.priority ? one : other;
  return one.id < other.id ? one : other;
}

function fromHotRow({ payloadJson, ...row }: HotRow): Job {
  const payload: unknown = JSON.parse(payloadJson);
  return { ...row, payload };
}

function toJob(row: JobRow): Job {
  const payload: unknown = JSON.parse(row.payloadJson);
  return {
    id: row.id,
    kind: row.kind,
    serialKey: row.serialKey,
    priority: row.priority,
    state: row.state,
    payload,
    createdAt: row.createdAt,
    startedAt: row.startedAt,
    endedAt: row.endedAt,
    code: row.code,
  };
}
