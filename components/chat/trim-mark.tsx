'use client';

import { Scissors } from 'lucide-react';
import { useState } from 'react';
import type { ContextMeter } from '@/server/contract/context';
import type { TrimMessage } from '@/server/contract/message';
import { Button } from '../ui/button';
import { formatBytes } from '../ui/format-bytes';
import { useChatScope } from './chat-context';
import { sayTrim } from './compaction-words';
import { useTravel } from './travel-context';
import { budgetOf, sayChange } from './use-show-again';

const shownItems = 40;

/** What taking it back comes to; the next message cuts again where it does not fit. */
function sayWhole(bytes: number, context: ContextMeter | null): string | undefined {
  if (context === null) return undefined;
  const after = context.usedBytes + Math.max(0, bytes);
  const again = after > context.budgetBytes ? ' The next message cuts again to fit.' : '';
  return `About ${formatBytes(context.usedBytes)} to ${formatBytes(after)} of ${formatBytes(context.budgetBytes)}.${again}`;
}

/** A cut, not a fold: parts were left out of the model's view to fit, and nothing was written about them (B6). */
export function TrimMark({ message }: { readonly message: TrimMessage }) {
  const { compact, jumpTo, actions } = useChatScope();
  const { travel, blocked, context } = useTravel();
  const [open, setOpen] = useState(false);
  const [said, setSaid] = useState<string | null>(null);
  const takeBack = async () => {
    if (!travel || blocked !== null) return setSaid(blocked);
    const answer = await travel.undoTrim(message.id);
    setSaid(answer.ok ? sayChange(answer.value.change, budgetOf(answer.value)) : answer.message);
  };
  const { items, before, after, lifted } = message.metadata;
  return (
    <article className="trim" aria-label="Left out to fit">
      <div className="trim-cut" aria-hidden>
        <Scissors size={16} strokeWidth={1.75} />
      </div>
      <div className="trim-body">
        <p className="flex items-baseline gap-3">
          <span className="font-[650]">
            {lifted
              ? 'Left out to fit until it was lifted; nothing was written about them'
              : 'Left out to fit, nothing was written about them'}
          </span>
          <span className="numbers ml-auto">{formatBytes(Math.max(0, before - after))}</span>
        </p>
        <p className="numbers text-ink-2">{sayTrim(message.metadata)}</p>
        <div className="flex flex-wrap gap-x-3">
          {actions && !lifted ? (
            <Button look="link" size="small" onClick={() => compact()}>
              Summarise these now
            </Button>
          ) : null}
          {travel && !lifted ? (
            <Button
              look="link"
              size="small"
              aria-disabled={blocked !== null}
              aria-label={blocked === null ? 'Take back' : `Take back: ${blocked}`}
              title={sayWhole(before - after, context)}
              onClick={() => void takeBack()}
            >
              Take back
            </Button>
          ) : null}
          <Button look="quiet" size="small" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? 'Hide them' : 'Show them'}
          </Button>
        </div>
        {said ? (
          <p role="status" className="text-small text-ink-2">
            {said}
          </p>
        ) : null}
        {open ? (
          <ol className="flex flex-wrap gap-x-2 gap-y-1">
            {items.slice(0, shownItems).map((id, index) => (
              <li key={id}>
                <Button look="link" size="small" onClick={() => jumpTo(id)}>
                  Item {index + 1}
                </Button>
              </li>
            ))}
            {items.length > shownItems ? (
              <li className="text-small text-ink-2">and {items.length - shownItems} more</li>
            ) : null}
          </ol>
        ) : null}
      </div>
    </article>
  );
}
