'use client';

import { PageFrame } from '@/components/shell/main-header';
import { Button } from '@/components/ui/button';

/** A page that could not be drawn; the shell around it stays. What was typed is in its draft. */
export default function PageError({ reset }: { readonly error: Error; readonly reset: () => void }) {
  return (
    <PageFrame title="This page could not be shown">
      <div className="mx-auto max-w-(--prose) p-8">
        <p className="record mb-4 text-record">
          Something went wrong while drawing it. Nothing was changed on the server.
        </p>
        <Button onClick={reset}>Try again</Button>
      </div>
    </PageFrame>
  );
}
