import { describe, expect, it } from 'vitest';
import { AppError } from '@/server/contract/error';
import { type ActionDeps, createChatActions } from './actions';
import { createChatStore } from './chat-store';
import { emptyChat, foldStream } from './fold-stream';
import { chatMessage, idOf, sessionId, userMessage } from './fold-stream-arbitraries';

interface Asked {
  readonly path: string;
  readonly body: unknown;
}

/** A server that answers by a script: what it is asked, in order, and what it says. */
function setUp(answers: readonly (unknown | AppError)[] = [], online = () => true) {
  const asked: Asked[] = [];
  const rest = [...answers];
  const store = createChatStore(sessionId, () => () => undefined);
  let ids = 0;
  const waits: number[] = [];
  const backOnline: (() => void)[] = [];
  const call: ActionDeps['call'] = async (path, options) => {
    asked.push({ path, body: options.body });
    const answer = rest.shift();
    if (answer instanceof AppError) throw answer;
    return options.schema.parse(answer);
  };
  const actions = createChatActions({
    store,
    call,
    makeId: () => `id-${++ids}`,
    now: () => '2026-01-02T03:04:05.678Z',
    wait: async (ms) => {
      waits.push(ms);
    },
    whenOnline: () => (online() ? null : new Promise((resolve) => backOnline.push(resolve))),
  });
  return { actions, store, asked, waits, backOnline };
}

const accepted = { messageId: idOf(1), turnId: idOf(2), queued: false };
const down = new AppError('unavailable', 'The server did not answer.');

describe('sending', () => {
  it('ux-7.3: a message is drawn before the server has it, and taken back when it is refused', async () => {
    const { actions, store } = setUp([new AppError('storage_full', 'The disk is full.')]);
    const sending = actions.send('hello');
    expect(store.get().outbox).toMatchObject([{ text: 'hello', clientMessageId: 'id-1' }]);
    expect(await sending).toEqual({ ok: false, message: 'The disk is full.', clientMessageId: 'id-1' });
    expect(store.get().outbox).toEqual([]);
  });

  it('case-E06: the durable message takes the place of the drawn one, once its turn places it', () => {
    const drawn = { clientMessageId: 'client-1', text: 'x', at: '', queued: false };
    const state = { ...emptyChat(sessionId), outbox: [drawn] };
    const waits = foldStream(state, chatMessage(userMessage(1, { queued: true })));
    expect(waits.outbox).toHaveLength(1);
    const placed = foldStream(waits, chatMessage(userMessage(1)));
    expect(placed.outbox).toHaveLength(0);
    expect(placed.messages).toHaveLength(1);
  });

  it('ux-15: without a network it waits and goes out when there is one again, under the same id', async () => {
    let online = false;
    const { actions, store, asked, backOnline } = setUp([accepted], () => online);
    const sending = actions.send('later');
    expect(store.get().outbox).toMatchObject([{ queued: true }]);
    expect(asked).toEqual([]);
    online = true;
    for (const wake of backOnline) wake();
    expect(await sending).toMatchObject({ ok: true });
    expect(asked).toMatchObject([{ body: { text: 'later', clientMessageId: 'id-1' } }]);
  });
});

describe('compacting', () => {
  it('ux-17.1: the row is there with the click; three clicks are one row and one request', async () => {
    const { actions, store, asked } = setUp([{ jobId: idOf(5) }]);
    expect([actions.compact(), actions.compact(), actions.compact()]).toEqual(['asked', 'already', 'already']);
    expect(store.get().compaction).toMatchObject({ state: 'requested', clientRequestId: 'id-1', acknowledged: false });
    await actions.cancel('turn');
    expect(asked.filter(({ path }) => path.endsWith('/compact'))).toHaveLength(1);
    expect(store.get().compaction?.acknowledged).toBe(true);
  });

  it('P5: it writes nothing into a message, and its words go along', () => {
    const { actions, asked } = setUp([{ jobId: idOf(5) }]);
    actions.compact({ focus: 'the schema decisions' });
    expect(asked).toEqual([
      {
        path: `/agent-sessions/${sessionId}/compact`,
        body: { focus: 'the schema decisions', clientRequestId: 'id-1' },
      },
    ]);
  });

  it('ux-7.6: a request nobody answered is sent again with the same id after five seconds', async () => {
    const { actions, store, asked, waits } = setUp([down, down, { jobId: idOf(5) }, {}]);
    actions.compact();
    await actions.cancel('compaction');
    expect(waits).toEqual([5_000, 5_000]);
    const requests = asked.filter(({ path }) => path.endsWith('/compact'));
    expect(requests).toHaveLength(3);
    expect(new Set(requests.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(store.get().compaction?.state).toBe('cancelling');
  });

  it('a refusal is the failed row with its code, and nothing is asked again', async () => {
    const { actions, store, asked } = setUp([new AppError('no_model', 'There is no model.')]);
    actions.compact();
    await actions.cancel('turn');
    expect(store.get().compaction).toMatchObject({ state: 'failed', reason: 'no_model: There is no model.' });
    expect(asked.filter(({ path }) => path.endsWith('/compact'))).toHaveLength(1);
  });

  it('stopping what could not be stopped puts the row back', async () => {
    const { actions, store } = setUp([{ jobId: idOf(5) }, new AppError('nothing_to_do', 'Nothing runs.')]);
    actions.compact();
    expect(await actions.cancel('compaction')).toMatchObject({ ok: false });
    expect(store.get().compaction?.state).toBe('requested');
  });
});

describe('one segment again (X6)', () => {
  it('X6: while its compaction runs nothing is drawn anew, and a refusal is handed back', async () => {
    const { actions, store, asked } = setUp([{ jobId: idOf(5) }, {}, new AppError('conflict', 'It is written.')]);
    actions.compact();
    await actions.retrySegment(idOf(9), 2);
    const row = store.get().compaction;
    expect(asked.at(-1)?.path).toMatch(new RegExp(`/compactions/${idOf(9)}/segments/2/retry$`));
    expect(await actions.retrySegment(idOf(9), 2)).toEqual({ ok: false, message: 'It is written.' });
    expect(store.get().compaction).toEqual(row);
  });

  it('ux 7.3: after its end the row of the next one is there with the click, and says it where it is refused', async () => {
    const { actions, store } = setUp([new AppError('conflict', 'There is no such segment.')]);
    const asking = actions.retrySegment(idOf(9), 2);
    expect(store.get().compaction).toMatchObject({ state: 'requested', acknowledged: false });
    await asking;
    expect(store.get().compaction).toMatchObject({ state: 'failed', reason: 'There is no such segment.' });
  });
});
