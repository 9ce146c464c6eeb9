import { type FakeOptions, type FakeProtocol, type FakeServer, startFakeServer } from './fake-server';
import { type FakeEnd, type FakePart, type FakeReply, type Frame, toCommonFrame } from './script';
import { STRICT_GEMINI } from './strict-gemini';

/** Starts a fake of Gemini's `streamGenerateContent`; `baseUrl` ends in `/v1beta`. */
export function startFakeGemini(options: FakeOptions = {}): Promise<FakeServer> {
  return startFakeServer(PROTOCOL, options);
}

const PROTOCOL: FakeProtocol = {
  basePath: '/v1beta',
  isCall: (request) => request.method === 'POST' && request.path.includes(':streamGenerateContent'),
  models: {
    models: [
      {
        name: 'models/gemini-2.5-pro',
        inputTokenLimit: 1_048_576,
        outputTokenLimit: 65_536,
        supportedGenerationMethods: ['generateContent'],
      },
    ],
  },
  encode: encodeGemini,
  strict: STRICT_GEMINI,
};

function* encodeGemini(reply: Extract<FakeReply, { parts: unknown }>): Iterable<Frame> {
  for (const part of reply.parts) yield* toFrames(part);
  if (reply.end === undefined) return;
  yield event(toEndChunk(reply.end));
  for (const part of reply.end.after ?? []) yield* toFrames(part);
}

function* toFrames(part: FakePart): Iterable<Frame> {
  const common = toCommonFrame(part);
  if (common !== null) yield common;
  else if ('error' in part) yield event({ error: part.error });
  else if ('text' in part) yield event(toContent({ text: part.text, ...toSignature(part.signature) }));
  else if ('reasoning' in part)
    yield event(toContent({ text: part.reasoning, thought: true, ...toSignature(part.signature) }));
  else if ('call' in part)
    yield event(
      toContent({
        functionCall: { name: part.call.name, args: part.call.args, id: part.call.id },
        ...toSignature(part.call.signature),
      }),
    );
}

function toSignature(signature: string | undefined): { thoughtSignature?: string } {
  return signature === undefined ? {} : { thoughtSignature: signature };
}

function toContent(part: unknown): unknown {
  return { candidates: [{ content: { parts: [part], role: 'model' }, index: 0 }] };
}

/** `reason: 'PROMPT_BLOCKED'` is the answer to a blocked prompt: feedback and no candidate. */
function toEndChunk(end: FakeEnd): unknown {
  const usage = end.usage;
  const usageMetadata =
    usage == null
      ? {}
      : {
          usageMetadata: {
            promptTokenCount: usage.input,
            candidatesTokenCount: usage.output,
            totalTokenCount: usage.input + usage.output,
            cachedContentTokenCount: usage.cachedRead ?? 0,
          },
        };
  if (end.reason === 'PROMPT_BLOCKED') return { promptFeedback: { blockReason: 'SAFETY' }, ...usageMetadata };
  const finish = end.reason === null ? {} : { finishReason: end.reason };
  return { candidates: [{ content: { parts: [], role: 'model' }, index: 0, ...finish }], ...usageMetadata };
}

function event(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}
