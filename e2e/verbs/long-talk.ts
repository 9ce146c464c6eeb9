import { createAnswerLikeAModel } from '../../server/model/testing/answer-like-a-model';
import type { RecordedRequest, Respond } from '../../server/model/testing/fake-server';
import type { FakeReply, Gate } from '../../server/model/testing/script';
import type { Api } from './api';
import type { Chat } from './chat';
import type { FakeModels } from './fake-models';

/** Tokens. Small beside the conversation of `haveLongTalk`, so that a summary of it takes segments. */
export const SMALL_WINDOW = 8_000;

const TURNS = 10;

/** A conversation several times the small window, held with a model that has room for it; gives its id. */
export async function haveLongTalk({
  chat,
  fakes,
}: {
  readonly chat: Chat;
  readonly fakes: FakeModels;
}): Promise<string> {
  const { model } = await fakes.connect();
  const id = await chat.begin({ model });
  await talkLong(chat);
  return id;
}

/** Has the long talk folded by a small summariser that answers its segments so; gives the id of the talk. */
export async function foldInSegments(
  { chat, fakes, api }: { readonly chat: Chat; readonly fakes: FakeModels; readonly api: Api },
  segmented: Segmented,
): Promise<string> {
  const small = await fakes.connect({ window: SMALL_WINDOW, respond: answerSegments(segmented) });
  const id = await haveLongTalk({ chat, fakes });
  await summariseWith(api, small.model);
  await chat.compactBySlash();
  return id;
}

/** Says enough in the conversation that is open. */
export async function talkLong(chat: Chat): Promise<void> {
  for (let turn = 1; turn <= TURNS; turn += 1) {
    await chat.say(`Berth ${turn}: ${'the fee is due on the first of the month. '.repeat(140)}`);
  }
}

const taskOf = ({ text }: RecordedRequest) => /TASK (summary|map|reduce|audit|correction) \d/.exec(text)?.[1] ?? null;

export interface Segmented {
  /** How many segments are answered at once; the others wait at the gate. */
  readonly first?: number;
  readonly gate?: Gate;
  /** What a segment is answered with instead; null: as a model would. `n` counts the requests for segments from 1. */
  readonly refuse?: (n: number) => FakeReply | null;
}

/** Answers as a model would, but for segments: some at once, the rest when the gate is opened, or not at all. */
export function answerSegments({ first = Number.POSITIVE_INFINITY, gate, refuse }: Segmented = {}): Respond {
  const answer = createAnswerLikeAModel();
  let maps = 0;
  return (request) => {
    const reply = answer(request);
    if (taskOf(request) !== 'map') return reply;
    maps += 1;
    const refused = refuse?.(maps) ?? null;
    if (refused !== null) return refused;
    return gate && maps > first && 'parts' in reply ? { ...reply, parts: [{ gate }, ...reply.parts] } : reply;
  };
}

/** Requests for segments among those a summariser was sent. */
export function countMaps(requests: readonly RecordedRequest[]): number {
  return requests.filter((request) => taskOf(request) === 'map').length;
}

/** Who writes summaries, in order. */
export async function summariseWith(
  api: Api,
  ...models: readonly { provider: string; model: string }[]
): Promise<void> {
  await api.settings({ routing: { summarization_models: [...models] } });
}
