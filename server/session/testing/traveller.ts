import { MemoryDisk } from '@/db/files/memory-disk';
import { openFilesSessionLog } from '@/db/files/session-log';
import type { LogEvent } from '@/server/contract/events/event';
import { createIds } from '@/server/core/ids';
import { checkLog } from '@/server/core/log/check-log';
import { type NewEvent, stampEvents } from '@/server/core/log/new-event';
import { finishScan, scanChunk, startScan } from '@/server/core/log/scan-log';
import { deepFreeze } from '@/server/core/projection/deep-freeze';
import { builtModel } from '@/server/core/projection/log-builder-verbs';
import { foldEvents } from '@/server/core/projection/log-state';
import { isPathLine } from '@/server/core/projection/log-state-path';
import { NO_PROMPT, projectView } from '@/server/core/projection/model-view';
import { findUnpaired } from '@/server/core/projection/model-view-pairing';
import { foldSession } from '@/server/core/projection/session-state';
import type { LogState, SessionState } from '@/server/core/projection/state-shape';
import type { TravelPlan } from '@/server/core/travel/travel-plan';
import { createSessionWriter, type Decision, type LoadedSession } from '../append-events';

const DATA_DIR = '/data';
const START_MS = Date.UTC(2026, 0, 1);

/** What a person could tell apart of a head: everything the path says, and the view to the byte. */
export function photograph(state: SessionState): string {
  const { items, plan, carryOvers, keptPrompt, checkpoint, masks, trimActions } = state;
  const prompt = keptPrompt ?? NO_PROMPT;
  const { entries } = projectView({ state, prompt, model: builtModel, moment: 'entry' });
  const ids = items.map(({ id, number, point }) => [id, number, point]);
  const facts = {
    plan,
    carryOvers,
    kept: keptPrompt?.id ?? null,
    checkpoint,
    masks: [...masks],
    trims: [...trimActions],
  };
  return JSON.stringify({ ids, entries, ...facts });
}

/** A log on a disk in memory, written by the one writer, and the branches that a random journey has made in it. */
export class Traveller {
  readonly logId: string;
  readonly branches: string[];
  here: string;
  readonly #ids;
  readonly #disk: MemoryDisk;
  readonly #clock = { now: () => START_MS };
  #writer: ReturnType<typeof createSessionWriter>;
  #sessionLog: Awaited<ReturnType<typeof openFilesSessionLog>>;
  #bytes = Buffer.alloc(0);

  private constructor(sessionLog: Awaited<ReturnType<typeof openFilesSessionLog>>, disk: MemoryDisk) {
    this.#ids = createIds({ clock: this.#clock, drawBytes: (count) => new Uint8Array(count) });
    this.#disk = disk;
    this.#sessionLog = sessionLog;
    this.#writer = this.#newWriter();
    this.logId = this.#ids.next();
    this.branches = [this.logId];
    this.here = this.logId;
  }

  static async setOut(): Promise<Traveller> {
    const disk = new MemoryDisk();
    const traveller = new Traveller(await open(disk), disk);
    const opened: NewEvent[] = [
      { type: 'log.opened', format: 'tidemark-log', logId: traveller.logId, app: 'test' },
      { type: 'branch.opened', kind: 'root', owner: 'ada' },
    ];
    const stamp = { branch: traveller.logId, logId: traveller.logId, head: null, at: traveller.#at };
    await traveller.#writer.create(traveller.logId, stampEvents(opened, { ...stamp, nextId: traveller.#ids.next }));
    traveller.#holdBytes();
    return traveller;
  }

  get #at(): string {
    return new Date(this.#clock.now()).toISOString();
  }

  #newWriter() {
    return createSessionWriter({
      clock: this.#clock,
      ids: this.#ids,
      sessionLog: this.#sessionLog,
      logOf: () => this.logId,
      onAppended: () => undefined,
      keptLogs: 4,
      finish: deepFreeze,
    });
  }

  nextId(): string {
    return this.#ids.next();
  }

  load(branch = this.here): Promise<LoadedSession> {
    return this.#writer.load(branch);
  }

