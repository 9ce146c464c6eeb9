import type { Settings } from '@/server/contract/settings';
import type { Model } from '@/server/contract/shapes';
import { isKnown } from '@/server/core/projection/log-state-path';
import type { ViewRequest } from '@/server/core/projection/model-view-request';
import type { LogState } from '@/server/core/projection/state-shape';
import { collectReply, NO_REPLY, type PartialReply } from '@/server/core/turn/collect-reply';
import type { StepRetry } from '@/server/core/turn/model-call';
import { stepRetry } from '@/server/model/retry';
import type { StartTimer } from '@/server/model/stall-guard';
import type { ModelPart, ModelPort, ModelRequest } from '@/server/ports/model';
import type { ModelLearning } from './model-learning';

export interface CallDeps {
  readonly model: ModelPort;
  readonly learning: ModelLearning;
  /** Milliseconds that only go forward, for durations. */
  readonly elapsedMs: () => number;
  /** 0 … 1. */
  readonly jitter: () => number;
  /** Every wait of a chain goes by it, so that a test holds the clock in its hand. */
  readonly startTimer: StartTimer;
}

/** What a view or a summary request gives; the rest of the neutral request is decided here. */
export type Asked = ViewRequest;

export interface CallInput {
  readonly model: Model;
  readonly asked: Asked;
  readonly log: LogState;
  readonly signal: AbortSignal;
  /** Output tokens that MapReduce reserves for this stage (R11); absent: none is sent that nobody configured. */
  readonly ceilingTokens?: number | null;
  readonly onPart: (part: ModelPart, soFar: PartialReply) => void;
}

/**
 * One request of one model, streamed to its end. Never throws for what a provider does: every trouble is in the reply's
 * end (G4). Usage of a whole request teaches the bytes a token of its model (`contract.md` 7).
 */
export async function callModel(
  deps: CallDeps,
  input: CallInput,
): Promise<{ readonly reply: PartialReply; readonly ms: number }> {
  const started = deps.elapsedMs();
  let reply = NO_REPLY;
  for await (const part of deps.model.stream(toModelRequest(deps, input), input.signal)) {
    reply = collectReply(reply, part);
    input.onPart(part, reply);
  }
  const inputTokens = reply.end?.usage.input ?? 0;
  if (inputTokens > 0) deps.learning.measured(input.model, { measureBytes: input.asked.measureBytes, inputTokens });
  return { reply, ms: Math.round(deps.elapsedMs() - started) };
}

function toModelRequest(deps: CallDeps, { model, asked, log, ceilingTokens = null }: CallInput): ModelRequest {
  return {
    model,
    system: asked.system,
    tools: asked.tools,
    entries: asked.entries,
    measureBytes: asked.measureBytes,
    bytesPerToken: deps.learning.bytesPerToken(model),
    ceilingTokens,
    turnFrom: asked.turnFrom,
    cacheAfter: asked.cacheAfter,
    ...(asked.toolChoice === undefined ? {} : { toolChoice: asked.toolChoice }),
    reasoning: 'default',
    imageData: imageDataIn(log),
  };
}

/** Image bytes stand once in the log, whichever message shows them (`contract.md` 3). */
function imageDataIn(log: LogState): (sha256: string) => string | null {
  let blobs: ReadonlyMap<string, string> | null = null;
  return (sha256) => {
    blobs ??= readBlobs(log);
    return blobs.get(sha256) ?? null;
  };
}

function readBlobs(log: LogState): ReadonlyMap<string, string> {
  const blobs = new Map<string, string>();
  for (let seq = 1; seq <= log.newestSeq; seq += 1) {
    const event = log.bySeq.get(seq);
    if (event && isKnown(event) && event.type === 'blob.added') blobs.set(event.sha256, event.data);
  }
  return blobs;
}

/** The retry policy with the settings' limits and jitter already in it (`contract.md` 10). */
export function retryWith(settings: Settings, jitter: () => number): StepRetry {
  const policy = {
    tries: settings.requests.tries,
    retryAfterMaxMs: settings.requests.retry_after_max_seconds * 1000,
  };
  return (position, trouble) => stepRetry(position, { trouble, policy, jitter: jitter() });
}

/** Waits by the timer that is handed in, or returns early when the signal fires (C11). */
export function waitFor(ms: number, { startTimer, signal }: Waiting): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const stopTimer = startTimer(ms, done);
    function done(): void {
      stopTimer();
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done, { once: true });
  });
}

interface Waiting {
  readonly startTimer: StartTimer;
  readonly signal: AbortSignal;
}
