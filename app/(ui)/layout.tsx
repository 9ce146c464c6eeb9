import type { ReactNode } from 'react';
import { SessionsRail } from '@/components/sessions/sessions-rail';
import { ImportProvider } from '@/components/sessions/use-import';
import { AppShell } from '@/components/shell/app-shell';
import { EventStreamProvider } from '@/components/sync/event-stream-provider';

/** The shell around every page; moving between pages leaves the rail as it is. */
export default function UiLayout({ children }: { readonly children: ReactNode }) {
  return (
    <EventStreamProvider>
      <ImportProvider>
        <AppShell sessionsRail={<SessionsRail />} main={children} />
      </ImportProvider>
    </EventStreamProvider>
  );
}
