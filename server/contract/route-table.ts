import { z } from 'zod';
import { foreignIdSchema, idSchema } from './ids';
import { providerIdSchema } from './names';
import type { Route } from './route';
import { agentRoutes, skillRoutes } from './routes-agents';
import { compactionRoutes, messageRoutes } from './routes-chat';
import { laterRoutes } from './routes-later';
import { serverRoutes, settingRoutes } from './routes-server';
import { sessionRoutes } from './routes-sessions';
import { travelRoutes } from './routes-travel';
import { sha256Schema } from './shapes';

/** Every route that is answered, by name; `routes.postMessage.body` is the schema its handler parses with. */
export const routes = {
  ...sessionRoutes,
  ...messageRoutes,
  ...compactionRoutes,
  ...travelRoutes,
  ...agentRoutes,
  ...skillRoutes,
  ...settingRoutes,
  ...serverRoutes,
} as const;

export type RouteName = keyof typeof routes;

/** The whole table, routes of later too; the key is the operation's name in the document. */
export const routeTable: ReadonlyMap<string, Route> = new Map<string, Route>([
  ...Object.entries<Route>(routes),
  ...Object.entries<Route>(laterRoutes),
]);

/** What a path parameter may be, whatever route it stands in: refused before anything is looked up. */
export const paramSchemas = {
  sessionId: idSchema,
  itemId: idSchema,
  messageId: idSchema,
  carryOverId: idSchema,
  compactionId: idSchema,
  trimId: idSchema,
  agentId: idSchema,
  skillId: idSchema,
  memoryId: idSchema,
  tokenId: idSchema,
  providerId: providerIdSchema,
  /** A provider's own id, opaque and percent-encoded in the address. */
  callId: foreignIdSchema,
  sha256: sha256Schema,
  segment: z.string().regex(/^\d{1,6}$/),
} as const;

export type ParamName = keyof typeof paramSchemas;

/** A name of a path parameter that has a schema. */
export function isParamName(name: string): name is ParamName {
  return Object.hasOwn(paramSchemas, name);
}
