import { z } from 'zod';
import { agentSchema } from './agent';
import { contextMeterSchema } from './context';
import { errorBodySchema, errorStatus } from './error';
import { messageSchema } from './message';
import { providerSchema } from './provider';
import { type Answer, commonErrors, paramNames, type Route } from './route';
import { isParamName, paramSchemas } from './route-table';
import { sessionSchema, sessionSummarySchema } from './session';
import { settingsSchema } from './settings';
import { skillSchema } from './skill';
import { streamEventSchema } from './stream';

/**
 * The API as an OpenAPI 3.1 document, made from the same schemas that requests are parsed with, so that it cannot
 * say anything else. Shapes that several routes share are components with a name of their own; the others are
 * named after their operation.
 */

type Json = Readonly<Record<string, unknown>>;

const shared: readonly (readonly [name: string, schema: z.ZodType])[] = [
  ['Error', errorBodySchema],
  ['SessionSummary', sessionSummarySchema],
  ['ContextMeter', contextMeterSchema],
  ['Session', sessionSchema],
  ['Message', messageSchema],
  ['StreamEvent', streamEventSchema],
  ['Agent', agentSchema],
  ['Skill', skillSchema],
  ['Provider', providerSchema],
  ['Settings', settingsSchema],
];

const toRef = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const toTitle = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

/** Schemas by component name; one that is already there keeps its first name. */
class Components {
  readonly #registry = z.registry<{ id: string }>();

  constructor() {
    for (const [id, schema] of shared) this.#registry.add(schema, { id });
  }

  refTo(schema: z.ZodType, name: string): Json {
    const known = this.#registry.get(schema);
    if (known === undefined) this.#registry.add(schema, { id: name });
    return toRef(known?.id ?? name);
  }

  toJson(): Json {
    const { schemas } = z.toJSONSchema(this.#registry, {
      target: 'draft-2020-12',
      io: 'input',
      unrepresentable: 'any',
      uri: (id) => `#/components/schemas/${id}`,
    });
    return Object.fromEntries(
      Object.entries(schemas).map(([name, { $schema: _dialect, $id: _address, ...schema }]) => [name, schema]),
    );
  }
}

/** A schema written in place: for parameters, which OpenAPI wants one by one. */
function toInline(schema: z.ZodType): Json {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return json;
}

function toPathParameters(route: Route): Json[] {
  return paramNames(route.path).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: isParamName(name) ? toInline(paramSchemas[name]) : { type: 'string' },
  }));
}

function toQueryParameters(route: Route): Json[] {
  if (route.query === undefined) return [];
  const { properties = {}, required = [] } = z.toJSONSchema(route.query, { io: 'input', unrepresentable: 'any' });
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
}

function toRequestBody(name: string, route: Route, components: Components): Json | undefined {
  if (route.streamedBody !== undefined) {
    const content = route.streamedBody.mediaTypes.map((type) => [type, {}]);
    return {
      required: true,
      description: `At most ${route.streamedBody.maxBytes} bytes.`,
      content: Object.fromEntries(content),
    };
  }
  if (route.body === undefined) return undefined;
  const schema = components.refTo(route.body, `${toTitle(name)}Body`);
  return { required: true, content: { 'application/json': { schema } } };
}

function toContent(name: string, answer: Answer, components: Components): Json | undefined {
  if (answer.schema !== undefined) {
    return { 'application/json': { schema: components.refTo(answer.schema, `${toTitle(name)}Answer`) } };
  }
  if (answer.mediaType === undefined) return undefined;
  const events = answer.mediaType === 'text/event-stream' ? { 'x-event-schema': toRef('StreamEvent') } : {};
  return { [answer.mediaType]: { schema: { type: 'string' }, ...events } };
}

/** Error answers by status, each naming the codes it may carry; the 5xx that carry a body of their own stay. */
function toErrorAnswers(route: Route): Json {
  const byStatus = new Map<number, string[]>();
  for (const code of new Set([...commonErrors(route), ...route.errors])) {
    byStatus.set(errorStatus[code], [...(byStatus.get(errorStatus[code]) ?? []), code]);
  }
  const content = { 'application/json': { schema: toRef('Error') } };
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [status, { description: `\`${codes.join('`, `')}\``, content }]),
  );
}

function toOperation(name: string, route: Route, components: Components): Json {
  const requestBody = toRequestBody(name, route, components);
  const answers = Object.entries(route.answers).map(([status, answer]) => {
    const content = toContent(name, answer, components);
    return [status, { description: answer.text, ...(content === undefined ? {} : { content }) }];
  });
  return {
    operationId: name,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    parameters: [...toPathParameters(route), ...toQueryParameters(route)],
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: { ...toErrorAnswers(route), ...Object.fromEntries(answers) },
    ...(route.authorities.length === 0
      ? { security: [] }
      : { security: [{ cookie: [] }, { bearer: [...route.authorities] }] }),
  };
}

/**
 * The document of the routes that are built. Routes of later are described in the table and do not appear here.
 * `version` is the application's.
 */
export function toOpenApi(table: ReadonlyMap<string, Route>, version: string): Json {
  const components = new Components();
  const paths: Record<string, Record<string, Json>> = {};
  for (const [name, route] of table) {
    if (!route.built) continue;
    const path = `/v1${route.path}`;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: toOperation(name, route, components) };
  }
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: {
      title: 'Tidemark',
      version,
      description:
        'Everything the pages can do. Sizes are bytes of UTF-8, times ISO 8601 UTC. JSON bodies are at most 1 MB and 64 levels deep; unknown fields are refused.',
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas: components.toJson(),
      securitySchemes: {
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: 'tidemark',
          description: 'Set by the address that `npm start` prints.',
        },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  };
}
