import { describe, expect, it } from 'vitest';
import { createGate } from '@/server/model/testing/script';
import type { Workspace } from '@/server/ports/workspace';
import {
  aTalk,
  connect,
  linesOf,
  manageApps,
  manageProviders,
  roles,
  set,
  textOf,
  transcript,
} from './testing/stories';

const newApp = manageApps();
const newProvider = manageProviders();

const reply = (text: string) => ({ parts: [{ text }], end: { reason: 'stop' } });
const call = (name: string, args: unknown, id = 'call_1') => ({
  parts: [{ call: { id, name, args } }],
  end: { reason: 'tool_calls' },
});

describe('a provider goes down in mid-conversation (G2)', () => {
  it('the turn goes on with the next of the chain, and the transcript says so', async () => {
    const down = await newProvider(() => ({ status: 503, body: { error: { message: 'overloaded' } } }));
    const up = await newProvider(() => reply('Here I am.'));
    const test = await newApp();
    set(test, { requests: { tries: 1 } });
    const first = connect(test, down, { id: 'down' });
    const second = connect(test, up, { id: 'up' });
    const agent = test.app.agents.create({ name: 'Two', model: first, fallbacks: [second] });
    test.app.agents.publish(agent.id, {});
    const { id } = await test.app.sessions.create({ agentId: agent.id }, 'owner');
    expect((await test.say(id, 'hello')).state).toBe('finished');
    const shown = await transcript(test, id);
    const answer = shown.at(-1);
    expect(answer?.role === 'assistant' && answer.metadata.model.provider).toBe('up');
    const [note] = await linesOf(test, id, 'note');
    expect(note?.kind).toBe('failover');
    expect(shown.some((message) => message.role === 'note' && message.metadata.kind === 'failover')).toBe(true);
  });

  it('G4: after three failures in a row it is passed over, but not where a person chose it', async () => {
    const down = await newProvider(() => ({ status: 503, body: { error: { message: 'overloaded' } } }));
    const up = await newProvider(() => reply('Here I am.'));
    const test = await newApp();
    set(test, { requests: { tries: 1 } });
    const first = connect(test, down, { id: 'down' });
    const agent = test.app.agents.create({ name: 'Two', model: first, fallbacks: [connect(test, up, { id: 'up' })] });
    test.app.agents.publish(agent.id, {});
    const { id } = await test.app.sessions.create({ agentId: agent.id }, 'owner');
    for (let count = 0; count < 3; count += 1) await test.say(id, 'hello');
    expect(down.requests).toHaveLength(3);
    await test.say(id, 'once more');
    expect(down.requests).toHaveLength(3);
    expect(test.app.registry.get('down').state).toBe('paused');
    const chosen = await test.app.sessions.create({ agentId: agent.id, model: first }, 'owner');
    await test.say(chosen.id, 'this one');
    expect(down.requests).toHaveLength(4);
  });
});

describe('tools (T3)', () => {
  it('an unknown tool, wrong arguments and a tool that throws are results; the turn goes on', async () => {
    const broken: Workspace = new Proxy({} as Workspace, {
      get: () => () => {
        throw new Error('the disk is gone');
      },
    });
    const provider = await newProvider(() => reply('I see.'));
    const test = await newApp({ workspace: broken });
    const id = await aTalk(test, connect(test, provider));
    provider.push(
      call('no_such_tool', {}, 'a'),
      call('read_file', { nothing: 1 }, 'b'),
      call('list_files', { path: '' }, 'c'),
    );
    expect((await test.say(id, 'go')).state).toBe('finished');
    const results = await linesOf(test, id, 'tool.result');
    expect(results.map(({ callId, isError }) => [callId, isError])).toEqual([
      ['a', true],
      ['b', true],
      ['c', true],
    ]);
    expect(textOf((await transcript(test, id)).at(-1))).toBe('I see.');
  });

  it('after the last step tools are withdrawn and one last reply is asked for', async () => {
    const provider = await newProvider((request) =>
      request.text.includes('"tools"')
        ? call('list_files', { path: '' }, `c${provider.requests.length}`)
        : reply('That is all.'),
    );
    const test = await newApp();
    set(test, { turns: { max_steps: 3 } });
    const id = await aTalk(test, connect(test, provider));
    const end = await test.say(id, 'go');
    expect([end.state, end.error?.code]).toEqual(['finished', 'step_limit']);
    expect(textOf((await transcript(test, id)).filter((message) => message.role === 'assistant').at(-1))).toBe(
      'That is all.',
    );
    expect(await linesOf(test, id, 'tool.result')).toHaveLength(3);
  });

  it('a stop while a tool runs gives every open call a result, within a second', async () => {
    const gate = createGate();
    const slow: Workspace = new Proxy({} as Workspace, {
      get: () => async () => {
        gate.arrive();
        await gate.opened;
      },
    });
    const provider = await newProvider(() => reply('never'));
    const test = await newApp({ workspace: slow });
    const id = await aTalk(test, connect(test, provider));
    provider.push(call('list_files', { path: '' }));
    const { turnId } = await test.app.messages.post(id, { text: 'go', clientMessageId: '1' }, 'owner');
    await gate.reached;
    const from = performance.now();
    await test.app.compactions.cancel(id);
    const end = await test.until('chat.turn', (turn) => turn.turnId === turnId && turn.state !== 'started');
    expect(performance.now() - from).toBeLessThan(1_000);
    expect(end.state).toBe('cancelled');
    const results = await linesOf(test, id, 'tool.result');
    expect(results.map(({ callId, why }) => [callId, why])).toEqual([['call_1', 'cancelled']]);
    gate.open();
    await expect(test.app.compactions.cancel(id)).rejects.toMatchObject({ code: 'nothing_to_do' });
  });
});

