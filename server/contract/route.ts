import type { z } from 'zod';
import type { ErrorCode } from './error';
import type { Authority } from './operations';

/**
 * One route of the HTTP API as data: what it takes, what it answers, what it needs. Handlers parse with these
 * schemas, the document is made from them, and a route that is not listed does not exist.
 */

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type Tag =
  | 'sessions'
  | 'messages'
  | 'compaction'
  | 'agents'
  | 'skills'
  | 'memories'
  | 'settings'
  | 'providers'
  | 'server';

/** An answer with a JSON body has a schema; another body has its media type; neither: no body. */
export interface Answer<S extends z.ZodType = z.ZodType> {
  readonly text: string;
  readonly schema?: S;
  readonly mediaType?: string;
}

/** A body that is streamed instead of parsed: bounded on its own, exact or refused. */
export interface StreamedBody {
  readonly mediaTypes: readonly string[];
  readonly maxBytes: number;
}

export interface Route {
  readonly method: Method;
  /** Below `/v1`; parameters in braces. */
  readonly path: `/${string}`;
  readonly tag: Tag;
  /** One line, for the document. */
  readonly summary: string;
  readonly description?: string;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  readonly streamedBody?: StreamedBody;
  readonly answers: { readonly [status: number]: Answer };
  /** Codes besides those every route can answer with (`commonErrors`). */
  readonly errors: readonly ErrorCode[];
  /** All of them are needed. Empty: anyone who reaches the server. */
  readonly authorities: readonly Authority[];
  /** False: described for later, answers 404, left out of the document. */
  readonly built: boolean;
}

/** Errors any route can answer with, by what kind of route it is. */
export function commonErrors(route: Route): readonly ErrorCode[] {
  const open: ErrorCode[] = ['misdirected', 'unavailable', 'internal'];
  const guarded: ErrorCode[] = route.authorities.length === 0 ? [] : ['unauthenticated', 'forbidden', 'rate_limited'];
  const taking: ErrorCode[] = route.query || route.body || route.path.includes('{') ? ['invalid_request'] : [];
  const under: ErrorCode[] = route.path.includes('{') ? ['not_found'] : [];
  const bodied: ErrorCode[] =
    route.body || route.streamedBody ? ['invalid_request', 'payload_too_large', 'unsupported_media_type'] : [];
  const writing: ErrorCode[] = route.method === 'GET' ? [] : ['storage_full', 'storage_failed'];
  return [...new Set([...open, ...guarded, ...taking, ...under, ...bodied, ...writing])];
}

/** The parameters of a path, in order. */
export function paramNames(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
}

/** Keeps the exact types of a list of routes, so that a handler's body and answer can be inferred from it. */
export function defineRoutes<const R extends Readonly<Record<string, Route>>>(routes: R): R {
  return routes;
}

/** What a handler gets once the body was parsed; `undefined` for a route that takes none. */
export type BodyOf<R extends Route> = R extends { readonly body: infer S extends z.ZodType } ? z.infer<S> : undefined;
export type QueryOf<R extends Route> = R extends { readonly query: infer S extends z.ZodType } ? z.infer<S> : undefined;
