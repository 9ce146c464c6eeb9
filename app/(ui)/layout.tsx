import type { ReactNode } from 'react';
import { SessionsRail } from '@/components/sessions/sessions-rail';
import { ImportProvider } from '@/components/sessions/use-import';
import { AppShell } from '@/components/shell/app-shell';
import { EventStreamProvider } from '@/components/sync/event-stream-provider';
import { Prefetched } from './prefetched';

type UiLayoutProps = {
  readonly children: ReactNode;
  /** What lies over the page with an address of its own: the settings. */
  readonly modal?: ReactNode;
};

/** The shell around every page; moving between pages leaves the rail as it is. */
export default function UiLayout({ children, modal }: UiLayoutProps) {
  const rail = (
    <Prefetched wanted="sessions">
      <SessionsRail />
    </Prefetched>
  );
  return (
    <EventStreamProvider>
      <ImportProvider>
        <AppShell sessionsRail={rail} main={children} overlay={modal} />
      </ImportProvider>
    </EventStreamProvider>
  );
}
