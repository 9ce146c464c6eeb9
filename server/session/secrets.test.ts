import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createMemorySessionLog } from '@/db/memory/session-log';
import { openMemorySqlite } from '@/db/sqlite/open';
import { createProviderStore } from '@/db/sqlite/small-stores';
import { aTalk, connect, manageApps, manageProviders, set } from './testing/stories';

const newApp = manageApps();
const newProvider = manageProviders();
const CANARY = 'sk-canary-7f3a9c51e2';

describe('a provider’s key (rel-X22)', () => {
  it('reliability 6.4: stays behind when the address moves to another origin, and at home when it does not', async () => {
    const { app } = await newApp({ env: { SOME_KEY: CANARY } });
    const headers = { 'x-team': CANARY };
    app.registry.create({
      id: 'p',
      kind: 'openai-compatible',
      baseUrl: 'https://a.example/v1',
      apiKey: CANARY,
      headers,
    });
    app.registry.patch('p', { baseUrl: 'https://a.example/v2', name: 'Renamed' });
    expect(app.registry.connection('p')).toMatchObject({ apiKey: CANARY, headers });
    app.registry.patch('p', { baseUrl: 'https://b.example/v1' });
    expect(app.registry.connection('p')).toMatchObject({ apiKey: null, headers: {} });
    app.registry.create({ id: 'q', kind: 'openai-compatible', baseUrl: 'https://a.example/v1', apiKeyEnv: 'SOME_KEY' });
    app.registry.patch('q', { baseUrl: 'http://a.example/v1' });
    expect(app.registry.connection('q')?.apiKey).toBeNull();
  });

  it('reliability 6.7: headers may hold a key: sealed in the store, open for the adapter, also those of before', async () => {
    const sqlite = openMemorySqlite(fileURLToPath(new URL('../../db/migrations', import.meta.url)));
    const providers = createProviderStore(sqlite.db);
    const { app } = await newApp({ providers });
    const given = { id: 'p', kind: 'openai-compatible' as const, baseUrl: 'https://a.example/v1' };
    app.registry.create({ ...given, headers: { authorization: CANARY } });
    expect(JSON.stringify(providers.get('p'))).not.toContain(CANARY);
    expect(app.registry.connection('p')?.headers).toEqual({ authorization: CANARY });
    expect(app.registry.get('p').headerNames).toEqual(['authorization']);

    providers.save({ id: 'old', document: { ...given, id: 'old', headers: { 'x-key': CANARY } }, keyCipher: null });
    expect(app.registry.connection('old')?.headers).toEqual({ 'x-key': CANARY });
    app.registry.patch('old', { name: 'Old' });
    expect(JSON.stringify(providers.get('old'))).not.toContain(CANARY);
    expect(app.registry.connection('old')?.headers).toEqual({ 'x-key': CANARY });

    app.registry.patch('p', { headers: {} });
    expect(app.registry.get('p').headerNames).toEqual([]);
  });

  it('goes to its provider and shows nowhere else: not in answers, events, logs, exports or reports', async () => {
    const said: string[] = [];
    const provider = await newProvider((request) => ({
      status: 401,
      body: { error: { message: `Incorrect API key provided: ${request.headers.authorization}` } },
    }));
    const other = await newProvider(() => ({ parts: [{ text: 'Hello.' }], end: { reason: 'stop' } }));
    const sessionLog = createMemorySessionLog();
    const test = await newApp({ sessionLog, report: (line) => said.push(line) });
    const { app } = test;
    const id = await aTalk(test, connect(test, provider, { apiKey: CANARY }));
    await test.say(id, 'hello');
    set(test, { routing: { summarization_models: [{ provider: 'fake', model: 'm' }] } });
    await app.sessions.patch(id, { model: connect(test, other, { id: 'other' }) });
    await test.say(id, `more ${'words '.repeat(300)}`);
    await test.say(id, 'and more');
    await app.compactions.request(id, {}, 'owner');
    await test.until('chat.compacted');
    expect(provider.requests.every((request) => request.headers.authorization === `Bearer ${CANARY}`)).toBe(true);
    expect(provider.requests.length).toBeGreaterThan(1);

    const answers = [
      app.registry.list(),
      app.registry.get('fake'),
      app.settings.read(),
      app.server.ready(),
      app.server.jobs({ limit: 100 }),
      await app.providers.test('fake'),
      await app.providers.models({ limit: 100 }),
      await app.sessions.get(id),
      await app.sessions.messages(id, { limit: 500 }),
      await app.sessions.context(id, true),
      await app.compactions.ledger(id),
    ];
    const bytes: string[] = [];
    for await (const chunk of sessionLog.readBytes(id)) bytes.push(new TextDecoder().decode(chunk));
    const downloads = await Promise.all(
      (['jsonl', 'markdown'] as const).map(async (format) => (await app.exports.download(id, format)).text()),
    );
    const everything = JSON.stringify([answers, test.told, bytes, downloads, said]);
    expect(everything).toContain('hello');
    expect(everything).not.toContain(CANARY);
    expect(other.requests.some((request) => JSON.stringify(request).includes(CANARY))).toBe(false);
  });
});

describe('settings in two windows', () => {
  it('the second to save is told so, with the revision to read, and nothing of the first is lost', async () => {
    const { app } = await newApp();
    const { revision } = app.settings.read();
    app.settings.patch({ revision, settings: { context_budget: 50_000 } });
    expect(() => app.settings.patch({ revision, settings: { context_budget: 60_000 } })).toThrowError(
      expect.objectContaining({ code: 'conflict', details: { revision: revision + 1 } }),
    );
    expect(app.settings.current().context_budget).toBe(50_000);
  });
});
