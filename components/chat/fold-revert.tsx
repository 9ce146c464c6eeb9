'use client';

import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { SummaryMessage } from '@/server/contract/message';
import { settingsQuery } from '../sync/queries';
import { Button } from '../ui/button';
import { useSpeak } from '../ui/live-region';
import { useUndoToast } from '../ui/toast';
import { countCovered } from './compaction-words';
import { type Sizes, sayRevert, wordOlder } from './revert-words';
import { useTravel } from './travel-context';
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
  const { travel, context, newestPoint, land } = useTravel();
  const settings = useQuery(settingsQuery());
  const sizes = usePreview(message.id);
  const reason = useRevertReason(message);
  const offerUndo = useUndoToast();
  const speak = useSpeak();
  const [problem, setProblem] = useState<string | null>(null);
  const [going, setGoing] = useState(false);
  const yes = useRef<HTMLButtonElement>(null);
  useEffect(() => yes.current?.focus(), []);
  if (!travel || !context || reason === undefined) return null;
  const auto = settings.data?.settings.compaction.auto ?? true;
  const words = sayRevert(message.metadata, context, { auto, sizes });
  const revert = async () => {
    if (reason !== null || going) return setProblem(reason);
    setGoing(true);
    const from = newestPoint();
    const answer = await travel.undoSummary(message.id);
    setGoing(false);
    if (!answer.ok) return setProblem(answer.message);
    const sizes = sayChange(answer.value.change, budgetOf(answer.value));
    speak(sizes);
    const count = countCovered(message.metadata);
    offerUndo({
      text: `${count === 1 ? '1 message is' : `${count} messages are`} back. ${sizes}`,
      onUndo: () => void travel.revert(from),
    });
    onDone();
    land({ id: message.id, on: 'reverted' });
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
      <Button look="quiet" onClick={onDone}>
        Keep
      </Button>
      {problem ? (
        <p role="alert" className="basis-full text-small text-danger">
          {problem}
        </p>
      ) : null}
    </div>
  );
}
