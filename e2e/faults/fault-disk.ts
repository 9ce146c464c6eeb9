import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { findShim, need } from './means';

export type FileCall = 'open' | 'read' | 'write' | 'fdatasync' | 'fsync' | 'rename';
type KillWhen = 'kill-before' | 'kill-half' | 'kill-after';

/** From the `from`-th call of a kind on files whose path holds `match`, for `times` calls. */
export interface DiskFault {
  readonly match: string;
  readonly call: FileCall;
  readonly from: number;
  readonly times?: number;
  readonly does:
    | { readonly errno: keyof typeof constants.errno }
    | { readonly short: number }
    | { readonly delayMs: number }
    | KillWhen;
}

/** A call on a log as the shim recorded it. */
export interface RecordedCall {
  readonly call: string;
  /** Bytes or 0; below 0 the number of an error. */
  readonly result: number;
  readonly size: number;
  readonly path: string;
}

/** The faults of one process that is started with `env`. */
export interface FaultDisk {
  readonly env: Readonly<Record<string, string>>;
  /** Takes the place of all faults before; counting begins anew. */
  readonly plan: (...faults: readonly DiskFault[]) => void;
  /** The calls on logs since the last look, in their order. */
  readonly takeRecorded: () => readonly RecordedCall[];
  /** Where calls are recorded; lines of others may be added to it. */
  readonly recordPath: string;
}

function spell({ match, call, from, times = 1, does }: DiskFault): string {
  const rule = (action: string, n: number) => [match, call, from, times, action, n].join(' ');
  if (typeof does === 'string') return rule(does, 0);
  if ('errno' in does) return rule('errno', constants.errno[does.errno]);
  if ('short' in does) return rule('short', does.short);
  return rule('delay', does.delayMs);
}

/** Builds the shim where needed and lays its files into `folder`. The test ends as not run where there is no compiler. */
export function createFaultDisk(folder: string): FaultDisk {
  const { library } = need(findShim());
  const planPath = join(folder, 'fault-plan');
  const recordPath = join(folder, 'fault-record');
  let generation = 0;
  const plan: FaultDisk['plan'] = (...faults) => {
    generation += 1;
    // In one step: the process may read it at any moment.
    writeFileSync(`${planPath}.next`, `${[generation, ...faults.map(spell)].join('\n')}\n`);
    renameSync(`${planPath}.next`, planPath);
  };
  plan();
  writeFileSync(recordPath, '');
  return {
    env: { LD_PRELOAD: library, FAULT_PLAN: planPath, FAULT_RECORD: recordPath },
    plan,
    recordPath,
    takeRecorded: () => {
      const lines = readFileSync(recordPath, 'utf8').split('\n').slice(0, -1);
      writeFileSync(recordPath, '');
      return lines.map((line) => {
        const [call = '', result = '', size = '', path = ''] = line.split(' ');
        return { call, result: Number(result), size: Number(size), path };
      });
    },
  };
}
