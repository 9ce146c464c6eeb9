import type { ReactNode } from 'react';
import { SessionsRail } from '@/components/sessions/sessions-rail';
import { ImportProvider } from '@/components/sessions/use-import';
import { AppShell } from '@/components/shell/app-shell';

/** The shell around every page; moving between pages leaves the rail as it is. */
export default function UiLayout({ children }: { readonly children: ReactNode }) {
  return (
    <ImportProvider>
      <AppShell sessionsRail={<SessionsRail />} main={children} />
    </ImportProvider>
  );
}
