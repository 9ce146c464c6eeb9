'use client';

import { useEffect, useRef, useState } from 'react';
import { toModelKey } from '@/server/contract/names';
import { summarizerTestSchema } from '@/server/contract/settings';
import { callApi, toMessage } from '../sync/api-client';
import { useSpeak } from '../ui/live-region';
import type { ListedModel } from './model-state';
import { type RowTest, speakTests } from './test-words';

async function testOne(model: ListedModel, signal: AbortSignal): Promise<RowTest> {
  try {
    const body = { models: [{ provider: model.provider, model: model.model }] };
    const path = '/settings/summarization-models/test';
    const { rows } = await callApi(path, { method: 'POST', body, schema: summarizerTestSchema, signal });
    const [row] = rows;
    return row ? { state: 'done', row } : { state: 'problem', text: 'The server said nothing about this model.' };
  } catch (thrown) {
    return signal.aborted ? { state: 'stopped' } : { state: 'problem', text: toMessage(thrown) };
  }
}

/**
 * *Test order* (ux 12): the built-in sample is folded by each row, one after the other and in the list's own order, so
 * that each result stands in its row as it comes. Leaving the page stops it.
 */
export function useTestOrder(models: readonly ListedModel[]) {
  const [tests, setTests] = useState<ReadonlyMap<string, RowTest>>(new Map());
  const [running, setRunning] = useState(false);
  const stopper = useRef<AbortController | null>(null);
  const speak = useSpeak();
  useEffect(() => () => stopper.current?.abort(), []);
  const put = (model: ListedModel, test: RowTest) => setTests((held) => new Map(held).set(toModelKey(model), test));
  const run = async () => {
    const own = new AbortController();
    stopper.current = own;
    setRunning(true);
    setTests(new Map(models.map((model) => [toModelKey(model), { state: 'waiting' }])));
    speak('Testing each model on a sample');
    const results: RowTest[] = [];
    for (const model of models) {
      if (!own.signal.aborted) put(model, { state: 'running' });
      const test: RowTest = own.signal.aborted ? { state: 'stopped' } : await testOne(model, own.signal);
      put(model, test);
      results.push(test);
    }
    setRunning(false);
    speak(own.signal.aborted ? 'Test stopped' : speakTests(results));
  };
  return { tests, running, run, stop: () => stopper.current?.abort() };
}
