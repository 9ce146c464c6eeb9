import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { PlanItem } from '@/server/contract/shapes';
import { planQuery } from '../sync/queries-chat';
import { PlanPanel } from './plan-panel';

const sessionId = '01J0000000000000000000000S';
const plan: readonly PlanItem[] = [
  { id: 'a', text: 'Measure', status: 'active' },
  { id: 'b', text: 'Cut', status: 'pending' },
];

/** A server that keeps the plan, or refuses every change of it. */
function serve(refuse = false) {
  let items = plan;
  const put: PlanItem[][] = [];
  vi.stubGlobal('fetch', async (_: string, init?: RequestInit) => {
    if (init?.method === 'PUT' && refuse) {
      const error = { code: 'conflict', message: 'The log is damaged here.', requestId: 'r', details: {} };
      return new Response(JSON.stringify({ error }), { status: 409 });
    }
    if (init?.method === 'PUT') {
      items = JSON.parse(String(init.body)).items;
      put.push([...items]);
    }
    return new Response(JSON.stringify({ items }), { status: 200 });
  });
  return put;
}

async function open() {
  const client = new QueryClient({
    defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY, retry: false } },
  });
  client.setQueryData(planQuery(sessionId).queryKey, { items: [...plan] });
  render(
    <QueryClientProvider client={client}>
      <PlanPanel sessionId={sessionId} editable />
    </QueryClientProvider>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Edit the plan' }));
}

afterEach(() => vi.unstubAllGlobals());

const say = (items: readonly PlanItem[] | undefined) => items?.map(({ text, status }) => `${text} ${status}`);

describe('the plan by hand (L5, ux 13)', () => {
  it('L5: every change sends the whole list: words, state, order, a new step, one less', async () => {
    const put = serve();
    await open();
    await userEvent.type(screen.getByRole('textbox', { name: 'Step: Cut' }), ' twice{Enter}');
    await waitFor(() => expect(say(put.at(-1))).toEqual(['Measure active', 'Cut twice pending']));
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'State of Measure' }), 'done');
    await waitFor(() => expect(say(put.at(-1))).toEqual(['Measure done', 'Cut twice pending']));
    await userEvent.click(screen.getByRole('button', { name: 'Move Cut twice up' }));
    await waitFor(() => expect(say(put.at(-1))).toEqual(['Cut twice pending', 'Measure done']));
    await userEvent.type(screen.getByRole('textbox', { name: 'New step' }), 'Sand{Enter}');
    await waitFor(() => expect(say(put.at(-1))).toEqual(['Cut twice pending', 'Measure done', 'Sand pending']));
    await userEvent.click(screen.getByRole('button', { name: 'Remove Measure' }));
    await waitFor(() => expect(say(put.at(-1))).toEqual(['Cut twice pending', 'Sand pending']));
    expect(put).toHaveLength(5);
  });

  it('ux 13: after a removal the focus is at the next step, else the one before, else where a new one is written', async () => {
    serve();
    await open();
    const remove = (name: string) => screen.getByRole('button', { name: `Remove ${name}` });
    await userEvent.click(remove('Measure'));
    await waitFor(() => expect(document.activeElement).toBe(remove('Cut')));
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'New step' })));
  });

  it('L5: what the server refuses is said, and the list is the kept one again', async () => {
    serve(true);
    await open();
    await userEvent.click(screen.getByRole('button', { name: 'Remove Cut' }));
    expect((await screen.findByRole('alert')).textContent).toBe('The log is damaged here.');
    expect(await screen.findByRole('textbox', { name: 'Step: Cut' })).toBeDefined();
  });

  it('L5: a step without words stays what it was', async () => {
    const put = serve();
    await open();
    await userEvent.clear(screen.getByRole('textbox', { name: 'Step: Cut' }));
    await userEvent.tab();
    expect(screen.getByRole('textbox', { name: 'Step: Cut' })).toHaveProperty('value', 'Cut');
    expect(put).toEqual([]);
  });
});
