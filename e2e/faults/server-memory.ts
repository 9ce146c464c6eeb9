import { readFileSync } from 'node:fs';
import { need } from './means';

/** Resident memory of a process, in megabytes. Linux alone tells it of others; elsewhere the test ends as not run. */
export function memoryOf(pid: number): number {
  if (process.platform !== 'linux') return need({ ok: false, why: 'memory of another process is read from /proc' });
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}

/** Looks now and then; the end gives the most there was. */
export function watchMemory(pid: number): () => number {
  let peak = memoryOf(pid);
  const timer = setInterval(() => {
    peak = Math.max(peak, memoryOf(pid));
  }, 50);
  return () => {
    clearInterval(timer);
    return peak;
  };
}
