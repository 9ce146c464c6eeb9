import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { AppError, toErrorBody } from '@/server/contract/error';
import type { ModelInfo } from '@/server/contract/provider';
import {
  defaultSettings,
  patchSettingsSchema,
  type SummarizerTestRow,
  testSummarizersSchema,
} from '@/server/contract/settings';
import { mergeSettings } from '@/server/contract/settings-merge';
import { type Asked, renderInPage, serve } from '../sessions/testing/rail-world';
import { KeyboardProvider } from '../ui/keyboard-provider';
import { LiveRegionProvider } from '../ui/live-region';
import { ToastProvider } from '../ui/toast';
import { SummarisationModels } from './summarisation-models';
import { aModelInfo } from './testing/a-model-info';
import { WithSettings } from './with-settings';

afterEach(() => vi.unstubAllGlobals());

function createSignal(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let settle: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return { promise, resolve: () => settle() };
}

type Pair = { readonly provider: string; readonly model: string };
const sonnet: Pair = { provider: 'anthropic', model: 'sonnet-x' };
const haiku: Pair = { provider: 'anthropic', model: 'haiku-x' };
const qwen: Pair = { provider: 'ollama', model: 'qwen-local' };

const info = (pair: Pair, changes: Partial<ModelInfo> = {}) =>
  aModelInfo({
    ...pair,
    label: pair.model,
    providerName: pair.provider === 'ollama' ? 'Ollama' : 'Anthropic',
    kind: 'openai-compatible',
    ...changes,
  });

const row = (pair: Pair, changes: Partial<SummarizerTestRow> = {}): SummarizerTestRow => ({
  ...pair,
  outcome: 'accepted',
  reason: null,
  message: null,
  detail: null,
  ms: 1_200,
  bytes: 640,
  requestBytes: 3_000,
  usage: null,
  cost: null,
  simulated: false,
  ...changes,
});

/** Settings that are kept for the length of a test, the models that are set up, and what *Test order* finds. */
function world(stored: readonly Pair[], test: (pair: Pair) => SummarizerTestRow | Response = row) {
  let revision = 1;
  let settings = mergeSettings(defaultSettings, { routing: { summarization_models: [...stored] } });
  const refused: Response[] = [];
  const held: Promise<void>[] = [];
  const now = () => ({ revision, settings, notes: [] });
  const answer = ({ method, path, body }: Asked): unknown => {
    if (path === '/models') {
      return { models: [info(sonnet), info(haiku), info(qwen, { windowTokens: 8_000 })], truncated: false };
    }
    if (path === '/settings/summarization-models/test') {
      const [pair] = testSummarizersSchema.parse(body).models ?? [];
      const result = pair ? test(pair) : null;
      return result instanceof Response ? result : { rows: [result], sample: { lines: 20, bytes: 1_800 } };
    }
    if (method === 'PATCH') {
      const next = refused.shift();
      if (next) return next;
      const patch = patchSettingsSchema.parse(body);
      const write = () => {
        revision += 1;
        settings = mergeSettings(settings, patch.settings);
        return now();
      };
      return held.shift()?.then(write) ?? write();
    }
    return now();
  };
  const asked = serve(answer);
  const order = () => settings.routing.summarization_models.map(({ model }) => model);
  return { asked, order, refused, held };
}

async function open() {
  renderInPage(
    <KeyboardProvider>
      <LiveRegionProvider>
        <ToastProvider>
          <WithSettings>{({ routing }) => <SummarisationModels stored={routing.summarization_models} />}</WithSettings>
        </ToastProvider>
      </LiveRegionProvider>
    </KeyboardProvider>,
  );
  await screen.findByRole('heading', { name: 'Summarisation models' });
  const rows = () => within(screen.getByRole('list', { name: /^Models that write/ })).getAllByRole('listitem');
  const shown = () => rows().map((one) => /(sonnet|haiku)-x|qwen-local/.exec(one.textContent ?? '')?.[0]);
  return { user: userEvent.setup(), rows, shown };
}

