'use client';

import { useStartSession } from '../first-run/use-start-session';
import { ImportButton } from '../sessions/import-button';
import { Button } from '../ui/button';
import { TrashList } from './trash-list';

/** The bundled conversation, for whoever began with something else (N3). */
function SampleRow() {
  const { starting, problem, openSample } = useStartSession();
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line py-3">
      <div className="min-w-48 flex-1">
        <h3 className="title-3">Sample conversation</h3>
        <p className="max-w-[30rem] text-[0.8125rem] text-ink-2">
          300 messages with two summaries, written by hand, to look at and to try compacting on. Each time it is opened,
          a new copy becomes one of your conversations.
        </p>
        {problem === null ? null : (
          <p role="alert" className="text-small text-danger">
            {problem}
          </p>
        )}
      </div>
      <Button disabled={starting} onClick={() => void openSample()}>
        Open the sample
      </Button>
    </div>
  );
}

export function DataSection() {
  return (
    <>
      <SampleRow />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line py-3">
        <div className="min-w-48 flex-1">
          <h3 className="title-3">Import</h3>
          <p className="max-w-[30rem] text-[0.8125rem] text-ink-2">
            Conversations of this application or of Claude Code, as JSONL. Compactions in them become summaries you can
            open. A file can also be dropped anywhere on the page.
          </p>
        </div>
        <ImportButton />
      </div>
      <div className="border-b border-line py-3">
        <h3 className="title-3">Export</h3>
        <p className="max-w-[30rem] text-[0.8125rem] text-ink-2">
          Each conversation is exported from its row in the list. Its log in the data directory is plain JSONL.
        </p>
      </div>
      <TrashList />
    </>
  );
}
