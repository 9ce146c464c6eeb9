import type { TextStreamPart, ToolSet } from 'ai';
import type { ModelEndPart, ModelPart, ModelPort, ModelRequest, ProviderTrouble } from '@/server/ports/model';
import { learnFrom, planResend } from './adapt';
import { toTrouble } from './classify-error';
import type { LearntMemory, ProviderConnection } from './connection';
import { createReplyReader, NO_USAGE } from './from-part';
import type { FetchLike } from './guarded-fetch';
import { judgeEnd } from './judge-end';
import { openStream } from './open-stream';
import { needsKey } from './providers';
import { type StartTimer, startStallGuard } from './stall-guard';
import { resolveTarget, type Target, toCeiling } from './target';

/** What the adapter is handed. `connection` reads the settings anew at each call, so a changed key counts at once. */
export interface SdkModelDeps {
  readonly connection: (providerId: string) => ProviderConnection | null;
  readonly memory: LearntMemory;
  readonly fetch: FetchLike;
  /** Answers `embedded` providers in process; the same bytes a server would send. */
  readonly embeddedFetch: FetchLike;
  readonly startTimer: StartTimer;
  readonly nowMs: () => number;
  readonly stallMs: () => number;
}

/**
 * The model port over AI SDK 6: one step a call, `maxRetries: 0`, tools without `execute`. Never throws; each stream ends
 * with exactly one end part that the gate of stack 6g has judged. A request that a server refuses for a field we can do
 * without is sent once more without it, before anything was shown; every other retry is the caller's (contract 10).
 */
export function createSdkModel(deps: SdkModelDeps): ModelPort {
  // The SDK prints its warnings to the console unless told otherwise.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  const targetOf = (ref: ModelRequest['model']): { connection: ProviderConnection; target: Target } | null => {
    const connection = deps.connection(ref.provider);
    return connection === null
      ? null
      : { connection, target: resolveTarget(connection, { id: ref.model, learnt: deps.memory.read(ref) }) };
  };
  return {
    describe: (ref) => {
      const found = targetOf(ref)?.target;
      return found === undefined
        ? null
        : {
            kind: found.kind,
            window: found.window,
            windowFrom: found.windowFrom,
            maxOutput: found.maxOutput,
            vision: found.vision,
          };
    },
    ceiling: (ref, size) => {
      const found = targetOf(ref)?.target;
      return found === undefined ? null : toCeiling(found, size);
    },
    async *stream(request, signal) {
      let imageShare = 1;
      for (let resends = 0; ; resends += 1) {
        const found = targetOf(request.model);
        const refusal =
          found === null
            ? toTrouble('invalid_request', {
                code: 'unknown_provider',
                text: `There is no provider "${request.model.provider}".`,
              })
            : refuseKeyless(found.connection);
        if (found === null || refusal !== null) return yield toFailedEnd(refusal ?? toTrouble('unknown', { text: '' }));
        const call = yield* runCall({ ...found, request, signal, imageShare, deps });
        learnFrom(call.end.trouble, { ref: request.model, memory: deps.memory });
        const resend = call.shown
          ? null
          : planResend(call.end.trouble, { target: found.target, request, resends, imageShare });
        if (resend === null) return yield call.end;
        imageShare = resend.imageShare;
        if (resend.learn !== null) deps.memory.learn(request.model, resend.learn);
      }
    },
  };
}

function refuseKeyless(connection: ProviderConnection): ProviderTrouble | null {
  if (!needsKey(connection) || (connection.apiKey ?? '') !== '') return null;
  return toTrouble('auth', { code: 'no_key', text: `No key is stored for the provider "${connection.id}".` });
}

function toFailedEnd(trouble: ProviderTrouble): ModelEndPart {
  return {
    type: 'end',
    end: 'error',
    rawEnd: null,
    natural: false,
    usage: NO_USAGE,
    requestBytes: 0,
    ceiling: null,
    trouble,
  };
}

/** No model's output comes near; a server that never stops must not fill the memory, nor a line of the log (rel-R1). */
const MOST_REPLY_BYTES = 8_000_000;

/** Bytes of content in a part of the SDK, pieces of a call's arguments included; 0 for what only frames it. */
function countContent(part: TextStreamPart<ToolSet>): number {
  switch (part.type) {
    case 'text-delta':
    case 'reasoning-delta':
      return Buffer.byteLength(part.text);
    case 'tool-input-delta':
      return Buffer.byteLength(part.delta);
    case 'tool-call':
      return 1;
    default:
      return 0;
  }
}

interface Call {
  readonly connection: ProviderConnection;
  readonly target: Target;
  readonly request: ModelRequest;
  readonly signal: AbortSignal;
  readonly imageShare: number;
  readonly deps: SdkModelDeps;
}

/** One HTTP request. Hands on its parts and returns the judged end; `shown` says whether any part went out. */
async function* runCall(
  call: Call,
): AsyncGenerator<ModelPart, { readonly end: ModelEndPart; readonly shown: boolean }> {
  const { target, request, signal, deps } = call;
  const reader = createReplyReader(target.kind);
  const controller = new AbortController();
  // Aborting with a reason looks like a provider's error to the SDK (stack 6f).
  const stop = () => controller.abort();
  let endedByUs: ProviderTrouble | null = null;
  let requestBytes = 0;
  let contentBytes = 0;
  let answered = false;
  let ended = false;
  let shown = false;
  let thrown: { readonly error: unknown } | null = null;
  const guard = startStallGuard(deps.stallMs(), {
    startTimer: deps.startTimer,
    onStall: (text) => {
      endedByUs = toTrouble('stall', { text });
      stop();
    },
  });
  const ceiling = toCeiling(target, { ...request, configured: request.ceilingTokens });
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const fetch = call.connection.kind === 'embedded' ? deps.embeddedFetch : deps.fetch;
  try {
    const traffic = {
      onRequest: (bytes: number) => (requestBytes = bytes),
      onBytes: () => {
        answered = true;
        guard.touch();
      },
    };
    for await (const part of openStream({ ...call, fetch, ceiling, traffic, abortSignal: controller.signal })) {
      const bytes = countContent(part);
      if (bytes > 0) guard.sawContent();
      contentBytes += bytes;
      if (endedByUs === null && contentBytes > MOST_REPLY_BYTES) {
        endedByUs = toTrouble('incomplete', { code: 'too_long', text: 'The reply went on beyond 8 MB and was ended.' });
        stop();
      }
      // Read on to the stream's own end: to leave the loop here would leave an abort that nobody catches.
      if (endedByUs !== null) continue;
      for (const own of reader.read(part)) {
        shown = true;
        yield own;
      }
    }
    ended = true;
  } catch (error) {
    thrown = { error };
    ended = true;
  } finally {
    guard.stop();
    signal.removeEventListener('abort', stop);
    // Frees the socket of an answer nobody reads on. Where there was none (undici refuses one that is packed six times),
    // an abort would be an error that nobody can catch, and the end of the process (rel-R1).
    if (answered || !ended) stop();
  }
  const facts =
    thrown === null ? reader.facts() : { ...reader.facts(), failed: true, error: reader.facts().error ?? thrown.error };
  return {
    shown,
    end: judgeEnd(
      { ...call, isStopped: signal.aborted, nowMs: deps.nowMs() },
      { facts, ceiling, requestBytes, endedByUs },
    ),
  };
}