describe('Summarisation models (S1)', () => {
  it('S2: an empty list says whose model writes then, and Test order says why it cannot be pressed', async () => {
    world([]);
    await open();
    expect(screen.getByText('Uses the conversation’s own model.')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Test order: there is no model in the list' })).toBeDisabled();
  });

  it('S1: the overlay is searched, Enter chooses and closes, and nothing but the list is written', async () => {
    const { asked, order } = world([]);
    const { user } = await open();
    await user.click(screen.getByRole('button', { name: 'Add summarisation model' }));
    const search = await screen.findByRole('combobox', { name: 'Add summarisation model' });
    expect(search).toHaveFocus();
    expect(await screen.findByRole('group', { name: 'Ollama' })).toHaveTextContent('Small window: writes in segments');
    await user.type(search, 'haiku{Enter}');
    await waitFor(() => expect(order()).toEqual(['haiku-x']));
    expect(screen.queryByRole('combobox')).toBeNull();
    await waitFor(() => expect(screen.getByRole('button', { name: 'Add summarisation model' })).toHaveFocus());
    const written = asked.filter(({ method }) => method !== 'GET');
    expect(written.map(({ method, path }) => `${method} ${path}`)).toEqual(['PATCH /settings']);
    expect(written[0]?.body).toEqual({ revision: 1, settings: { routing: { summarization_models: [haiku] } } });
  });

  it('S1: a model that stands in the list is shown and cannot be chosen again', async () => {
    const { order } = world([sonnet]);
    const { user } = await open();
    await user.click(screen.getByRole('button', { name: 'Add summarisation model' }));
    const search = await screen.findByRole('combobox');
    await screen.findByRole('group', { name: 'Anthropic' });
    await user.type(search, 'sonnet');
    const option = screen.getByRole('option', { name: /sonnet-x/ });
    expect(option).toHaveTextContent('Already in list ✓');
    expect(option).toHaveAttribute('aria-disabled', 'true');
    await user.keyboard('{Enter}');
    expect(search).toBeVisible();
    expect(order()).toEqual(['sonnet-x']);
  });

  it('S1: Enter on a numbered row replaces it in its place; the new row has the focus', async () => {
    const { order } = world([sonnet, haiku]);
    const { user, rows } = await open();
    rows()[0]?.focus();
    await user.keyboard('{Enter}');
    const search = await screen.findByRole('combobox', { name: 'Another model for this place' });
    await screen.findByRole('group', { name: 'Ollama' });
    await user.type(search, 'qwen{Enter}');
    await waitFor(() => expect(order()).toEqual(['qwen-local', 'haiku-x']));
    await waitFor(() => expect(rows()[0]).toHaveFocus());
    await user.keyboard('{Control>}z{/Control}');
    await waitFor(() => expect(order()).toEqual(['sonnet-x', 'haiku-x']));
  });

  it('S1: Escape in the overlay gives the focus back to the row it was opened from, and changes nothing', async () => {
    const { order } = world([sonnet, haiku]);
    const { user, rows } = await open();
    rows()[1]?.focus();
    await user.keyboard('{Enter}');
    await screen.findByRole('combobox');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(rows()[1]).toHaveFocus());
    expect(order()).toEqual(['sonnet-x', 'haiku-x']);
  });

  it('S1: a key pressed twice moves twice, though the server has not answered the first', async () => {
    const { order, held } = world([sonnet, haiku, qwen]);
    const { user, rows, shown } = await open();
    const answered = createSignal();
    held.push(answered.promise);
    rows()[2]?.focus();
    await user.keyboard('{Alt>}{ArrowUp}{ArrowUp}{/Alt}');
    expect(shown()).toEqual(['qwen-local', 'sonnet-x', 'haiku-x']);
    expect(order()).toEqual(['sonnet-x', 'haiku-x', 'qwen-local']);
    answered.resolve();
    await waitFor(() => expect(order()).toEqual(['qwen-local', 'sonnet-x', 'haiku-x']));
  });

  it('ux 15: an order that could not be saved stays as it was put, with a way to try again', async () => {
    const { order, refused } = world([sonnet, haiku]);
    const { user, rows, shown } = await open();
    refused.push(Response.json(toErrorBody(new AppError('internal', 'The disk is full.')).body, { status: 500 }));
    rows()[1]?.focus();
    await user.keyboard('{Alt>}{ArrowUp}{/Alt}');
    expect(await screen.findByRole('alert')).toHaveTextContent('Not saved');
    expect(shown()).toEqual(['haiku-x', 'sonnet-x']);
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(order()).toEqual(['haiku-x', 'sonnet-x']));
  });

  it('ux 12: Test order tries each row and says in it what it wrote, or why it wrote nothing', async () => {
    const { asked } = world([sonnet, haiku, qwen], (pair) => {
      if (pair.model === 'haiku-x') {
        const detail = { status: 401, code: 'invalid_api_key', text: 'no such key', requestId: null };
        return row(pair, { outcome: 'failed', reason: 'auth', bytes: null, ms: 400, detail });
      }
      if (pair.model === 'qwen-local') return row(pair, { outcome: 'rejected', reason: 'empty', bytes: 0 });
      return row(pair, { cost: 0.0012 });
    });
    const { user, rows } = await open();
    await user.click(screen.getByRole('button', { name: 'Test order' }));
    await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent('Test finished: 1 of 3 models wrote'));
    expect(rows()[0]).toHaveTextContent(/Wrote 640.bytes in 1.2.s for \$.0.0012/);
    expect(rows()[1]).toHaveTextContent(/No summary, after 0.4.s: the key was refused/);
    expect(rows()[2]).toHaveTextContent(/What it wrote is no summary, after 1.2.s: the summary came back empty/);
    await user.click(within(rows()[1] ?? document.body).getByRole('button', { name: 'Details' }));
    expect(rows()[1]).toHaveTextContent('status: 401');
    const tried = asked.filter(({ path }) => path.endsWith('/test')).map(({ body }) => body);
    expect(tried).toEqual([sonnet, haiku, qwen].map((pair) => ({ models: [pair] })));
  });

  it('ux 12: where the server cannot say, the row says that and the next one is tried all the same', async () => {
    const problem = Response.json(toErrorBody(new AppError('not_found', 'There is no such model.')).body, {
      status: 404,
    });
    world([sonnet, haiku], (pair) => (pair.model === 'sonnet-x' ? problem : row(pair)));
    const { user, rows } = await open();
    await user.click(screen.getByRole('button', { name: 'Test order' }));
    await waitFor(() => expect(rows()[1]).toHaveTextContent('Wrote'));
    expect(rows()[0]).toHaveTextContent('There is no such model.');
  });
});
