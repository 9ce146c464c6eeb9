import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createJobStore } from '@/db/sqlite/job-store';
import { openSqlite, type Sqlite } from '@/db/sqlite/open';
import { PRIORITY } from '@/server/ports/job-store';
import { median, quantile, timeOf } from '../clock';

const MIGRATIONS = fileURLToPath(new URL('../../db/migrations', import.meta.url));
const QUEUED = 20_000;
/** Turns that are compared with each other: both sides see the same moments of a busy machine. */
const BLOCK = 25;

/** perf-F3: jobs through the store against the same three transactions by hand; then claims from a full queue. */
export async function runJobs({ count }: { readonly count: number }) {
  const folder = await mkdtemp(join(tmpdir(), 'tidemark-bench-'));
  const opened = openSqlite({ path: join(folder, 'main.sqlite'), migrations: MIGRATIONS, now: 0 });
  const store = createJobStore(opened.db);
  const raw = rawJobs(opened.db);
  let id = 0;
  const enqueueNext = () => {
    id += 1;
    enqueue(store, id);
  };
  const ours = () => {
    enqueueNext();
    const job = store.claim('bench', id, 60_000);
    if (job) store.end(job.id, 'bench', 'done', id);
  };
  const floor = () => {
    id += 1;
    raw(id);
  };
  repeat(BLOCK, ours);
  repeat(BLOCK, floor);
  const [oursMs, floorMs]: [number[], number[]] = [[], []];
  for (let done = 0; done < count; done += BLOCK) {
    floorMs.push(timeOf(() => repeat(BLOCK, floor)) / BLOCK);
    oursMs.push(timeOf(() => repeat(BLOCK, ours)) / BLOCK);
  }
  const empty = claims(store, count, enqueueNext);
  repeat(QUEUED, enqueueNext);
  const full = claims(store, count, () => undefined);
  opened.close();
  rmSync(folder, { recursive: true });
  return { floorMs: median(floorMs), oursMs: median(oursMs), emptyP50: median(empty), fullP99: quantile(full, 0.99) };
}

function repeat(count: number, work: () => void): void {
  for (let done = 0; done < count; done += 1) work();
}

type Store = ReturnType<typeof createJobStore>;

function enqueue(store: Store, id: number): void {
  const name = String(id).padStart(12, '0');
  store.enqueue({
    id: name,
    kind: 'session.turn',
    serialKey: name,
    priority: PRIORITY.normal,
    payload: { id },
    now: id,
  });
}

function claims(store: Store, count: number, before: () => void): readonly number[] {
  return Array.from({ length: count }, (_, at) => {
    before();
    let taken: ReturnType<Store['claim']> = null;
    const ms = timeOf(() => {
      taken = store.claim('bench', at, 60_000);
    });
    finish(store, taken);
    return ms;
  });
}

function finish(store: Store, job: ReturnType<Store['claim']>): void {
  if (job) store.end(job.id, 'bench', 'done', 1);
}

/** Insert, take the oldest, mark as done: three transactions on the same table with statements prepared once. */
function rawJobs({ $client: client }: Sqlite): (id: number) => void {
  const insert = client.prepare(
    `insert into jobs (id, kind, serial_key, priority, state, payload_json, created_at) values (?, 'raw', ?, 10, 'queued', '{}', 1)`,
  );
  const next = client.prepare(`select id from jobs where state = 'queued' order by priority, id limit 1`).pluck();
  const take = client.prepare(
    `update jobs set state = 'running', owner = 'raw', lease_until = 1, started_at = 1 where id = ?`,
  );
  const end = client.prepare(`update jobs set state = 'done', ended_at = 1, lease_until = null where id = ?`);
  const claim = client.transaction(() => {
    const id = next.get();
    take.run(id);
    return id;
  });
  return (id) => {
    const name = String(id).padStart(12, '0');
    insert.run(name, name);
    end.run(claim.immediate());
  };
}