describe('stop (C11)', () => {
  it('closes the line to the provider, keeps the text, and can be gone on with', async () => {
    const provider = await newProvider(() => reply(' and the rest.'));
    const test = await newApp();
    const id = await aTalk(test, connect(test, provider));
    provider.push({ parts: [{ text: 'The beginning' }, { gate: createGate() }], end: { reason: 'stop' } });
    const { turnId } = await test.app.messages.post(id, { text: 'go', clientMessageId: '1' }, 'owner');
    await test.until('chat.delta');
    const left = provider.clientLeft();
    await test.app.compactions.cancel(id, 'turn');
    await left;
    await test.until('chat.turn', (turn) => turn.turnId === turnId && turn.state === 'cancelled');
    const again = await test.app.messages.continue(id);
    await test.until('chat.turn', (turn) => turn.turnId === again.turnId && turn.state === 'finished');
    expect((await transcript(test, id)).filter((message) => message.role === 'assistant').map(textOf)).toEqual([
      'The beginning',
      ' and the rest.',
    ]);
    expect(provider.requests.at(-1)?.text).toContain('Continue your reply from where it was cut off.');
    await expect(test.app.messages.continue(id)).rejects.toMatchObject({ code: 'nothing_to_do' });
  });
});

describe('no model could answer', () => {
  it('unknown_model: a provider that is gone is named, the message is kept, and another model answers it', async () => {
    const provider = await newProvider(() => reply('Hello.'));
    const test = await newApp();
    const model = connect(test, provider, { id: 'soon-gone' });
    const id = await aTalk(test, model);
    test.app.registry.remove('soon-gone');
    const end = await test.say(id, 'anybody there?');
    expect([end.state, end.error?.code]).toEqual(['failed', 'unknown_model']);
    expect(end.error?.message).toContain('soon-gone');
    await expect(test.app.compactions.request(id, {}, 'owner')).rejects.toMatchObject({ code: 'unknown_model' });
    await expect(test.app.sessions.create({ model }, 'owner')).rejects.toMatchObject({ code: 'unknown_model' });
    await test.app.sessions.patch(id, { model: connect(test, provider, { id: 'here' }) });
    const { turnId } = await test.app.messages.continue(id);
    expect((await test.until('chat.turn', (turn) => turn.turnId === turnId && turn.state !== 'started')).state).toBe(
      'finished',
    );
    expect(roles(await transcript(test, id)).filter((role) => role !== 'note')).toEqual(['user', 'assistant']);
  });

  it('no_model: an empty automatic chain says what to do', async () => {
    const test = await newApp();
    const id = await aTalk(test, { provider: 'auto', model: 'auto' });
    const end = await test.say(id, 'hello');
    expect([end.state, end.error?.code]).toEqual(['failed', 'no_model']);
    expect(end.error?.message).toContain('Settings');
  });

  it('T3: an auth error is named, not tried again, and the conversation goes on after the key is right', async () => {
    const provider = await newProvider(() => reply('Hello.'));
    const test = await newApp();
    const id = await aTalk(test, connect(test, provider));
    provider.push({ status: 401, body: { error: { message: 'Incorrect API key provided' } } });
    const end = await test.say(id, 'hello');
    expect([end.state, end.error?.code, provider.requests.length]).toEqual(['failed', 'provider_auth', 1]);
    test.app.registry.patch('fake', { apiKey: 'sk-better' });
    await test.say(id, 'again');
    expect(provider.requests.at(-1)?.headers.authorization).toBe('Bearer sk-better');
  });
});
