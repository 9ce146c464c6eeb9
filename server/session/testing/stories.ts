import { afterEach } from 'vitest';
import type { StoredEvent } from '@/server/contract/events/event';
import type { Message } from '@/server/contract/message';
import type { Model } from '@/server/contract/shapes';
import { isKnown } from '@/server/core/projection/log-state-path';
import { startFakeChatCompletions } from '@/server/model/testing/fake-chat-completions';
import type { FakeServer, Respond } from '@/server/model/testing/fake-server';
import { anApp, type TestApp } from './an-app';

/** Words that the stories of this folder are told in. */

/** Starts applications and stops each after its test. */
export function manageApps(): (change?: Parameters<typeof anApp>[0]) => Promise<TestApp> {
  const open: TestApp[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((app) => app.stop()));
  });
  return async (change = {}) => {
    // Fake providers are real servers on this machine; whoever names none speaks to none.
    const app = await anApp({ fetch: (input, init) => fetch(input, init), ...change });
    open.push(app);
    return app;
  };
}

/** Starts fake servers of the chat completions protocol and closes each after its test. */
export function manageProviders(): (respond?: Respond) => Promise<FakeServer> {
  const open: FakeServer[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((server) => server.close()));
  });
  return async (respond) => {
    const server = await startFakeChatCompletions(respond === undefined ? {} : { respond });
    open.push(server);
    return server;
  };
}

/** Makes a fake server known as the provider `id`, with one model; gives the model's name. */
export function connect(
  { app }: TestApp,
  server: Pick<FakeServer, 'baseUrl'>,
  { id = 'fake', window = 1_000_000, apiKey = 'sk-right' } = {},
): Model {
  app.registry.create({
    id,
    kind: 'openai-compatible',
    baseUrl: server.baseUrl,
    apiKey,
    models: [{ id: 'm', window }],
  });
  return { provider: id, model: 'm' };
}

/** Changes settings whatever their revision is. */
export function set({ app }: TestApp, settings: Parameters<typeof app.settings.patch>[0]['settings']): void {
  app.settings.patch({ revision: app.settings.read().revision, settings });
}

/** A new conversation; with a model it is spoken to by that one. */
export async function aTalk({ app }: TestApp, model?: Model): Promise<string> {
  const { id } = await app.sessions.create(model === undefined ? {} : { model }, 'owner');
  return id;
}

/** Asks for a compaction and waits for its end. */
export async function compact(test: TestApp, id: string, request: { readonly focus?: string } = {}) {
  const before = test.told.length;
  await test.app.compactions.request(id, request, 'owner');
  return test.untilNew(before, 'chat.compacted', (data) => data.sessionId === id);
}

/** The transcript, whole. */
export async function transcript({ app }: TestApp, id: string): Promise<readonly Message[]> {
  return (await app.sessions.messages(id, { limit: 500 })).messages;
}

export const roles = (messages: readonly Message[]): readonly string[] => messages.map((message) => message.role);

/** What a message says, its texts joined. */
export function textOf(message: Message | undefined): string {
  return (message?.parts ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** The lines of the log a conversation stands in, as events. */
export async function lines({ sessionLog }: TestApp, logId: string): Promise<readonly StoredEvent[]> {
  const events: StoredEvent[] = [];
  for await (const record of sessionLog.read(logId)) {
    if (record.kind === 'event' && isKnown(record.event)) events.push(record.event);
  }
  return events;
}

type OfType<T> = Extract<StoredEvent, { readonly type: T }>;

/** The lines of one type. */
export async function linesOf<T extends StoredEvent['type']>(
  test: TestApp,
  logId: string,
  type: T,
): Promise<readonly OfType<T>[]> {
  const isOfType = (event: StoredEvent): event is OfType<T> => event.type === type;
  return (await lines(test, logId)).filter(isOfType);
}
