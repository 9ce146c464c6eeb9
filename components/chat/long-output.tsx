'use client';

import { useState } from 'react';
import { messageSchema } from '@/server/contract/message';
import { callApi, toMessage } from '../sync/api-client';
import { Button } from '../ui/button';
import { useChatScope } from './chat-context';
import { CopyButton } from './copy-button';

export const clippedLines = 24;

export type LongOutputProps = {
  readonly text: string;
  /** The page carried only its head; the whole is read when it is wanted. */
  readonly clipped: boolean;
  readonly itemId: string | null;
  readonly tone?: 'plain' | 'danger';
};

/** A long text in 24 lines, all of it on demand. */
export function LongOutput({ text, clipped, itemId, tone = 'plain' }: LongOutputProps) {
  const { sessionId } = useChatScope();
  const [open, setOpen] = useState(false);
  const [whole, setWhole] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const full = whole ?? text;
  const lines = full.replace(/\n$/, '').split('\n');
  const long = clipped || lines.length > clippedLines;
  const shown = open || !long ? full : lines.slice(0, clippedLines).join('\n');
  const openAll = async () => {
    if (clipped && whole === null && itemId !== null) {
      try {
        const item = await callApi(`/agent-sessions/${sessionId}/items/${itemId}`, { schema: messageSchema });
        const part = item.parts[0];
        if (part?.type === 'tool_result') setWhole(part.output);
      } catch (thrown) {
        setProblem(toMessage(thrown));
        return;
      }
    }
    setOpen(true);
  };
  return (
    <div className="step-output" data-tone={tone}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll by keyboard too. */}
      <pre tabIndex={0}>{shown}</pre>
      {long ? (
        <Button look="link" size="small" aria-expanded={open} onClick={() => (open ? setOpen(false) : void openAll())}>
          {open ? 'Show less' : clipped && whole === null ? 'Show all of it' : `Show all ${lines.length} lines`}
        </Button>
      ) : null}
      <CopyButton text={() => full} label="Copy output" />
      {problem ? (
        <p role="alert" className="text-small text-danger">
          {problem}
        </p>
      ) : null}
    </div>
  );
}
