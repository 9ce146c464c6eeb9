'use client';

import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { SummaryMessage } from '@/server/contract/message';
import { settingsQuery } from '../sync/queries';
import { Button } from '../ui/button';
import { useSpeak } from '../ui/live-region';
import { useUndoToast } from '../ui/toast';
import { type Sizes, sayReturned, sayRevert, wordOlder } from './revert-words';
import { useTravel } from './travel-context';
import { useRefusal } from './use-refusal';
import { budgetOf, sayChange } from './use-show-again';

/** Why this summary cannot be taken back now; null: it can. Undefined: there is nothing to take back. */
export function useRevertReason(message: SummaryMessage): string | null | undefined {
  const { travel, blocked, countNewer } = useTravel();
  if (travel === null || message.metadata.reverted) return undefined;
  return wordOlder(countNewer(message.id)) ?? blocked;
}

/** The sizes as the server measures them; null until it has, and where it cannot. */
function usePreview(summaryId: string): Sizes | null {
  const { travel } = useTravel();
  const [sizes, setSizes] = useState<Sizes | null>(null);
  useEffect(() => {
    let gone = false;
    void travel?.previewUndo(summaryId).then((answer) => {
      if (!gone && answer.ok) setSizes(answer.value.change);
    });
    return () => {
      gone = true;
    };
  }, [travel, summaryId]);
  return sizes;
}

export type FoldAskProps = { readonly message: SummaryMessage; readonly onDone: () => void };

/** Asked in place, with the sizes before and after; the card stays what it is (ux 6.2). */
export function FoldAsk({ message, onDone }: FoldAskProps) {
  const { travel, context, land } = useTravel();
  const settings = useQuery(settingsQuery());
  const sizes = usePreview(message.id);
  const reason = useRevertReason(message);
  const offerUndo = useUndoToast();
  const speak = useSpeak();
  const { problem, refuse } = useRefusal(message.id);
  const [going, setGoing] = useState(false);
  const yes = useRef<HTMLButtonElement>(null);
  useEffect(() => yes.current?.focus(), []);
  if (!travel || !context || reason === undefined) return null;
  const auto = settings.data?.settings.compaction.auto ?? true;
  const words = sayRevert(message.metadata, context, { auto, sizes });
  // The exact head from before: a plan that was set after the summary stays with it.
  const undo = async (from: string) => {
    const answer = await travel.revert(from);
    if (!answer.ok) return refuse(answer.message);
    // The line that was left of the card goes, and with it whatever the focus came back to.
    land({ id: message.id, on: 'message' });
  };
  const revert = async () => {
    if (reason !== null || going) return refuse(reason);
    setGoing(true);
    const answer = await travel.undoSummary(message.id);
    setGoing(false);
    if (!answer.ok) return refuse(answer.message);
    const sizes = sayChange(answer.value.change, budgetOf(answer.value));
    const { from } = answer.value.change;
    const text = `${sayReturned(message.metadata)} ${sizes}`;
    if (from === null) speak(text);
    else offerUndo({ text, onUndo: () => void undo(from) });
    onDone();
    land({ id: message.id, on: 'reverted' });
  };
  const keep = () => {
    refuse(null);
    onDone();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields of a form.
    <div role="group" aria-label="Revert this summary" className="fold-ask">
      <p className="numbers">
        {words.question} {words.sizes}
        {words.warning ? <span className="block text-warn">{words.warning}</span> : null}
      </p>
      <Button
        ref={yes}
        aria-disabled={reason !== null || going}
        onClick={() => void revert()}
        title={reason ?? undefined}
        aria-label={reason === null ? 'Revert' : `Revert: ${reason}`}
      >
        Revert
      </Button>
      <Button look="quiet" onClick={keep}>
        Keep
      </Button>
      {problem ? <p className="basis-full text-small text-danger">{problem}</p> : null}
    </div>
  );
}
