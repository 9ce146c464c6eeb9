'use client';

import { CornerDownLeft } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, type ReactNode, type RefObject, useEffect } from 'react';
import { Button } from '../ui/button';
import { useCommand } from '../ui/keyboard-provider';

export type StartComposerProps = {
  readonly fieldRef: RefObject<HTMLTextAreaElement | null>;
  readonly agentName: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly sending: boolean;
  /** Why the text was not sent; it stays in the field. */
  readonly problem: string | null;
  readonly onSend: () => void;
  /** Left in the foot: which model will answer. */
  readonly foot?: ReactNode;
};

/**
 * The page is there to be written on, so its field takes the focus: not on a phone, where the keyboard would cover the page,
 * and not from a control of this page or from a dialog.
 */
function mayTakeFocus(): boolean {
  if (window.matchMedia('(pointer: coarse)').matches) return false;
  return document.activeElement?.closest('main *, [role="dialog"]') == null;
}

/** The composer of a conversation that does not exist yet: the same sheet, without queue, meter and commands. */
export function StartComposer(props: StartComposerProps) {
  const { fieldRef, agentName, text, onText, sending, problem, onSend, foot } = props;
  useCommand('focusComposer', () => fieldRef.current?.focus());
  useEffect(() => {
    if (mayTakeFocus()) fieldRef.current?.focus();
  }, [fieldRef]);
  const empty = text.trim() === '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!empty && !sending) onSend();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter while an input method composes belongs to the input method (case: IME).
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    submit(event);
  };
  return (
    <form
      id="composer"
      tabIndex={-1}
      data-region=""
      aria-label="Composer"
      onSubmit={submit}
      className="rounded-composer border border-line-strong bg-raised focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-focus"
    >
      <textarea
        ref={fieldRef}
        data-region-focus=""
        aria-label={`Message ${agentName}`}
        placeholder={`Message ${agentName}`}
        rows={2}
        className="field-sizing-content block max-h-[19.5rem] min-h-[4.25rem] w-full resize-none bg-transparent px-5 pt-3.5 text-[1rem] leading-[1.625rem] font-[400] outline-none!"
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {problem ? (
        <p role="alert" className="px-5 pb-1 text-danger">
          {problem}
        </p>
      ) : null}
      <div className="flex min-h-[2.875rem] items-center gap-2 px-1.5 pb-1.5 pl-3.5">
        {foot}
        <Button
          type="submit"
          look="primary"
          className="ml-auto"
          disabled={empty || sending}
          aria-label={empty ? 'Send, write something first' : sending ? 'Sending' : 'Send'}
        >
          Send
          <CornerDownLeft aria-hidden size={14} strokeWidth={1.75} />
        </Button>
      </div>
    </form>
  );
}
