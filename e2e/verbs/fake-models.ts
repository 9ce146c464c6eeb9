import { z } from 'zod';
import type { Price } from '../../server/contract/provider';
import { createAnswerLikeAModel } from '../../server/model/testing/answer-like-a-model';
import { startFakeChatCompletions } from '../../server/model/testing/fake-chat-completions';
import type { FakeServer, Respond } from '../../server/model/testing/fake-server';
import type { FakePart } from '../../server/model/testing/script';
import type { Api } from './api';

/** A server of the chat completions protocol on this machine, and what a person would call its model. */
export interface FakeModel extends FakeServer {
  readonly model: { readonly provider: string; readonly model: string };
}

export interface FakeOptions {
  readonly respond?: Respond;
  /** Tokens. */
  readonly window?: number;
  readonly price?: Price;
}

export interface FakeModels {
  /** Listens, and says nothing of itself to the application. */
  listen(options?: FakeOptions): Promise<FakeServer>;
  /** Listens and is set up as a provider with one model, `m`. */
  connect(options?: FakeOptions): Promise<FakeModel>;
  /** Takes every provider away and closes every server. */
  close(): Promise<void>;
}

let made = 0;

export function createFakeModels(api: Api): FakeModels {
  const servers: FakeServer[] = [];
  const providers: string[] = [];
  const listen: FakeModels['listen'] = async ({ respond = createAnswerLikeAModel() } = {}) => {
    const server = await startFakeChatCompletions({ respond });
    servers.push(server);
    return server;
  };
  return {
    listen,
    connect: async (options = {}) => {
      const server = await listen(options);
      made += 1;
      const provider = `fake-${made}`;
      const { window = 1_000_000, price } = options;
      await api.call('POST', '/providers', z.unknown(), {
        data: {
          id: provider,
          kind: 'openai-compatible',
          name: `Fake ${made}`,
          baseUrl: server.baseUrl,
          apiKey: 'sk-e2e-0123456789abcdef',
          models: [{ id: 'm', window, ...(price ? { price } : {}) }],
        },
      });
      providers.push(provider);
      return { ...server, model: { provider, model: 'm' } };
    },
    close: async () => {
      for (const provider of providers) await api.raw('DELETE', `/providers/${provider}`);
      for (const server of servers) await server.close();
    },
  };
}

/** What a server says to a key it does not know. */
export const WRONG_KEY: ReturnType<Respond> = {
  status: 401,
  body: {
    error: {
      message: 'Incorrect API key provided: sk-e2e-****cdef.',
      type: 'invalid_request_error',
      code: 'invalid_api_key',
    },
  },
};

/** Answers as a model would, summaries too; what it says in a turn is `change` of that. */
export function answerTurns(change: (parts: readonly FakePart[]) => readonly FakePart[]): Respond {
  const answer = createAnswerLikeAModel();
  return (request) => {
    const reply = answer(request);
    if (/TASK summary \d/.test(request.text) || !('parts' in reply)) return reply;
    return { ...reply, parts: change(reply.parts) };
  };
}
