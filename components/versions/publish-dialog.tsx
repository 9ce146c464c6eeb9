'use client';

import { type FormEvent, useId, useRef, useState } from 'react';
import { toMessage } from '../sync/api-client';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { Field, TextInput } from '../ui/field';

export type PublishDialogProps = {
  readonly open: boolean;
  readonly version: number;
  readonly name: string;
  /** What publishing does to conversations, in one sentence. */
  readonly effect: string;
  readonly initialNote?: string;
  readonly onPublish: (note: string) => Promise<void>;
  readonly onClose: () => void;
};

/** One line of note and the effect, said before it happens. A refusal stays in the dialog with the note kept. */
export function PublishDialog(props: PublishDialogProps) {
  const { open, version, name, onClose } = props;
  const field = useRef<HTMLInputElement>(null);
  return (
    <Dialog open={open} onClose={onClose} title={`Publish v${version}`} note={name} width="small" initialFocus={field}>
      <PublishForm {...props} fieldRef={field} />
    </Dialog>
  );
}

type PublishFormProps = PublishDialogProps & { readonly fieldRef: React.RefObject<HTMLInputElement | null> };

function PublishForm({ version, effect, initialNote = '', onPublish, onClose, fieldRef }: PublishFormProps) {
  const [note, setNote] = useState(initialNote);
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const effectId = useId();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (sending) return;
    setSending(true);
    setProblem(null);
    try {
      await onPublish(note.trim());
      onClose();
    } catch (thrown) {
      setProblem(toMessage(thrown));
    }
    setSending(false);
  };
  return (
    <form className="flex flex-col gap-4" onSubmit={submit}>
      <Field label="What changed, in one line" error={problem}>
        {(control) => (
          <TextInput
            {...control}
            ref={fieldRef}
            maxLength={160}
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
        )}
      </Field>
      <p id={effectId} className="text-ink-2">
        {effect}
      </p>
      <div className="flex justify-end gap-2">
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" look="primary" disabled={sending} aria-describedby={effectId}>
          Publish v{version}
        </Button>
      </div>
    </form>
  );
}
