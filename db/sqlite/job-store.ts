import { and, asc, desc, eq, inArray, lt, ne, notInArray, or } from 'drizzle-orm';
import type { Job, JobStore, NewJob } from '@/server/ports/job-store';
import type { Sqlite } from './open';
import { jobs } from './schema';

type JobRow = typeof jobs.$inferSelect;

const WAITING = ['queued', 'running'] as const;

/** Jobs in SQLite. One process holds the directory (L7), so a claim is one short immediate transaction. */
export function createJobStore(db: Sqlite): JobStore {
  const find = (job: NewJob) =>
    db
      .select()
      .from(jobs)
      .where(and(eq(jobs.kind, job.kind), eq(jobs.serialKey, job.serialKey), inArray(jobs.state, [...WAITING])))
      .orderBy(asc(jobs.id))
      .get();

  return {
    enqueue: (job) =>
      db.transaction(
        () => {
          const existing = job.single ? find(job) : undefined;
          if (existing) return { job: toJob(existing), existed: true };
          const row = db.insert(jobs).values(newRow(job)).returning().get();
          return { job: toJob(row), existed: false };
        },
        { behavior: 'immediate' },
      ),
    claim: (owner, now, leaseMs) => db.transaction(() => claim(db, owner, now, leaseMs), { behavior: 'immediate' }),
    extend: (jobId, owner, leaseUntil) =>
      db.update(jobs).set({ leaseUntil }).where(owned(jobId, owner)).run().changes === 1,
    end: (jobId, owner, outcome, now, code) => {
      db.update(jobs)
        .set({ state: outcome, endedAt: now, code: code ?? null, leaseUntil: null })
        .where(owned(jobId, owner))
        .run();
    },
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

function claim(db: Sqlite, owner: string, now: number, leaseMs: number): Job | null {
  // Never one's own: a clock that jumps over the lease (a laptop that slept) must not start a job beside itself.
  const expired = and(eq(jobs.state, 'running'), lt(jobs.leaseUntil, now), ne(jobs.owner, owner));
  const busyKeys = db
    .select({ key: jobs.serialKey })
    .from(jobs)
    .where(and(eq(jobs.state, 'running')));
  const next = db
    .select()
    .from(jobs)
    .where(or(expired, and(eq(jobs.state, 'queued'), notInArray(jobs.serialKey, busyKeys))))
    .orderBy(asc(jobs.priority), asc(jobs.id))
    .limit(1)
    .get();
  if (!next) return null;
  const row = db
    .update(jobs)
    .set({ state: 'running', owner, leaseUntil: now + leaseMs, startedAt: now })
    .where(eq(jobs.id, next.id))
    .returning()
    .get();
  return toJob(row);
}

function newRow(job: NewJob): typeof jobs.$inferInsert {
  return {
    id: job.id,
    kind: job.kind,
    serialKey: job.serialKey,
    priority: job.priority,
    state: 'queued',
    payloadJson: JSON.stringify(job.payload),
    createdAt: job.now,
  };
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
