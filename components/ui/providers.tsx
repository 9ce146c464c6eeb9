'use client';

import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Appearance } from './appearance';
import { AppearanceProvider } from './appearance-provider';
import { KeyboardProvider } from './keyboard-provider';
import { LiveRegionProvider } from './live-region';
import { ToastProvider } from './toast';

function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // Events keep the cache right; a second guess at each focus would only cost requests.
      queries: { refetchOnWindowFocus: false, retry: false, staleTime: 10_000 },
    },
  });
}

export type ProvidersProps = { readonly appearance: Appearance; readonly children: ReactNode };

/** Everything the page's components reach through context. Style elements are off: the page's policy would refuse them. */
export function Providers({ appearance, children }: ProvidersProps) {
  const [client] = useState(makeQueryClient);
  return (
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={client}>
        <AppearanceProvider initial={appearance}>
          <KeyboardProvider>
            <LiveRegionProvider>
              <ToastProvider>{children}</ToastProvider>
            </LiveRegionProvider>
          </KeyboardProvider>
        </AppearanceProvider>
      </QueryClientProvider>
    </CSPProvider>
  );
}
