import { openFilesSessionLog } from '@/db/files/session-log';
import type { FloorBytes } from '@/server/core/budget/floor';
import { measureItem } from '@/server/core/budget/measure-item';
import { type NumberSettings, planNumbers } from '@/server/core/budget/numbers';
import { chooseAutomaticCut } from '@/server/core/compaction/cut';
import { createIds } from '@/server/core/ids';
import type { NewEvent } from '@/server/core/log/new-event';
import { NO_PROMPT, projectView } from '@/server/core/projection/model-view';
import type { RenderCache } from '@/server/core/projection/model-view-entries';
import type { SessionState } from '@/server/core/projection/state-shape';
import { createSessionWriter, type SessionWriter } from '@/server/session/append-events';
import { median, timeOf, timeUntil } from '../clock';
import { makeText } from '../sessions/make-text';
import { createRandom } from '../sessions/random';
import type { MadeSession } from '../sessions/session-files';
import { createInstantLog, type InstantLog } from './instant-log';

const MODEL = { provider: 'practice', model: 'rules-1' };
const SETTINGS: NumberSettings = {
  preset: 'roomy',
  triggerRatio: 0.85,
  tailRatio: 0.2,
  lowMarkRatio: 0.6,
  carryBoundBytes: 4096,
  resultCapBytes: 16_384,
};
const STEPS = 60;

/**
 * perf-B1, perf-B2, perf-B3 with a view of about 200 kB: the first projection after opening, then the one after each of
 * 60 appended items, from the append to the view, the disk apart; and the choice of a cut. The floor is
 * `JSON.stringify` of the finished view.
 */
export async function runProjection({ dataDir, logId }: MadeSession) {
  const ids = createIds({ clock: { now: () => Date.UTC(2027, 0, 1) }, drawBytes: (count) => new Uint8Array(count) });
  const files = await openFilesSessionLog({ dataDir, ids, clock: { now: () => 0 }, lock: null });
  const log = createInstantLog(files, await newestSeqOf(files.read(logId)));
  const writer = createSessionWriter({
    sessionLog: log,
    ids,
    clock: { now: () => Date.UTC(2027, 0, 1) },
    logOf: () => logId,
    onAppended: () => undefined,
    keptLogs: 4,
    finish: (state) => state,
  });
  const cache: RenderCache = new WeakMap();
  const project = (state: SessionState, rendered: RenderCache) =>
    projectView({ state, prompt: NO_PROMPT, model: MODEL, moment: 'step', cache: rendered });
  const view = (state: SessionState) => project(state, cache);
  const { session } = await writer.load(logId);
  // The code is warm, as it is in a server; nothing of this conversation is rendered yet.
  for (let turn = 0; turn < 10; turn += 1) project(session, new WeakMap());
  const firstMs = timeOf(() => view(session));
  const finished = view(session);
  const floors = Array.from({ length: 40 }, () => timeOf(() => void JSON.stringify(finished)));

  await openTurn(writer, logId);
  const steps = await measureSteps({ writer, log, logId }, view);
  const { session: last } = await writer.load(logId);
  return {
    floorMs: median(floors),
    firstMs,
    stepMs: median(steps),
    cutMs: median(Array.from({ length: 15 }, () => timeOf(() => void cutOf(last)))),
    viewBytes: finished.bytes,
  };
}

async function newestSeqOf(records: ReturnType<InstantLog['read']>): Promise<number> {
  let newest = 0;
  for await (const record of records) if (record.kind === 'event') newest = record.event.seq;
  return newest;
}

async function openTurn(writer: SessionWriter, logId: string): Promise<void> {
  const turnId = '01K0000000000000000000TRNA';
  const parts = [{ type: 'text' as const, text: 'and now the letters' }];
  await writer.append(logId, ({ session }) => ({
    events: [
      { type: 'message.user', id: '01K0000000000000000000MSGA', parts, by: 'owner', turnId, bytes: 400 },
      {
        type: 'turn.started',
        turnId,
        messageId: '01K0000000000000000000MSGA',
        model: MODEL,
        promptId: session.keptPrompt?.id ?? '',
      },
    ],
    result: undefined,
  }));
}

interface Bench {
  readonly writer: SessionWriter;
  readonly log: InstantLog;
  readonly logId: string;
}

async function measureSteps({ writer, log, logId }: Bench, view: (state: SessionState) => unknown) {
  const random = createRandom(11);
  const times: number[] = [];
  for (let step = 0; step < STEPS; step += 1) {
    const events = [callOf(random, step), resultOf(random, step)];
    for (const event of events) {
      const before = log.spentMs();
      const ms = await timeUntil(async () => {
        await writer.append(logId, () => ({ events: [event], result: undefined }));
        view((await writer.load(logId)).session);
      });
      times.push(ms - (log.spentMs() - before));
    }
  }
  // The first ones meet code that was never run before.
  return times.slice(20);
}

function callOf(random: () => number, step: number): NewEvent {
  const args = { path: makeText(random, 60) };
  const parts = [{ type: 'tool_call' as const, callId: `step_${step}`, name: 'read_file', args }];
  const content = { step, model: MODEL, parts, end: 'tool_calls' as const };
  const { bytes } = measureItem({ type: 'message.assistant', ...content });
  return { type: 'message.assistant', ...content, ms: 100, bytes };
}

function resultOf(random: () => number, step: number): NewEvent {
  const parts = [{ type: 'text' as const, text: makeText(random, 1200) }];
  const result = { type: 'tool.result' as const, callId: `step_${step}`, name: 'read_file', parts, ms: 3 };
  return { ...result, ...measureItem(result) };
}

function cutOf(state: SessionState): unknown {
  const floor: FloorBytes = { promptBytes: 4000, toolsBytes: 2000, planBytes: 0, carryBytes: 0 };
  const numbers = planNumbers({ budgetBytes: 400_000, floor, settings: SETTINGS, thriftyTriggerBytes: null });
  return chooseAutomaticCut({ state, numbers, settings: SETTINGS, model: MODEL, tailLimitBytes: null });
}
