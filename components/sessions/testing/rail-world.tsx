import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime';
import { PathnameContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime';
import type { ReactElement } from 'react';
import { vi } from 'vitest';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** What was sent, read; undefined where nothing was. */
  readonly body?: unknown;
}

/** A server in a few lines: what it is asked is noted, what it answers is the test's. */
export function serve(answer: (asked: Asked) => unknown): readonly Asked[] {
  const asked: Asked[] = [];
  vi.stubGlobal('fetch', async (address: string, init?: RequestInit) => {
    const url = new URL(address, 'http://here');
    const one = {
      method: init?.method ?? 'GET',
      path: url.pathname.replace(/^\/v1/, ''),
      query: Object.fromEntries(url.searchParams),
      body: typeof init?.body === 'string' ? JSON.parse(init.body) : undefined,
    };
    asked.push(one);
    const body = await answer(one);
    return body instanceof Response ? body : Response.json(body);
  });
  return asked;
}

/** Renders with what a page has around it; gives where it was sent. */
export function renderInPage(element: ReactElement, pathname = '/'): { readonly went: readonly string[] } {
  const went: string[] = [];
  const stay = () => undefined;
  const router = {
    push: (href: string) => void went.push(href),
    replace: stay,
    back: stay,
    forward: stay,
    refresh: stay,
    hmrRefresh: stay,
    prefetch: stay,
    bfcacheId: '',
    experimental_gesturePush: stay,
  };
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <AppRouterContext value={router}>
      <PathnameContext value={pathname}>
        <QueryClientProvider client={client}>{element}</QueryClientProvider>
      </PathnameContext>
    </AppRouterContext>,
  );
  return { went };
}
