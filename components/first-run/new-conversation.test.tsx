import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { SearchParamsContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Agent } from '@/server/contract/agent';
import type { Provider } from '@/server/contract/provider';
import { buildSession } from '../sessions/testing/build-session';
import { renderInPage } from '../sessions/testing/rail-world';
import { aModelInfo } from '../settings/testing/a-model-info';
import { NewConversation, type NewConversationProps } from './new-conversation';

const held = { baseUrl: null, hasKey: false, apiKeyEnv: null, options: {}, builtIn: false } as const;
const local: Provider = {
  ...held,
  id: 'local',
  kind: 'openai-compatible',
  name: 'Local server',
  keyFrom: 'none',
  headerNames: [],
  state: 'ready',
  models: [{ id: 'tide-small' }, { id: 'tide-large' }],
};
const practice: Provider = {
  ...local,
  id: 'practice',
  kind: 'embedded',
  name: 'Practice model',
  models: [{ id: 'rules-1' }],
};

const content: Agent['draft'] = {
  name: 'Guide',
  purpose: '',
  instructions: '',
  openers: [],
  model: null,
  fallbacks: [],
  skills: [],
  tools: [],
  settings: {},
};
const now = '2026-11-20T08:00:00.000Z';
const agent: Agent = {
  id: '01J0000000000000000000000G',
  current: 1,
  revision: 1,
  draftChanged: false,
  createdAt: now,
  updatedAt: now,
  draft: content,
  published: content,
  conversations: 0,
  behind: 0,
  isDefault: true,
};
const info = (model: string) =>
  aModelInfo({
    provider: 'local',
    model,
    label: model,
    providerName: 'Local server',
    kind: 'openai-compatible',
    windowTokens: null,
    budgetBytes: 100_000,
  });

let sent: { readonly path: string; readonly body: unknown }[] = [];
beforeEach(() => {
  sent = [];
  // A page with a mouse; jsdom has no media.
  vi.stubGlobal('matchMedia', () => new EventTarget());
  vi.stubGlobal('fetch', async (address: string, init?: RequestInit) => {
    const path = address.replace(/^\/v1|\?.*$/g, '');
    if (init?.method === 'POST') sent.push({ path, body: JSON.parse(String(init.body)) });
    if (path === '/agents') return Response.json({ agents: [agent] });
    if (path === '/models')
      return Response.json({ models: [info('tide-small'), info('tide-large')], truncated: false });
    return Response.json(buildSession(1));
  });
});
afterEach(() => vi.unstubAllGlobals());

function open(props: NewConversationProps): void {
  renderInPage(
    <SearchParamsContext value={new URLSearchParams()}>
      <NewConversation {...props} />
    </SearchParamsContext>,
  );
}
const model = () => screen.findByRole('button', { name: /^Model:/ });

describe('the page of a new conversation', () => {
  it('N4: says what was connected and which model will answer, and takes the focus into the composer', async () => {
    open({ providers: [local, practice], news: { name: 'Local server', models: 2 } });
    expect(await model()).toHaveAccessibleName('Model: tide-small');
    expect(screen.getByText('Connected: Local server, 2 models.')).toBeVisible();
    expect(screen.getByRole('textbox', { name: 'Message Guide' })).toHaveFocus();
    expect(screen.queryByText(/not an AI/)).toBeNull();
  });

  it('N2: says that the practice model is none, where nothing else answers', async () => {
    open({ providers: [practice], news: null });
    expect(await model()).toHaveAccessibleName('Model: rules-1');
    expect(screen.getByText(/Practice model, not an AI/)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Connect a model' })).toHaveAttribute('href', '/settings/models');
  });

  it('sends the model that was chosen', async () => {
    open({ providers: [local], news: null });
    await userEvent.click(await model());
    await userEvent.click(await screen.findByRole('option', { name: /tide-large/ }));
    expect(await model()).toHaveAccessibleName('Model: tide-large');
    await userEvent.type(screen.getByRole('textbox', { name: 'Message Guide' }), 'Hello{Enter}');
    await waitFor(() =>
      expect(sent[0]?.body).toEqual({ agentId: agent.id, model: { provider: 'local', model: 'tide-large' } }),
    );
  });

  it('leaves the choice to the agent where nobody chose', async () => {
    open({ providers: [local], news: null });
    await model();
    await userEvent.type(screen.getByRole('textbox', { name: 'Message Guide' }), 'Hello{Enter}');
    await waitFor(() => expect(sent[0]).toEqual({ path: '/agent-sessions', body: { agentId: agent.id } }));
  });
});
