import { describe, expect, it } from 'vitest';
import type { Job, JobStore, NewJob } from '@/server/ports/job-store';
import { createJobRunner, type JobHandler } from './runner';

/** The smallest store that keeps the promises of the port: lowest priority first, one running a key. */
function aStore(): JobStore & { readonly ended: string[] } {
  const jobs: Job[] = [];
  const ended: string[] = [];
  const set = (id: string, change: Partial<Job>) => {
    const at = jobs.findIndex((job) => job.id === id);
    const job = jobs[at];
    if (job) jobs[at] = { ...job, ...change };
  };
  return {
    ended,
    enqueue: (job) => {
      const stored: Job = { ...job, state: 'queued', createdAt: job.now, startedAt: null, endedAt: null, code: null };
      jobs.push(stored);
      return { job: stored, existed: false };
    },
    claim: () => {
      const busy = new Set(jobs.filter((job) => job.state === 'running').map((job) => job.serialKey));
      const next = jobs
        .filter((job) => job.state === 'queued' && !busy.has(job.serialKey))
        .sort((a, b) => a.priority - b.priority || a.id.localeCompare(b.id))[0];
      if (!next) return null;
      set(next.id, { state: 'running' });
      return next;
    },
    extend: () => true,
    end: (id, _owner, outcome, _now, code) => {
      set(id, { state: outcome, code: code ?? null });
      ended.push(`${id}:${outcome}${code ? `:${code}` : ''}`);
    },
    withdraw: () => false,
    abandonRunning: () => [],
    pending: (key) => jobs.filter((job) => job.serialKey === key && job.state !== 'done'),
    list: () => jobs,
  };
}

const job = (id: string, serialKey: string, priority = 10): NewJob => ({
  id,
  kind: 'work',
  serialKey,
  priority,
  payload: null,
  now: 0,
});

function aRunner(store: JobStore, work: JobHandler) {
  return createJobRunner({
    store,
    handlers: { work },
    clock: { now: () => 0 },
    ids: { next: () => 'owner', seen: () => {} },
    concurrency: 8,
    leaseMs: 60_000,
    onFailure: () => {},
    codeOf: () => 'internal',
  });
}

/** A gate that a test opens by hand, so nothing waits on time. */
function gates() {
  const open = new Map<string, () => void>();
  const started: string[] = [];
  const heard: (() => void)[] = [];
  return {
    started,
    open: (id: string) => open.get(id)?.(),
    work: (async (running, signal) => {
      started.push(running.id);
      for (const hear of heard.splice(0)) hear();
      await new Promise<void>((resolve) => {
        open.set(running.id, resolve);
        signal.addEventListener('abort', () => resolve());
      });
    }) satisfies JobHandler,
    until: async (count: number) => {
      while (started.length < count) await new Promise<void>((resolve) => heard.push(resolve));
    },
  };
}

describe('the runner of background work', () => {
  it('serial: two jobs of one session never run beside each other, two sessions do', async () => {
    const store = aStore();
    const gate = gates();
    const runner = aRunner(store, gate.work);
    for (const each of [job('1', 'a'), job('2', 'a'), job('3', 'b')]) store.enqueue(each);
    runner.start();
    expect(gate.started).toEqual(['1', '3']);
    gate.open('1');
    await gate.until(3);
    expect(gate.started).toEqual(['1', '3', '2']);
    await runner.stop(1000);
  });

  it('P5: a realtime job goes before waiting turns of its session', async () => {
    const store = aStore();
    const gate = gates();
    const runner = aRunner(store, gate.work);
    runner.start();
    store.enqueue(job('1', 'a'));
    runner.wake();
    store.enqueue(job('2', 'a'));
    store.enqueue(job('3', 'a', 0));
    gate.open('1');
    await gate.until(2);
    expect(gate.started).toEqual(['1', '3']);
    await runner.stop(1000);
  });

  it('T3: cancelling a session aborts its job and the next one goes on', async () => {
    const store = aStore();
    const gate = gates();
    const runner = aRunner(store, gate.work);
    store.enqueue(job('1', 'a'));
    store.enqueue(job('2', 'a'));
    runner.start();
    expect(runner.cancel('a')).toBe(true);
    await gate.until(2);
    expect(gate.started).toEqual(['1', '2']);
    await runner.stop(1000);
  });

  it('rel-S9: an end and a claim that the store would not take are taken to it again, and the next job runs', async () => {
    const store = aStore();
    let isFull = false;
    const whenRoom =
      <A extends unknown[], R>(call: (...given: A) => R) =>
      (...given: A): R => {
        if (isFull) throw new Error('full');
        return call(...given);
      };
    const full = { ...store, end: whenRoom(store.end), claim: whenRoom(store.claim) };
    const done: string[] = [];
    let second: () => void = () => undefined;
    const ran = new Promise<void>((resolve) => {
      second = resolve;
    });
    const work: JobHandler = async ({ id }) => {
      done.push(id);
      isFull = id === 'a';
      if (id === 'b') second();
    };
    const runner = createJobRunner({
      store: full,
      handlers: { work },
      clock: { now: () => 0 },
      ids: { next: () => 'owner', seen: () => undefined },
      concurrency: 4,
      leaseMs: 60_000,
      codeOf: () => 'internal',
      onFailure: () => undefined,
      retryMs: 5,
    });
    store.enqueue(job('a', 'one'));
    store.enqueue(job('b', 'one'));
    runner.start();
    while (!isFull) await new Promise((resolve) => setImmediate(resolve));
    isFull = false;
    await ran;
    await runner.stop(1_000);
    expect(done).toEqual(['a', 'b']);
    expect(store.ended).toEqual(['a:done', 'b:done']);
  });

  it('rel-R13: a handler that throws fails its job by code and the runner lives', async () => {
    const store = aStore();
    let calls = 0;
    const done: (() => void)[] = [];
    const both = new Promise<void>((resolve) => done.push(resolve));
    const runner = aRunner(store, async () => {
      calls += 1;
      if (calls === 1) throw new Error('broken');
      done[0]?.();
    });
    store.enqueue(job('1', 'a'));
    store.enqueue(job('2', 'a'));
    runner.start();
    await both;
    await runner.stop(1000);
    expect(store.ended).toEqual(['1:failed:internal', '2:done']);
  });

  it('rel-R11: stopping aborts what runs and takes no new work', async () => {
    const store = aStore();
    const gate = gates();
    const runner = aRunner(store, gate.work);
    store.enqueue(job('1', 'a'));
    store.enqueue(job('2', 'a'));
    runner.start();
    await runner.stop(1000);
    expect(gate.started).toEqual(['1']);
    expect(store.ended).toEqual(['1:done']);
  });
});
