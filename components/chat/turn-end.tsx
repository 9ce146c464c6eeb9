'use client';

import { CircleAlert, CircleSlash, TriangleAlert } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import type { NoteMessage } from '@/server/contract/message';
import { Button } from '../ui/button';
import { useChatScope } from './chat-context';
import { ErrorDetails } from './error-details';
import { type EndAction, type EndWords, wordNote, wordTurnEnd } from './turn-reasons';

const icons = { quiet: CircleSlash, warn: TriangleAlert, danger: CircleAlert } as const;
const labels = {
  continue: 'Continue',
  keys: 'Open keys',
  model: 'Use another model',
  compact: 'Compact',
  settings: 'Open settings',
} as const satisfies Record<EndAction, string>;

function readEnd(note: NoteMessage): EndWords | null {
  const { turn } = note.metadata;
  if (turn) return wordTurnEnd(turn);
  return note.metadata.kind === 'interrupted' ? wordTurnEnd({ outcome: 'interrupted', code: null }) : null;
}

export type TurnEndProps = {
  readonly note: NoteMessage;
  /** Only at the end of the conversation is there something to continue. */
  readonly newest: boolean;
};

/** Why a reply ended as it did, under it (T3, T4): what happened, what is kept, what can be done. */
export function TurnEnd({ note, newest }: TurnEndProps) {
  const { actions, compact, openModelPicker } = useChatScope();
  const router = useRouter();
  const [problem, setProblem] = useState<string | null>(null);
  const [asked, setAsked] = useState(false);
  const words = readEnd(note);
  if (words === null) return null;
  const Icon = icons[words.tone];
  const goOn = async () => {
    setAsked(true);
    setProblem(null);
    const outcome = await actions?.goOn();
    if (outcome && !outcome.ok) setProblem(outcome.message);
    setAsked(false);
  };
  const run: Record<EndAction, () => void> = {
    continue: () => void goOn(),
    keys: () => router.push('/settings/models'),
    model: openModelPicker,
    compact: () => compact(),
    settings: () => router.push('/settings/general'),
  };
  const offered = newest && actions ? words.actions : [];
  return (
    <div className="turn-end" data-tone={words.tone}>
      <Icon aria-hidden size={16} strokeWidth={1.75} className="mt-0.5 shrink-0" />
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1.5">
        <p className="min-w-0">{words.text}</p>
        {offered.map((action) => (
          <Button key={action} look="link" size="small" disabled={asked && action === 'continue'} onClick={run[action]}>
            {labels[action]}
          </Button>
        ))}
        {words.tone === 'quiet' ? null : <ErrorDetails detail={words.detail} code={note.metadata.turn?.code ?? null} />}
        {problem ? (
          <p role="alert" className="basis-full text-danger">
            {problem}
          </p>
        ) : null}
      </div>
    </div>
  );
}

/** A note between turns: said quietly, never to a model. */
export function NoteLine({ note }: { readonly note: NoteMessage }) {
  const danger = note.metadata.kind === 'unreadable';
  return (
    <p className="note-line" data-tone={danger ? 'warn' : undefined}>
      {wordNote(note)}
    </p>
  );
}
