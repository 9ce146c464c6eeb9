import { jsonSchema, streamText, type ToolSet, tool } from 'ai';
import type { ModelEndPart, ModelPart, ModelPort, ModelRequest, ProviderTrouble } from '@/server/ports/model';
import { learnFrom, planResend } from './adapt';
import { classifyError, toTrouble } from './classify-error';
import type { LearntMemory, ProviderConnection } from './connection';
import { createReplyReader, NO_USAGE, type ReplyFacts } from './from-part';
import { isNatural, isOverflowByLength, toEnd } from './gate';
import { createGuardedFetch, type FetchLike } from './guarded-fetch';
import { needsKey, toCallOptions, toLanguageModel } from './providers';
import { type StartTimer, startStallGuard } from './stall-guard';
import { resolveTarget, type Target, toCeiling } from './target';
import { toCacheMark, toMessages } from './to-messages';
import { toSendable, toSendableJson } from './well-formed';

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
  let stallText: string | null = null;
  let requestBytes = 0;
  let shown = false;
  let thrown: { readonly error: unknown } | null = null;
  const guard = startStallGuard(deps.stallMs(), {
    startTimer: deps.startTimer,
    onStall: (text) => {
      stallText = text;
      stop();
    },
  });
  const ceiling = toCeiling(target, { ...request, configured: request.ceilingTokens });
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    const traffic = { onRequest: (bytes: number) => (requestBytes = bytes), onBytes: guard.touch };
    for await (const part of openStream(call, { ceiling, traffic, abortSignal: controller.signal })) {
      for (const own of reader.read(part)) {
        if (!shown) guard.sawContent();
        shown = true;
        yield own;
      }
    }
  } catch (error) {
    thrown = { error };
  } finally {
    guard.stop();
    signal.removeEventListener('abort', stop);
    stop();
  }
  const facts =
    thrown === null ? reader.facts() : { ...reader.facts(), failed: true, error: reader.facts().error ?? thrown.error };
  return { shown, end: judgeEnd(call, { facts, ceiling, requestBytes, stallText }) };
}

function openStream(
  call: Call,
  sent: {
    ceiling: number | null;
    traffic: { onRequest: (bytes: number) => void; onBytes: () => void };
    abortSignal: AbortSignal;
  },
) {
  const { connection, target, request, deps } = call;
  const base = connection.kind === 'embedded' ? deps.embeddedFetch : deps.fetch;
  const guarded = createGuardedFetch(base, { baseUrl: connection.baseUrl, traffic: sent.traffic });
  const { messages, mayThink } = toMessages(request, target, target.imageLimitBytes * call.imageShare);
  const options = toCallOptions(request, target, { ceiling: sent.ceiling, mayThink });
  const system = toSendable(request.system);
  const tools = toToolSet(request, target);
  return streamText({
    model: toLanguageModel(connection, target, guarded),
    messages,
    ...(system === '' ? {} : { system: { role: 'system', content: system, ...toCacheMark(target) } }),
    ...(request.tools.length === 0 ? {} : { tools }),
    ...(options.maxOutputTokens === undefined ? {} : { maxOutputTokens: options.maxOutputTokens }),
    providerOptions: options.providerOptions,
    maxRetries: 0,
    abortSignal: sent.abortSignal,
    onError: () => undefined,
  }).fullStream;
}

/** Schemas go out as kept; the cache mark stands on the last one. Arguments are checked by the tool itself, not by the SDK. */
function toToolSet(request: ModelRequest, target: Target): ToolSet {
  const last = request.tools.length - 1;
  return Object.fromEntries(
    request.tools.map((schema, index) => [
      schema.name,
      tool({
        description: toSendable(schema.description),
        inputSchema: jsonSchema(Object(toSendableJson(schema.inputSchema))),
        ...(index === last ? toCacheMark(target) : {}),
      }),
    ]),
  );
}

interface Seen {
  readonly facts: ReplyFacts;
  readonly ceiling: number | null;
  readonly requestBytes: number;
  readonly stallText: string | null;
}

function judgeEnd(call: Call, seen: Seen): ModelEndPart {
  const { facts, ceiling, requestBytes } = seen;
  const failed = facts.failed || facts.finishReason === null;
  const outcome = {
    kind: call.target.kind,
    finishReason: facts.finishReason,
    rawEnd: facts.rawEnd,
    failed,
    textIsBlank: facts.text.trim() === '',
    calls: facts.calls,
    outputTokens: facts.usage.output,
    ceiling,
  };
  const shared = { type: 'end', rawEnd: facts.rawEnd, usage: facts.usage, requestBytes, ceiling } as const;
  if (call.signal.aborted)
    return { ...shared, end: 'cancelled', natural: false, trouble: toTrouble('cancelled', { text: 'Stopped.' }) };
  if (seen.stallText !== null)
    return { ...shared, end: 'error', natural: false, trouble: toTrouble('stall', { text: seen.stallText }) };
  const end = toEnd(outcome);
  const natural = isNatural(outcome);
  return {
    ...shared,
    end,
    natural,
    trouble: natural || end === 'tool_calls' ? null : explainEnd(call, { ...seen, end }),
  };
}

function explainEnd(call: Call, seen: Seen & { readonly end: ModelEndPart['end'] }): ProviderTrouble | null {
  const { facts, end } = seen;
  if (facts.failed && facts.error !== undefined && facts.finishReason !== 'content-filter')
    return explainError(call, facts);
  if (end === 'refusal')
    return toTrouble('refusal', { code: facts.rawEnd ?? 'refusal', text: 'The model declined to answer.' });
  if (end === 'length') return explainLength(call, seen);
  if (end === 'stop')
    return toTrouble('incomplete', { code: 'empty', text: 'The model ended its reply without any text.' });
  if (facts.rawEnd === null)
    return toTrouble('network', { code: 'cut_off', text: 'The answer broke off before its end.' });
  return toTrouble('incomplete', {
    code: facts.rawEnd,
    text: `The model stopped in an unusual way: ${toSendable(facts.rawEnd).slice(0, 80)}.`,
  });
}

function explainError(call: Call, facts: ReplyFacts): ProviderTrouble {
  const { request, connection } = call;
  const trouble = classifyError(facts.error, {
    secrets: [connection.apiKey ?? '', ...Object.values(connection.headers)].filter((secret) => secret !== ''),
    prompt: [request.system, ...request.entries.flatMap(textsOf)],
    nowMs: call.deps.nowMs(),
  });
  // The SDK's own words for a body that ended without a finish (stack 6a).
  const isCutOff =
    trouble.status === null && /without a finish reason|No output generated|did not contain/i.test(trouble.text);
  return isCutOff ? toTrouble('network', { code: 'cut_off', text: 'The answer broke off before its end.' }) : trouble;
}

function textsOf(entry: ModelRequest['entries'][number]): string[] {
  if (entry.role === 'tool') return entry.results.map((result) => result.text);
  return entry.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
}

function explainLength(call: Call, seen: Seen): ProviderTrouble | null {
  const { facts, ceiling } = seen;
  const estimatedInputTokens = Math.ceil(call.request.measureBytes / call.request.bytesPerToken);
  const isOverflow =
    facts.rawEnd === 'model_context_window_exceeded' ||
    isOverflowByLength({
      end: 'length',
      outputTokens: facts.usage.output,
      ceiling,
      inputTokens: facts.usage.input,
      estimatedInputTokens,
      window: call.target.window,
    });
  return isOverflow
    ? toTrouble('context', {
        code: facts.rawEnd ?? 'length',
        text: 'The window was full before the reply was finished.',
      })
    : null;
}
