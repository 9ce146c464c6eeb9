import { createAnswerLikeAModel, toFakeSummary } from '@/server/model/testing/answer-like-a-model';
import type { RecordedRequest } from '@/server/model/testing/fake-server';
import type { FakePart, FakeReply } from '@/server/model/testing/script';
import type { Drivers } from '../drivers';
import { isSummary } from './failure-loop';
import { createHandClock } from './hand-clock';
import { aTalk, connect, manageApps, manageProviders, set } from './stories';

export const usage = { input: 900, output: 90 };
export const long = (name: string) => `${name}: ${'berth fees and the monthly print. '.repeat(90)}`;
export const says = (...parts: readonly FakePart[]): FakeReply => ({ parts, end: { reason: 'stop', usage } });

/** How a request for a summary is answered. */
export type Summary = (request: RecordedRequest) => FakeReply;
export const good: Summary = () => says({ text: toFakeSummary() });

/** Talks whose model answers as one would, and summaries as `summary` says; the waits are over at once. */
export function manageTalks() {
  const newApp = manageApps();
  const newProvider = manageProviders();
  const aTalkWith = async (summary: Summary, drivers: Pick<Partial<Drivers>, 'sessionLog' | 'jobs'> = {}) => {
    const answer = createAnswerLikeAModel();
    const provider = await newProvider((request) => (isSummary(request) ? summary(request) : answer(request)));
    const test = await newApp({ startTimer: createHandClock().startTimer, ...drivers });
    set(test, { context_budget: 26_000 });
    const id = await aTalk(test, connect(test, provider));
    return { test, id, provider, asked: () => provider.requests.filter(isSummary) };
  };
  return { newApp, newProvider, aTalkWith };
}
