import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { toOpenApi } from './openapi';
import { defineRoutes, paramNames, type Route } from './route';
import { isParamName, routes, routeTable } from './route-table';

const documentSchema = z.object({
  openapi: z.literal('3.1.0'),
  info: z.object({ title: z.string(), version: z.string() }),
  paths: z.record(
    z.string().startsWith('/v1/'),
    z.partialRecord(
      z.enum(['get', 'post', 'put', 'patch', 'delete']),
      z.object({
        operationId: z.string(),
        summary: z.string().min(5),
        tags: z.array(z.string()).length(1),
        parameters: z.array(
          z.object({
            name: z.string(),
            in: z.enum(['path', 'query']),
            required: z.boolean(),
            schema: z.looseObject({}),
          }),
        ),
        requestBody: z.object({ required: z.boolean(), content: z.record(z.string(), z.looseObject({})) }).optional(),
        responses: z.record(
          z.string().regex(/^[1-5]\d\d$/),
          z.object({
            description: z.string().min(1),
            content: z.record(z.string(), z.looseObject({ schema: z.looseObject({}) })).optional(),
          }),
        ),
        security: z.array(z.record(z.string(), z.array(z.string()))),
      }),
    ),
  ),
  components: z.object({ schemas: z.record(z.string().regex(/^[A-Za-z0-9._-]+$/), z.looseObject({})) }),
});

const document = documentSchema.parse(toOpenApi(routeTable, '0.1.0'));
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation: operation ?? expect.fail() })),
);
const operationOf = (method: string, path: string) =>
  operations.find((one) => one.method === method && one.path === path)?.operation ?? expect.fail(`${method} ${path}`);

describe('the document', () => {
  it('holds every built route and no other', () => {
    const shown = operations.map(({ operation }) => operation.operationId).sort();
    expect(shown).toEqual(
      [...routeTable]
        .filter(([, route]) => route.built)
        .map(([name]) => name)
        .sort(),
    );
    expect(shown).toEqual(Object.keys(routes).sort());
    for (const later of ['/v1/backup', '/v1/memories', '/v1/agent-sessions/{sessionId}/attachments/{sha256}']) {
      expect(document.paths[later]).toBeUndefined();
    }
  });

  it('follows the table: a route that is not built is not shown', () => {
    const table = new Map<string, Route>([
      ['health', routes.health],
      ['ready', { ...routes.ready, built: false }],
    ]);
    expect(Object.keys(documentSchema.parse(toOpenApi(table, '1')).paths)).toEqual(['/v1/health']);
  });

  it('gives every operation error answers of the one shape', () => {
    for (const { operation, path } of operations) {
      const errors = Object.entries(operation.responses).filter(([status]) => Number(status) >= 400);
      expect(errors.length, path).toBeGreaterThanOrEqual(3);
      for (const [, answer] of errors.filter(([status]) => status !== '503')) {
        expect(answer.content?.['application/json']?.schema).toEqual({ $ref: '#/components/schemas/Error' });
      }
    }
  });

  it('points only at schemas that are there', () => {
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1] ?? '');
    expect(refs.length).toBeGreaterThan(50);
    for (const ref of new Set(refs)) {
      const [, name] = /^#\/components\/schemas\/([A-Za-z0-9._-]+)$/.exec(ref) ?? [];
      expect(Object.keys(document.components.schemas), ref).toContain(name);
    }
  });

  it('names every parameter of its path, and each once', () => {
    for (const { path, operation } of operations) {
      const named = operation.parameters.filter((parameter) => parameter.in === 'path');
      expect(named.map((parameter) => parameter.name)).toEqual(paramNames(path));
      expect(named.every((parameter) => parameter.required)).toBe(true);
      const all = operation.parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
      expect(new Set(all).size).toBe(all.length);
    }
  });

  it('says that unknown fields of a request are refused', () => {
    for (const { operation, path } of operations) {
      const schema = operation.requestBody?.content['application/json']?.schema;
      if (schema === undefined) continue;
      const { $ref } = z.object({ $ref: z.string() }).parse(schema);
      const body = document.components.schemas[$ref.split('/').at(-1) ?? ''];
      expect(body?.additionalProperties, `${path} ${$ref}`).toBe(false);
    }
  });

  it('describes the stream by its events', () => {
    const content = operationOf('get', '/v1/events').responses['200']?.content?.['text/event-stream'];
    expect(content?.['x-event-schema']).toEqual({ $ref: '#/components/schemas/StreamEvent' });
    expect(JSON.stringify(document.components.schemas.StreamEvent)).toContain('chat.compacting');
  });

  it('shows a provider in without a way to read its key back', () => {
    const written = JSON.stringify(document.components.schemas.Provider);
    expect(written).not.toContain('"apiKey"');
    expect(written).not.toContain('"headers"');
    expect(JSON.stringify(document.components.schemas.CreateProviderBody)).toContain('"apiKey"');
  });

  it('is plain JSON', () => {
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });
});

describe('the route table', () => {
  it('has one route a method and path', () => {
    const addresses = [...routeTable.values()].map((route) => `${route.method} ${route.path}`);
    expect(new Set(addresses).size).toBe(addresses.length);
  });

  it('knows what each path parameter may be', () => {
    for (const route of routeTable.values()) {
      for (const name of paramNames(route.path)) expect(isParamName(name), route.path).toBe(true);
    }
  });

  it('refuses unknown fields in every request, built or not', () => {
    for (const [name, route] of routeTable) {
      for (const schema of [route.body, route.query]) {
        if (schema === undefined) continue;
        const issues = schema.safeParse({ surplus: 1 }).error?.issues ?? [];
        expect(
          issues.some((issue) => issue.code === 'unrecognized_keys'),
          name,
        ).toBe(true);
      }
    }
  });

  it('P6: asking for a compaction needs what sending a message needs', () => {
    expect(routes.compact.authorities).toEqual(routes.postMessage.authorities);
  });

  it('leaves only health, readiness and this document open to everyone', () => {
    const open = [...routeTable].filter(([, route]) => route.authorities.length === 0).map(([name]) => name);
    expect(open.sort()).toEqual(['health', 'openApi', 'ready']);
  });

  it('infers what a handler gets', () => {
    const { echo } = defineRoutes({
      echo: {
        method: 'POST',
        path: '/echo',
        tag: 'server',
        summary: 'Say it again',
        body: z.strictObject({ text: z.string() }),
        answers: {},
        errors: [],
        authorities: [],
        built: false,
      },
    });
    expect(echo.body.parse({ text: 'a' }).text).toBe('a');
  });
});
