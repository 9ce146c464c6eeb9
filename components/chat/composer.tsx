'use client';

import { CornerDownLeft, Square } from 'lucide-react';
import {
  type ChangeEvent,
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { SendOutcome } from '../sync/actions';
import { makeId } from '../sync/make-id';
import { Button } from '../ui/button';
import { useKeyboard } from '../ui/keyboard-provider';
import { useSpeak } from '../ui/live-region';
import { ComposerNotice, type ComposerProblem } from './composer-notice';
import { readCommand, readSlash, type SlashCommand } from './slash-commands';
import { SlashMenu } from './slash-menu';
import { type ServerDraft, useDraft } from './use-draft';
import { useSlashMenu } from './use-slash-menu';
import { useStopKeys } from './use-stop-keys';

export interface ComposerHandle {
  readonly focus: () => void;
  /** Adds words behind what stands there. */
  readonly insert: (text: string) => void;
}

export type ComposerProps = {
  /** Whose words these are: a conversation's id, or `new`. Give the composer this as its `key` too. */
  readonly draftKey: string;
  /** The copy on the server; null where there is no conversation yet. */
  readonly server: ServerDraft | null;
  readonly placeholder: string;
  readonly commands: readonly SlashCommand[];
  /** What runs now: Send becomes Queue. Beside it stands Stop for a reply; a compaction has its own in its row and the slot. */
  readonly busy: 'replying' | 'compacting' | null;
  /** Stop was pressed; its button says so until the reply has ended. */
  readonly stopping?: boolean;
  /** Why nothing can be sent although there are words; null when it can. */
  readonly reason: string | null;
  /** Answers when the server has it or has refused it; refused words come back. */
  readonly onSend: (text: string, clientMessageId: string) => Promise<SendOutcome>;
  readonly onStop?: () => void;
  /** Mod+Enter while something runs: stop it, then send. */
  readonly onStopAndSend?: (text: string, clientMessageId: string) => Promise<SendOutcome>;
  /** The last words sent, for Up in an empty field. */
  readonly lastSent?: () => string | null;
  /** Left in the foot: model picker and such. Right: the meter. */
  readonly tools?: ReactNode;
  readonly meter?: ReactNode;
  readonly handle?: RefObject<ComposerHandle | null>;
  readonly autoFocus?: boolean;
};

/** 1 to 12 lines, then it scrolls. */
function useGrowing(text: string) {
  const field = useRef<HTMLTextAreaElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text.
  useLayoutEffect(() => {
    const area = field.current;
    if (!area) return;
    area.style.height = 'auto';
    area.style.height = `${area.scrollHeight}px`;
  }, [text]);
  return field;
}

/**
 * Where a person writes. Enter sends or queues, Shift+Enter breaks the line, a composing input method is never disturbed
 * (ux 10, case-E04). What runs elsewhere never makes typing wait.
 */
export function Composer(props: ComposerProps) {
  const {
    draftKey,
    server,
    placeholder,
    commands,
    busy,
    stopping = false,
    reason,
    onSend,
    onStop,
    onStopAndSend,
    lastSent,
  } = props;
  const draft = useDraft(draftKey, server);
  const field = useGrowing(draft.text);
  const { match } = useKeyboard();
  const speak = useSpeak();
  const [problem, setProblem] = useState<ComposerProblem | null>(null);
  const [recalled, setRecalled] = useState(false);

  const runCommand = (command: SlashCommand, argument: string) => {
    const refusal = command.reason ?? command.refuse?.(argument) ?? null;
    if (refusal !== null) return setProblem({ kind: 'command', text: `/${command.name}: ${refusal}` });
    setProblem(null);
    draft.change('');
    command.run(argument);
  };
  const slash = useSlashMenu({ text: draft.text, commands, change: draft.change, run: runCommand, field });
  const stopKeys = useStopKeys({ busy: busy !== null, onStop, speak });

  const blocked = draft.text.trim() === '' ? 'Write something first' : reason;

  const send = async (how: typeof onSend) => {
    if (blocked !== null) return;
    const found = readCommand(draft.text, commands);
    if (found) return runCommand(found.command, found.argument);
    const typed = draft.text;
    const read = readSlash(typed);
    const words = read.kind === 'text' ? read.text : typed;
    const clientMessageId = makeId();
    setProblem(null);
    setRecalled(false);
    draft.take(clientMessageId);
    const outcome = await how(words, clientMessageId);
    if (outcome.ok) return draft.sent(clientMessageId);
    const back = draft.giveBack(clientMessageId, typed);
    setProblem({ kind: back ? 'back' : 'kept', text: outcome.message, words: typed });
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void send(onSend);
  };
  const onChange = (event: ChangeEvent<HTMLTextAreaElement>) => {
    setRecalled(false);
    draft.change(event.target.value);
  };
  const recall = (event: KeyboardEvent) => {
    const last = draft.text === '' ? lastSent?.() : null;
    if (event.key === 'ArrowUp' && last) {
      event.preventDefault();
      setRecalled(true);
      draft.change(last);
    } else if (event.key === 'ArrowDown' && recalled) {
      event.preventDefault();
      setRecalled(false);
      draft.change('');
    }
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // 229 is what old engines say while an input method composes.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    if (slash.onKeyDown(event) || stopKeys(event)) return;
    if (match(event, ['sendNow']) !== null && busy !== null && onStopAndSend) {
      event.preventDefault();
      void send(onStopAndSend);
    } else if (match(event, ['send']) !== null) {
      event.preventDefault();
      void send(onSend);
    } else recall(event);
  };

  useImperativeHandle(props.handle, () => ({
    focus: () => field.current?.focus(),
    insert: (text) => {
      draft.change(draft.text.trim() === '' ? text : `${draft.text}\n\n${text}`);
      field.current?.focus();
    },
  }));

  return (
    <form
      id="composer"
      aria-label="Composer"
      data-region=""
      tabIndex={-1}
      className="composer-form"
      onSubmit={onSubmit}
    >
      {problem ? (
        <ComposerNotice
          problem={problem}
          onTakeBack={(words) => {
            draft.change(draft.text.trim() === '' ? words : `${words}\n\n${draft.text}`);
            setProblem(null);
          }}
          onClose={() => setProblem(null)}
        />
      ) : null}
      <div className="composer">
        <textarea
          ref={field}
          {...slash.inputProps}
          aria-label="Message"
          data-region-focus=""
          // biome-ignore lint/a11y/noAutofocus: the page of a new conversation is there to be written on.
          autoFocus={props.autoFocus}
          rows={1}
          placeholder={placeholder}
          value={draft.text}
          onChange={onChange}
          onKeyDown={onKeyDown}
          onSelect={slash.onCaret}
          onBlur={slash.onBlur}
        />
        {slash.form ? <p className="composer-form-line">{slash.form}</p> : null}
        <div className="composer-foot">
          <div className="flex min-w-0 items-center gap-1">{props.tools}</div>
          <div className="ml-auto flex shrink-0 items-center gap-2">
            {props.meter}
            {busy === 'replying' && onStop ? (
              <Button
                aria-label={stopping ? 'Stopping the reply' : 'Stop the reply'}
                aria-disabled={stopping}
                onClick={stopping ? undefined : onStop}
              >
                <Square aria-hidden size={14} strokeWidth={1.75} />
                <span className="max-phone:sr-only">{stopping ? 'Stopping…' : 'Stop'}</span>
              </Button>
            ) : null}
            <SendButton busy={busy !== null} blocked={blocked} />
          </div>
        </div>
      </div>
      {slash.open ? <SlashMenu warned={slash.warned} rows={slash.rows} combobox={slash.combobox} /> : null}
    </form>
  );
}

/** Never `disabled`: it stays reachable, and its name says why it would do nothing. */
function SendButton({ busy, blocked }: { readonly busy: boolean; readonly blocked: string | null }) {
  const word = busy ? 'Queue' : 'Send';
  return (
    <Button
      type="submit"
      look="primary"
      aria-disabled={blocked !== null}
      aria-label={blocked === null ? word : `${word}: ${blocked}`}
      title={blocked ?? undefined}
    >
      {word}
      {busy ? null : <CornerDownLeft aria-hidden size={14} strokeWidth={1.75} />}
    </Button>
  );
}
