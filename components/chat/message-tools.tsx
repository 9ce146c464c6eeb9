'use client';

import {
  FoldVertical,
  GitBranch,
  Link2,
  type LucideIcon,
  Pencil,
  RotateCcw,
  Undo2,
  UnfoldVertical,
} from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import type { Part } from '../sync/travel-actions';
import { formatBytes } from '../ui/format-bytes';
import { IconButton } from '../ui/icon-button';
import type { CommandId } from '../ui/keyboard-catalogue';
import { useChatScope } from './chat-context';
import { CopyButton } from './copy-button';
import { useTravel } from './travel-context';
import { type MessageActs, useMessageActs } from './use-message-acts';
import { useShowAgain } from './use-show-again';

export type MessageToolsProps = {
  readonly messageId: string;
  readonly text: () => string;
  /** Whether "Compact up to here" makes sense: not for what is covered already. */
  readonly foldable: boolean;
  /** Nothing follows it. */
  readonly newest: boolean;
  /** Opens the editor of a message of one's own; `reason`: why it cannot be edited. */
  readonly edit?: { readonly open: () => void; readonly reason: string | null };
  /** The first message of a reply, to be tried again. */
  readonly againFrom?: string;
  /** What a summary covers of it, to be put back into the model's view. */
  readonly covered?: { readonly part: Part; readonly bytes: number };
  /** Stands before the tools, always in sight. */
  readonly children?: ReactNode;
};

/** One tab stop; arrows move inside. Seen on hover and focus, and always where there is no pointer. */
export function MessageTools(props: MessageToolsProps) {
  const { messageId, text, foldable, covered, children } = props;
  const { actions } = useChatScope();
  const { travel } = useTravel();
  const acts = useMessageActs(messageId);
  const showing = useShowAgain(covered ?? null);
  const bar = useRef<HTMLDivElement>(null);
  const onKeyDown = useRoving(bar);
  return (
    <>
      <div className="message-foot">
        {children}
        <div
          ref={bar}
          role="toolbar"
          aria-label="Actions for this message"
          className="message-tools"
          onKeyDown={onKeyDown}
        >
          <CopyButton text={text} label="Copy message" />
          {travel ? <TravelTools {...props} acts={acts} /> : null}
          {travel && covered ? <ShowAgainTool bytes={covered.bytes} showing={showing} acts={acts} /> : null}
          <IconButton icon={Link2} label="Copy link" size="small" iconSize={16} onClick={acts.copyLink} />
          {foldable && actions ? (
            <IconButton
              icon={FoldVertical}
              label="Compact up to here"
              size="small"
              iconSize={16}
              onClick={() => actions.compact({ upToItemId: messageId })}
            />
          ) : null}
        </div>
      </div>
      {showing.shown ? <p className="message-said">In the model’s view again.</p> : null}
      {/* No region of its own: it is spoken by that of the page, which stands there from the start. */}
      {acts.said ? <p className="message-said">{acts.said}</p> : null}
    </>
  );
}

type TravelToolsProps = Pick<MessageToolsProps, 'newest' | 'edit' | 'againFrom'> & { readonly acts: MessageActs };

function TravelTools({ newest, edit, againFrom, acts }: TravelToolsProps) {
  const { blocked } = useTravel();
  return (
    <>
      {edit ? (
        <Tool
          icon={Pencil}
          label="Edit"
          command="editMessage"
          does="edit"
          reason={blocked ?? edit.reason}
          onRefuse={acts.refuse}
          onAct={edit.open}
        />
      ) : null}
      {againFrom ? (
        <Tool
          icon={RotateCcw}
          label="Try again"
          command="tryAgain"
          does="again"
          reason={blocked}
          onRefuse={acts.refuse}
          onAct={() => acts.tryAgain(againFrom)}
        />
      ) : null}
      <Tool
        icon={Undo2}
        label="Go back to here"
        reason={blocked ?? (newest ? 'The conversation ends here already.' : null)}
        onRefuse={acts.refuse}
        onAct={acts.goBack}
      />
      <Tool icon={GitBranch} label="Branch from here" reason={null} onRefuse={acts.refuse} onAct={acts.branch} />
    </>
  );
}

type ShowAgainToolProps = {
  readonly bytes: number;
  readonly showing: ReturnType<typeof useShowAgain>;
  readonly acts: MessageActs;
};

/** One part of what a summary covers, into the model's view and out of it again (X5). */
function ShowAgainTool({ bytes, showing, acts }: ShowAgainToolProps) {
  const { blocked, inForce } = useTravel();
  if (inForce === null) return null;
  const put = `Put this part back into the model’s view (${formatBytes(bytes)})`;
  return (
    <Tool
      icon={showing.shown ? FoldVertical : UnfoldVertical}
      label={showing.shown ? 'Take this part out of the model’s view again' : put}
      reason={blocked}
      onRefuse={acts.refuse}
      onAct={() => acts.run(showing.toggle)}
    />
  );
}

type ToolProps = {
  readonly icon: LucideIcon;
  readonly label: string;
  readonly command?: CommandId;
  /** How keys find it. */
  readonly does?: string;
  readonly reason: string | null;
  readonly onAct: () => void;
  readonly onRefuse: (reason: string) => void;
};

/** Never `disabled`: it stays reachable, its name says why it would do nothing, and pressing it says so in place. */
function Tool({ icon, label, command, does, reason, onAct, onRefuse }: ToolProps) {
  return (
    <IconButton
      icon={icon}
      label={reason === null ? label : `${label}: ${reason}`}
      command={command}
      size="small"
      iconSize={16}
      data-do={does}
      aria-disabled={reason !== null}
      onClick={() => (reason === null ? onAct() : onRefuse(reason))}
    />
  );
}

/** Roving focus: the bar is one tab stop, whatever stands in it now. */
function useRoving(bar: { readonly current: HTMLDivElement | null }) {
  const [at, setAt] = useState(0);
  const list = () => [...(bar.current?.querySelectorAll('button') ?? [])];
  useLayoutEffect(() => {
    const buttons = list();
    const stop = Math.min(at, buttons.length - 1);
    buttons.forEach((button, index) => {
      button.tabIndex = index === stop ? 0 : -1;
    });
  });
  return (event: KeyboardEvent) => {
    const buttons = list();
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0 || buttons.length === 0) return;
    event.preventDefault();
    const active = document.activeElement;
    const from = active instanceof HTMLButtonElement ? buttons.indexOf(active) : -1;
    const next = ((from === -1 ? at : from) + step + buttons.length) % buttons.length;
    setAt(next);
    buttons[next]?.focus();
  };
}
