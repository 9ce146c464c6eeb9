import { AppError } from '@/server/contract/error';
import type { Model } from '@/server/contract/shapes';
import type { TestApp } from './an-app';
import { MOODS } from './moods';
import { openStations, type Station } from './stations';
import { compact, set, transcript } from './stories';

/** A random way through an application whose models are behind strict servers of every protocol. */
export interface Wanderer {
  readonly stations: readonly Station[];
  act(name: string, pick: number): Promise<void>;
  close(): Promise<void>;
}

interface Here {
  readonly test: TestApp;
  readonly stations: readonly Station[];
  readonly sessions: string[];
  readonly moods: string[];
  at: string;
  pick: number;
}

const TOOLS = ['list_files', 'read_file', 'search_files', 'update_plan', 'mask_tool_result', 'recall'];
const MOOD_NAMES = Object.keys(MOODS).filter((name) => name !== 'is held');
const LONG = 'Berth fees of the harbour, 北京 🚀, in "quotes" and \\ more. ';

const choose = <T>(list: readonly T[], pick: number): T => {
  const found = list[pick % list.length];
  if (found === undefined) throw new Error('there is nothing to choose from');
  return found;
};

/** Everything that may happen. What the application refuses just now is no step. */
const ACTS: Readonly<Record<string, (here: Here) => Promise<void>>> = {
  chats: (here) => say(here, [choose(MOOD_NAMES, here.pick)]),
  'works long': (here) => say(here, ['calls', 'thinks and calls', choose(MOOD_NAMES, here.pick), 'calls']),
  masks: (here) => say(here, ['calls', 'calls and masks', 'thinks']),
  'says much': (here) => say(here, ['says much'], LONG.repeat(20 + (here.pick % 60))),
  compacts: async ({ test, at }) => void (await compact(test, at)),
  switches: async (here) => {
    await here.test.app.sessions.patch(here.at, { model: choose(allModels(here.stations), here.pick) });
  },
  'asks the other of the two': async (here) => {
    const { models } = choose(here.stations, here.pick);
    for (const model of [...models, ...models]) {
      await here.test.app.sessions.patch(here.at, { model });
      await say(here, ['thinks and calls']);
    }
  },
  'uses an id again': async (here) => {
    for (let time = 0; time < 2; time += 1) await say(here, ['calls twice alike']);
  },
  'fails over': (here) => say(here, ['calls', 'is down', 'thinks and calls', 'is down', 'says']),
  forks: async (here) => {
    const { id } = await here.test.app.travel.fork(here.at, await placeOf(here));
    here.sessions.push(id);
    here.at = id;
  },
  'goes elsewhere': async (here) => {
    here.at = choose(here.sessions, here.pick);
  },
  reverts: async (here) => void (await here.test.app.travel.revert(here.at, await placeOf(here), 'owner')),
  'rolls back': async ({ test, at }) => void (await test.app.travel.rollback(at, 'owner')),
  continues: async (here) => {
    here.moods.push('says');
    await goOn(here);
  },
  'is cut off and continues': async (here) => {
    await say(here, ['hits the ceiling']);
    await goOn(here);
  },
  'is stopped': (here) => stopInMidStream(here),
};

export const ACT_NAMES = Object.keys(ACTS);

/** Sets out with one conversation that has a chain over protocols, from the model at `first` on, and one with that model alone. */
export async function setOut(test: TestApp, first: number): Promise<Wanderer> {
  const moods: string[] = [];
  const stations = await openStations(test, () => moods.shift() ?? 'says');
  // Without compactions by itself the trim has to serve, and half of the walks go without.
  set(test, { requests: { tries: 1 }, compaction: { auto: first % 2 === 0 } });
  const models = allModels(stations);
  const rotated = [...models.slice(first), ...models.slice(0, first)];
  const sessions = [await aSession(test, rotated.slice(0, 4)), await aSession(test, rotated.slice(0, 1))];
  const here: Here = { test, stations, sessions, moods, at: sessions[0] ?? '', pick: 0 };
  return {
    stations,
    act: async (name, pick) => {
      here.pick = pick;
      try {
        await ACTS[name]?.(here);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
      }
      moods.length = 0;
    },
    close: async () => {
      await Promise.all(stations.map(({ server }) => server.close()));
    },
  };
}

/** First one of each protocol, then the second ones. */
function allModels(stations: readonly Station[]): readonly Model[] {
  const at = (place: number) => stations.flatMap(({ models }) => models.slice(place, place + 1));
  return [...at(0), ...at(1)];
}

async function aSession({ app }: TestApp, chain: readonly Model[]): Promise<string> {
  const [model, ...fallbacks] = chain;
  const name = `Agent of ${chain.length}`;
  const agent = app.agents.create({ name, tools: TOOLS, fallbacks, ...(model ? { model } : {}) });
  app.agents.publish(agent.id, {});
  return (await app.sessions.create({ agentId: agent.id }, 'owner')).id;
}

async function say(here: Here, moods: readonly string[], text = `message ${here.pick}`): Promise<void> {
  here.moods.push(...moods);
  const { test, at } = here;
  const clientMessageId = `${test.told.length}`;
  const { turnId } = await test.app.messages.post(at, { text, clientMessageId }, 'owner');
  await endOf(test, turnId);
}

function endOf(test: TestApp, turnId: string): Promise<unknown> {
  return test.until('chat.turn', (turn) => turn.turnId === turnId && turn.state !== 'started');
}

async function goOn({ test, at }: Here): Promise<void> {
  const { turnId } = await test.app.messages.continue(at);
  await endOf(test, turnId);
}

async function placeOf({ test, at, pick }: Here): Promise<string | null> {
  const messages = (await transcript(test, at)).filter(({ role }) => role === 'user' || role === 'assistant');
  return messages.length === 0 ? null : choose(messages, pick).id;
}

/** The person stops while the reply streams; what was said so far stays. */
async function stopInMidStream(here: Here): Promise<void> {
  const { test, at } = here;
  here.moods.push(...(here.pick % 2 === 0 ? ['calls'] : []), 'is held');
  const before = test.told.length;
  const { turnId } = await test.app.messages.post(at, { text: 'go', clientMessageId: `${before}` }, 'owner');
  await Promise.race([
    test.untilNew(before, 'chat.delta', ({ text }) => text.includes('On my way')),
    endOf(test, turnId),
  ]);
  await test.app.compactions.cancel(at).catch(() => undefined);
  await endOf(test, turnId);
}
