import { fitsSummariser } from '@/server/core/compaction/fit';
import { planCompaction } from '@/server/core/compaction/plan';
import { renderSummaryRequest } from '@/server/core/compaction/render';
import { toStarted } from '@/server/core/compaction/step-events';
import type { LogBuilder } from '@/server/core/projection/log-builder';
import { builtId } from '@/server/core/projection/log-builder-desk';
import type { SessionState } from '@/server/core/projection/state-shape';
import { toConnection } from '@/server/model/connection';
import { createSdkModel } from '@/server/model/sdk-model';
import { startFakeChatCompletions } from '@/server/model/testing/fake-chat-completions';
import { createLearntMemory } from '@/server/model/testing/learnt-memory';
import type { ModelPort } from '@/server/ports/model';
import { jobFor, type Played, playMachine, SUMMARISER, sceneOf } from './play-machine';
import { createScriptedSummariser } from './script';
import { estimateTokens, MARKERS, STALE_MARKER, tellTrace, viewOf } from './trace';

export const SMALL_WINDOW_TOKENS = 8_000;
const LARGE_WINDOW_TOKENS = 1_000_000;
/** Far beyond the ids of the trace itself. */
const RUN_ID = builtId(9_000_032);
const FIRST_RUN_ID = builtId(9_000_000);

/** What one way of making the trace smaller came to. Tokens are estimates at four bytes each. */
export interface PathResult {
  readonly name: string;
  readonly viewTokens: number;
  readonly calls: number;
  /** Largest map request; null where there are none. */
  readonly mapPeakTokens: number | null;
  readonly markersKept: number;
  readonly staleShown: boolean;
  /** Every line of the trace stands byte for byte where it stood. */
  readonly itemsPreserved: boolean;
  readonly mostAtOnce: number;
  readonly note: string;
}

export interface OfflineResult {
  readonly sourceTokens: number;
  readonly paths: readonly PathResult[];
}

/** The five paths of E1 over one and the same trace, through a server on this machine and the real client library. */
export async function runPaths(): Promise<OfflineResult> {
  const source = tellTrace();
  return {
    sourceTokens: estimateTokens(viewOf(source.state()).bytes),
    paths: [
      maskEverything(),
      await onServer(oneShot),
      await onServer(legacyConcatenation),
      await onServer((bench) => inSegments(bench, 'sequential')),
      await onServer((bench) => inSegments(bench, 'parallel')),
    ],
  };
}

interface Bench {
  readonly port: (windowTokens: number) => ModelPort;
  readonly asked: ReturnType<typeof createScriptedSummariser>['asked'];
}

async function onServer(run: (bench: Bench) => Promise<PathResult>): Promise<PathResult> {
  const script = createScriptedSummariser();
  const server = await startFakeChatCompletions({ respond: script.respond });
  const port = (window: number) => {
    const models = [{ id: SUMMARISER.model, window, maxOutput: null, vision: null }];
    const { provider: id } = SUMMARISER;
    const connection = toConnection({ id, kind: 'openai-compatible', baseUrl: server.baseUrl, apiKey: 'sk-x', models });
    return createSdkModel({
      connection: (wanted) => (wanted === id ? connection : null),
      memory: createLearntMemory(),
      fetch: (input, init) => fetch(input, init),
      embeddedFetch: () => Promise.reject(new TypeError('nobody is embedded here')),
      startTimer: () => () => undefined,
      nowMs: () => 0,
      stallMs: () => 120_000,
    });
  };
  try {
    return await run({ port, asked: script.asked });
  } finally {
    await server.close();
  }
}

/** Each result masked as if the model had asked for it right after reading: no call, and what it read is out of sight. */
function maskEverything(): PathResult {
  const log = tellTrace();
  const state = log.state();
  const masks = new Map(
    state.items.flatMap((item) => (item.event.type === 'tool.result' ? [[item.id, maskOf(item)]] : [])),
  );
  return toResult('masking only', { log, state: { ...state, masks }, calls: 0, note: 'the model asks for each mask' });
}

type Masks = SessionState['masks'];
type Mask = Masks extends ReadonlyMap<string, infer Event> ? Event : never;

function maskOf({ id, event }: SessionState['items'][number]): Mask {
  const callId = event.type === 'tool.result' ? event.callId : '';
  const { v, seq, branch, at, prev, bytes } = { prev: null, ...event };
  return {
    v,
    seq,
    id: builtId(1),
    branch,
    at,
    prev,
    type: 'view.masked',
    item: id,
    callId,
    note: 'read',
    bytes,
    byCall: 'c',
  };
}

/** One request for the whole; it could not be sent to a window of 8,000 tokens, so it goes to a large one. */
async function oneShot({ port, asked }: Bench): Promise<PathResult> {
  const log = tellTrace();
  const fits = fitsSmallWindow(log, port(SMALL_WINDOW_TOKENS));
  const played = await playMachine({
    log,
    port: port(LARGE_WINDOW_TOKENS),
    windowTokens: LARGE_WINDOW_TOKENS,
    compactionId: RUN_ID,
  });
  const note = fits ? 'would fit 8,000 tokens' : 'does not fit 8,000 tokens; sent to 1,000,000';
  return toResult('one-shot oracle', { log, state: log.state(), calls: asked.length, played, note });
}

function fitsSmallWindow(log: LogBuilder, port: ModelPort): boolean {
  const scene = sceneOf(log);
  const job = jobFor({ port, windowTokens: SMALL_WINDOW_TOKENS, compactionId: RUN_ID });
  const go = planFor(log, job);
  const { state, view } = scene;
  const request = renderSummaryRequest({
    ...{ state, go, view, prompt: job.prompt, form: 'serialised', focus: null, installation: '', rejection: null },
  });
  return fitsSummariser(request.measureBytes, job.factsOf(SUMMARISER), scene.numbers.budgetBytes);
}

