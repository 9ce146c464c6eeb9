'use client';

import { memo } from 'react';
import type { Message } from '@/server/contract/message';
import { StitchMark } from '../ui/own-marks';
import { wordAside } from './aside-words';
import { useChatScope } from './chat-context';
import { textOfUser } from './user-block';

/** More ticks than this could not be told apart; the newest are shown. */
const mostTicks = 60;

type Tick = { readonly id: string; readonly kind: 'turn' | 'fold'; readonly label: string };

export function toTicks(messages: readonly Message[]): readonly Tick[] {
  return messages.flatMap((message): Tick[] => {
    if (message.role === 'user' && !message.metadata.queued) {
      const { kind } = message.metadata;
      if (kind === 'injected') return [];
      const text = textOfUser(message);
      const label = (wordAside(kind, text)?.line ?? text).replace(/\s+/g, ' ').slice(0, 80);
      return [{ id: message.id, kind: 'turn', label: label === '' ? 'Attachment' : label }];
    }
    if (message.role === 'summary' && !message.metadata.reverted) {
      return [{ id: message.id, kind: 'fold', label: 'Summary' }];
    }
    return [];
  });
}

export type TurnNavigatorProps = { readonly messages: readonly Message[] };

/** One tick a turn and one stitch a fold, at the right of the sheet; a tick goes there (ux 5). */
export const TurnNavigator = memo(function TurnNavigator({ messages }: TurnNavigatorProps) {
  const { jumpTo } = useChatScope();
  const ticks = toTicks(messages).slice(-mostTicks);
  if (ticks.length < 3) return null;
  return (
    <nav aria-label="Turns" className="navigator">
      {ticks.map((tick, index) => (
        <button
          key={tick.id}
          type="button"
          tabIndex={index === ticks.length - 1 ? 0 : -1}
          title={tick.label}
          aria-label={tick.kind === 'fold' ? 'Go to a summary' : `Go to: ${tick.label}`}
          data-kind={tick.kind}
          aria-current={index === ticks.length - 1 ? 'true' : undefined}
          onClick={() => jumpTo(tick.id)}
        >
          {tick.kind === 'fold' ? <StitchMark width={18} height={9} className="text-heather" /> : null}
        </button>
      ))}
    </nav>
  );
});
