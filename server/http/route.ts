import type { z } from 'zod';
import { AppError, toErrorBody, toInvalidRequest } from '@/server/contract/error';
import type { Answer, BodyOf, QueryOf, Route } from '@/server/contract/route';
import { paramNames } from '@/server/contract/route';
import { paramSchemas, type RouteName, routes } from '@/server/contract/route-table';
import { readBody, readJsonBody, streamBody } from './read-body';

type Routes = typeof routes;
type ParamName<P extends string> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | ParamName<Rest> : never;
type ReadonlyDeep<T> = T extends (infer Item)[]
  ? readonly ReadonlyDeep<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: ReadonlyDeep<T[K]> }
    : T;
// biome-ignore lint/suspicious/noConfusingVoidType: a use case that answers nothing returns void
type SchemaOf<A> = A extends { readonly schema: infer S extends z.ZodType } ? z.infer<S> : undefined | void;
type Succeeding<A> = { [S in keyof A]: S extends 200 | 201 | 202 | 204 ? SchemaOf<A[S]> : never }[keyof A];

/** A parsed call of a route: everything in it has passed the route's own schemas. */
export interface Call<N extends RouteName> {
  readonly params: { readonly [P in ParamName<Routes[N]['path']>]: string };
  readonly query: QueryOf<Routes[N]>;
  readonly body: BodyOf<Routes[N]>;
  /** The bytes of a streamed body, bounded by the route's limit; empty for other routes. */
  readonly stream: () => AsyncGenerator<Uint8Array, void, undefined>;
  readonly request: Request;
  /** Fires when the caller goes away. */
  readonly signal: AbortSignal;
}

/** What a handler gives back: the answer of the route's schema (none where it has none), or a response of its own. */
export type Reply<N extends RouteName> = ReadonlyDeep<Succeeding<Routes[N]['answers']>> | Response;
type Handler<N extends RouteName> = (call: Call<N>) => Reply<N> | Promise<Reply<N>>;
/** What Next calls. */
export type RouteHandler = (
  request: Request,
  context: { readonly params: Promise<Readonly<Record<string, string>>> },
) => Promise<Response>;

const NO_STORE = { 'Cache-Control': 'private, no-store' } as const;

/** A JSON answer that no cache keeps. */
export function answerJson(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { ...NO_STORE, 'Content-Type': 'application/json; charset=utf-8', ...headers },
  });
}

/** Whatever was thrown, as the error body of the contract. What is the server's own fault is logged, once. */
export function answerError(thrown: unknown, where: string): Response {
  const { status, body } = toErrorBody(thrown);
  if (status === 500) {
    console.error(`${where}: ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}`);
  }
  const wait = body.error.details.retryAfterSeconds;
  return answerJson(status, body, typeof wait === 'number' ? { 'Retry-After': String(Math.ceil(wait)) } : {});
}

const schemas: Readonly<Record<string, z.ZodType>> = paramSchemas;

function parseParams(path: string, raw: Readonly<Record<string, string>>): Record<string, string> {
  const params: Record<string, string> = {};
  for (const name of paramNames(path)) {
    const schema = schemas[name];
    const parsed = schema?.safeParse(raw[name]);
    // An id that cannot exist is an id that does not exist: foreign, malformed and absent look alike (rel-X1).
    if (!parsed?.success) throw new AppError('not_found', `There is nothing with this ${name}.`, { details: { name } });
    params[name] = String(parsed.data);
  }
  return params;
}

function parseQuery(route: Route, url: URL): unknown {
  const query: Record<string, string> = Object.create(null);
  for (const [name, value] of url.searchParams) {
    if (name in query) throw new AppError('invalid_request', `query: ${name} is given twice.`, { details: { name } });
    query[name] = value;
  }
  const [unknown] = Object.keys(query);
  if (route.query === undefined) {
    if (unknown === undefined) return undefined;
    throw new AppError('invalid_request', `query: ${unknown} is not known here.`, { details: { name: unknown } });
  }
  const parsed = route.query.safeParse({ ...query });
  if (!parsed.success) throw toInvalidRequest('query', parsed.error);
  return parsed.data;
}

async function parseBody(route: Route, request: Request): Promise<unknown> {
  if (route.streamedBody !== undefined) return undefined;
  if (route.body === undefined) {
    const bytes = request.method === 'GET' ? new Uint8Array() : await readBody(request, 2);
    if (bytes.length === 0 || new TextDecoder().decode(bytes) === '{}') return undefined;
    throw new AppError('invalid_request', 'This call takes no body.');
  }
  const parsed = route.body.safeParse(await readJsonBody(request));
  if (!parsed.success) throw toInvalidRequest('body', parsed.error);
  return parsed.data;
}

const firstSuccess = (route: Route): readonly [number, Answer] => {
  const [status, answer] = Object.entries(route.answers).find(([code]) => code.startsWith('2')) ?? [
    '204',
    { text: '' },
  ];
  return [Number(status), answer];
};

function toResponse(route: Route, reply: unknown): Response {
  if (reply instanceof Response) {
    if (!reply.headers.has('cache-control')) reply.headers.set('Cache-Control', NO_STORE['Cache-Control']);
    return reply;
  }
  const [status, answer] = firstSuccess(route);
  return answer.schema === undefined ? new Response(null, { status, headers: NO_STORE }) : answerJson(status, reply);
}

/**
 * Makes the route handler of one route of the table: parses parameters, query and body with the table's own schemas, calls
 * `act`, answers with the table's status. Everything thrown becomes the contract's error body.
 *
 *     export const POST = handle('postMessage', ({ params, body }) => getContainer().addMessage(params.sessionId, body));
 */
export function handle<N extends RouteName>(name: N, act: Handler<N>): RouteHandler {
  const route: Route = routes[name];
  return async (request, context) => {
    try {
      const [params, query] = [
        await parseParams(route.path, await context.params),
        parseQuery(route, new URL(request.url)),
      ];
      const body = await parseBody(route, request);
      const maxBytes = route.streamedBody?.maxBytes ?? 0;
      const call = {
        params,
        query,
        body,
        request,
        signal: request.signal,
        stream: () => streamBody(request, maxBytes),
      };
      // The schemas that made this call are the ones its type was inferred from.
      return toResponse(route, await act(call as Call<N>));
    } catch (thrown) {
      return answerError(thrown, name);
    }
  };
}
