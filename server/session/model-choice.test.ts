import { describe, expect, it } from 'vitest';
import { PRACTICE_MODEL } from './model-registry';
import { aTalk, connect, manageApps } from './testing/stories';

const newApp = manageApps();
const nowhere = { baseUrl: 'http://127.0.0.1:1/v1' };

describe('who answers where nobody was chosen', () => {
  it('N2: the practice model only while nothing else is ready, never in front of a provider that is', async () => {
    const test = await newApp();
    const modelOf = async () => (await test.app.sessions.get(await aTalk(test))).model;
    expect(await modelOf()).toEqual(PRACTICE_MODEL);
    test.app.registry.create({ id: 'keyless', kind: 'openai', models: [{ id: 'm' }] });
    expect(await modelOf()).toEqual(PRACTICE_MODEL);
    const ready = connect(test, nowhere, { id: 'ready' });
    expect(await modelOf()).toEqual(ready);
  });

  it('N2: it does not step in for a provider that was chosen and is gone', async () => {
    const test = await newApp();
    const id = await aTalk(test, connect(test, nowhere, { id: 'chosen' }));
    test.app.registry.remove('chosen');
    expect((await test.say(id, 'hello')).error?.code).toBe('unknown_model');
  });

  it('N2, G4: a provider that rests after failures stays the choice, also for conversations begun meanwhile', async () => {
    const test = await newApp();
    const failing = connect(test, nowhere, { id: 'failing' });
    const id = await aTalk(test, failing);
    await test.say(id, 'hello');
    await test.say(id, 'hello again');
    expect(test.app.registry.list().find((one) => one.id === 'failing')?.state).toBe('paused');
    expect((await test.app.sessions.get(await aTalk(test))).model).toEqual(failing);
  });
});
