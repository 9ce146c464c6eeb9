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
import { useSpeak } from '../ui/live-region';
import { useChatScope } from './chat-context';
import { CopyButton } from './copy-button';
import { copyText } from './copy-text';
import { useTravel } from './travel-context';
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
  const { messageId, text, foldable, newest, edit, againFrom, covered, children } = props;
  const { actions, sessionId } = useChatScope();
  const scope = useTravel();
  const { travel, blocked } = scope;
  const [said, setSaid] = useState<string | null>(null);
  const [going, setGoing] = useState(false);
  const bar = useRef<HTMLDivElement>(null);
  const speak = useSpeak();
  const showing = useShowAgain(covered ?? null, setSaid);
  const onKeyDown = useRoving(bar);
  const copyLink = async () => {
    const done = await copyText(`${location.origin}/c/${sessionId}?m=${messageId}`);
    speak(done ? 'Link copied' : 'The browser did not allow copying');
  };
  const run = async (act: () => Promise<string | null>) => {
    if (going) return;
    setGoing(true);
    setSaid(await act());
    setGoing(false);
  };
  const goBack = async () => {
    const answer = await travel?.revert(scope.lastItemOf(messageId));
    if (answer?.ok) speak('You went back. Nothing is lost.');
    return answer && !answer.ok ? answer.message : null;
  };
  const tryAgain = async (from: string) => {
    if (!travel) return null;
    const point = await scope.pointBefore(from);
    if (point === undefined) return 'What comes before this could not be read.';
    scope.tell(null);
    const answer = await travel.tryAgain(point);
    if (answer.moved && point !== null) scope.land({ id: point, on: 'message' });
    if (answer.ok) return null;
    // The head has moved and this message left the page with it: what went wrong is said where it is still seen.
    if (answer.moved) scope.tell(answer.message);
    return answer.message;
  };
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
          {travel && edit ? (
            <Tool
              icon={Pencil}
              label="Edit"
              command="editMessage"
              does="edit"
              reason={blocked ?? edit.reason}
              onRefuse={setSaid}
              onAct={edit.open}
            />
          ) : null}
          {travel && againFrom ? (
            <Tool
              icon={RotateCcw}
              label="Try again"
              command="tryAgain"
              does="again"
              reason={blocked}
              onRefuse={setSaid}
              onAct={() => void run(() => tryAgain(againFrom))}
            />
          ) : null}
          {travel ? (
            <Tool
              icon={Undo2}
              label="Go back to here"
              reason={blocked ?? (newest ? 'The conversation ends here already.' : null)}
              onRefuse={setSaid}
              onAct={() => void run(goBack)}
            />
          ) : null}
          {travel ? (
            <Tool
              icon={GitBranch}
              label="Branch from here"
              reason={null}
              onRefuse={setSaid}
              onAct={() => void run(() => scope.branchFrom(scope.lastItemOf(messageId)))}
            />
          ) : null}
          {travel && covered && scope.inForce ? (
            <Tool
              icon={showing.shown ? FoldVertical : UnfoldVertical}
              label={
                showing.shown
                  ? 'Take this part out of the model’s view again'
                  : `Put this part back into the model’s view (${formatBytes(covered.bytes)})`
              }
              reason={blocked}
              onRefuse={setSaid}
              onAct={() => void run(showing.toggle)}
            />
          ) : null}
          <IconButton icon={Link2} label="Copy link" size="small" iconSize={16} onClick={() => void copyLink()} />
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
      {said ? (
        <p role="status" className="message-said">
          {said}
        </p>
      ) : null}
    </>
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