  async state(): Promise<SessionState> {
    return (await this.load()).session;
  }

  async append(decide: (loaded: LoadedSession) => readonly NewEvent[]): Promise<void> {
    await this.#writer.append(this.here, (loaded) => ({ events: decide(loaded), result: undefined }));
    this.#holdBytes();
  }

  /** Does what a plan says; false where it refuses, and then nothing is appended. */
  async travel(decide: (loaded: LoadedSession) => TravelPlan): Promise<boolean> {
    let isDone = false;
    await this.append((loaded) => {
      const plan = decide(loaded);
      isDone = plan.ok;
      return plan.ok ? plan.events : [];
    });
    return isDone;
  }

  async open(
    branch: string,
    decide: (loaded: LoadedSession) => Pick<Decision<void>, 'events' | 'opens'>,
  ): Promise<void> {
    await this.#writer.append(this.here, (loaded) => ({ ...decide(loaded), result: undefined }));
    this.#holdBytes();
    this.branches.push(branch);
    this.here = branch;
  }

  /** The process ends, another begins on what is on the disk, and every branch is what it was. */
  async restart(): Promise<void> {
    const before = await Promise.all(this.branches.map(async (id) => (await this.load(id)).session));
    await this.#sessionLog.close();
    this.#sessionLog = await open(this.#disk);
    this.#writer = this.#newWriter();
    const after = await Promise.all(this.branches.map(async (id) => (await this.load(id)).session));
    same(after, before, 'a restart');
    this.#holdBytes();
  }

  /** L3: exactly what was there, then whole lines. */
  #holdBytes(): void {
    const now = Buffer.from(this.#disk.bytesOf(`${DATA_DIR}/logs/${this.logId}.jsonl`));
    if (!now.subarray(0, this.#bytes.length).equals(this.#bytes)) throw new Error('bytes that stood were changed');
    if (now.at(-1) !== 0x0a) throw new Error('the file does not end with a line');
    this.#bytes = now;
  }

  /** The laws of the whole file: rules of section 5, path snapshots, views, and what the writer holds in memory. */
  async holdLaws(): Promise<void> {
    const { state, records } = scanChunk(startScan(), this.#bytes);
    const report = checkLog([...records, ...finishScan(state).records]);
    same(report.violations, [], 'check-log');
    const events = [...records].flatMap((record) => (record.kind === 'event' ? [record.event] : []));
    for (const branch of this.branches) {
      const { session } = await this.load(branch);
      same(session, foldSession(report.log, branch), 'a replay of the bytes');
      holdPathSnapshot(report.log, events, branch);
      for (const moment of ['entry', 'step'] as const) {
        const view = projectView({ state: session, prompt: NO_PROMPT, model: builtModel, moment });
        same(findUnpaired(view), [], 'pairing');
      }
    }
  }

  end(): Promise<void> {
    return this.#sessionLog.close();
  }
}

const open = (disk: MemoryDisk) => {
  const clock = { now: () => START_MS };
  const ids = createIds({ clock, drawBytes: (count) => new Uint8Array(count).fill(9) });
  return openFilesSessionLog({ dataDir: DATA_DIR, ids, clock, lock: null, ops: disk });
};

/**
 * Contract 2: what the path says needs the path alone; abandoned lines and other branches change nothing. That a turn ended is a
 * fact of the branch whatever the head is, so those lines belong to a snapshot too.
 */
function holdPathSnapshot(log: LogState, events: readonly LogEvent[], branch: string): void {
  const whole = foldSession(log, branch);
  const onPath = new Set(whole.path.map(({ seq }) => seq));
  const isKept = (event: LogEvent) => !isPathLine(event) || onPath.has(event.seq) || event.type === 'turn.ended';
  const snapshot = foldEvents(events.filter(isKept));
  same(photograph(foldSession(snapshot, branch)), photograph(whole), 'a snapshot of the path');
}

function same(is: unknown, shouldBe: unknown, what: string): void {
  const [left, right] = [JSON.stringify(is), JSON.stringify(shouldBe)];
  if (left !== right) throw new Error(`${what} differs:\n${left}\n${right}`);
}