function planFor(log: LogBuilder, job: ReturnType<typeof jobFor>) {
  const { state, numbers } = sceneOf(log);
  const { trigger, upToItemId, keepTail, settings, minSourceBytes, agentModel, disk } = job;
  const wanted = { trigger, upToItemId, keepTail, settings, minSourceBytes, model: agentModel, disk };
  const go = planCompaction(state, numbers, { ...wanted, tailLimitBytes: null });
  if (go.kind !== 'go') throw new Error(`the trace could not be planned: ${go.kind}`);
  return go;
}

/**
 * The way that was left: the source cut at byte offsets, each piece appended to a rolling buffer. Rebuilt here alone, as
 * an oracle: the first reply holds the complete answer, so its small size says nothing of quality.
 */
async function legacyConcatenation({ port, asked }: Bench): Promise<PathResult> {
  const log = tellTrace();
  const { text } = viewOf(log.state());
  const pieceBytes = SMALL_WINDOW_TOKENS * 2 * 0.9;
  const pieces = Math.ceil(text.length / pieceBytes);
  const buffer: string[] = [writeOracle()];
  for (let n = 0; n < pieces; n += 1) {
    const piece = text.slice(n * pieceBytes, (n + 1) * pieceBytes);
    await ask(port(SMALL_WINDOW_TOKENS), `TASK split 1\n${buffer.join('\n')}\n${piece}`);
  }
  const marks = Object.values(MARKERS);
  const pending = log.state().items.at(-1)?.event;
  const said = pending?.type === 'message.user' ? JSON.stringify(pending.parts) : '';
  const view = `${buffer.join('\n')}\n${said}`;
  return {
    name: 'legacy concatenation oracle',
    viewTokens: estimateTokens(view.length),
    calls: asked.length,
    mapPeakTokens: Math.max(...asked.map(({ bytes }) => estimateTokens(bytes))),
    markersKept: marks.filter((mark) => view.includes(mark)).length,
    staleShown: view.includes(STALE_MARKER),
    itemsPreserved: isSame(log, tellTrace()),
    mostAtOnce: 1,
    note: 'told the whole answer in its first reply',
  };
}

const writeOracle = () => [MARKERS.constraint, MARKERS.decision, MARKERS.verified, MARKERS.open].join('; ');

async function ask(port: ModelPort, text: string): Promise<void> {
  const request = {
    model: SUMMARISER,
    system: '',
    tools: [],
    entries: [{ role: 'user' as const, parts: [{ type: 'text' as const, text }] }],
  };
  const sizes = { measureBytes: text.length, bytesPerToken: 2, ceilingTokens: null, turnFrom: null, cacheAfter: null };
  const stream = port.stream(
    { ...request, ...sizes, reasoning: 'default', imageData: () => null },
    new AbortController().signal,
  );
  for await (const _ of stream);
}

/** Our engine in a window of 8,000 tokens. A run that fell back before goes on one map at a time (R6). */
async function inSegments({ port, asked }: Bench, mode: 'sequential' | 'parallel'): Promise<PathResult> {
  const log = tellTrace();
  const small = port(SMALL_WINDOW_TOKENS);
  if (mode === 'sequential') beginSequential(log, small);
  const played = await playMachine({ log, port: small, windowTokens: SMALL_WINDOW_TOKENS, compactionId: RUN_ID });
  const maps = asked.filter(({ task }) => task === 'map').map(({ bytes }) => estimateTokens(bytes));
  const stages = `${maps.length} maps, ${asked.filter(({ task }) => task === 'reduce').length} reductions, ${asked.filter(({ task }) => task === 'audit').length} audits`;
  const result = toResult(`${mode} MapReduce`, { log, state: log.state(), calls: asked.length, played, note: stages });
  return { ...result, mapPeakTokens: Math.max(...maps) };
}

/** As after a provider's failure: the first attempt was ended, its mode stands. */
function beginSequential(log: LogBuilder, port: ModelPort): void {
  const job = jobFor({ port, windowTokens: SMALL_WINDOW_TOKENS, compactionId: FIRST_RUN_ID });
  log.appends(toStarted(job, sceneOf(log), planFor(log, job)));
  log.append('staging.mode', { compactionId: FIRST_RUN_ID, mode: 'sequential', reason: 'network' });
  log.append('compaction.ended', { compactionId: FIRST_RUN_ID, outcome: 'failed', reason: 'network' });
}

interface ResultInput {
  readonly log: LogBuilder;
  readonly state: SessionState;
  readonly calls: number;
  readonly played?: Played;
  readonly note: string;
}

function toResult(name: string, { log, state, calls, played, note }: ResultInput): PathResult {
  if (played !== undefined && played.done.outcome !== 'committed')
    throw new Error(`${name} ended ${played.done.outcome}: ${played.done.reason ?? ''}`);
  const { bytes, text } = viewOf(state);
  return {
    name,
    viewTokens: estimateTokens(bytes),
    calls,
    mapPeakTokens: null,
    markersKept: Object.values(MARKERS).filter((mark) => text.includes(mark)).length,
    staleShown: text.includes(STALE_MARKER),
    itemsPreserved: isSame(log, tellTrace()),
    mostAtOnce: played?.mostAtOnce ?? 0,
    note,
  };
}

/** The trace told anew is a prefix of the log, line by line. */
function isSame(log: LogBuilder, trace: LogBuilder): boolean {
  const lines = log.events();
  return trace.events().every((event, at) => JSON.stringify(event) === JSON.stringify(lines[at]));
}
