import { describe, expect, it } from 'vitest';
import { createAnswerLikeAModel } from '@/server/model/testing/answer-like-a-model';
import { aTalk, manageApps, manageProviders } from './testing/stories';

const newApp = manageApps();
const newProvider = manageProviders();

describe('a provider that was just connected', () => {
  it('N4, B7: its few models can answer, the window it reports counts, and a new conversation uses it', async () => {
    const test = await newApp();
    const server = await newProvider(createAnswerLikeAModel());
    test.app.registry.create({ id: 'local', kind: 'openai-compatible', baseUrl: server.baseUrl });
    const tested = await test.app.providers.test('local');
    expect(tested.ok && tested.models).toBeGreaterThan(0);
    const [model] = test.app.registry.get('local').models;
    expect(model).toBeDefined();

    const id = await aTalk(test);
    expect((await test.say(id, 'hi')).state).toBe('finished');
    const session = await test.app.sessions.get(id);
    expect(session.model).toEqual({ provider: 'local', model: model?.id });
    expect(session.context.windowSource).not.toBe('chosen');
  });

  it('a refused key takes nothing over', async () => {
    const test = await newApp();
    test.app.registry.create({ id: 'gone', kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:9/v1' });
    expect((await test.app.providers.test('gone')).ok).toBe(false);
    expect(test.app.registry.get('gone').models).toEqual([]);
  });
});
