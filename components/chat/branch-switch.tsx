'use client';

import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import type { UserMessage } from '@/server/contract/message';
import { IconButton } from '../ui/icon-button';
import { useSpeak } from '../ui/live-region';
import { useTravel } from './travel-context';
import { useRefusal } from './use-refusal';

type Alternatives = NonNullable<UserMessage['metadata']['alternatives']>;

/** "2 of 3": what an edit or another try left stands beside, each as it was left; nothing is lost (ux 5). */
export function BranchSwitch({ id, alternatives }: { readonly id: string; readonly alternatives: Alternatives }) {
  const { travel, blocked, land } = useTravel();
  const { problem, refuse } = useRefusal(id);
  const [going, setGoing] = useState(false);
  const speak = useSpeak();
  const { index, ids, tips = [] } = alternatives;
  const words = `${index + 1} of ${ids.length}`;
  const go = async (step: -1 | 1) => {
    const place = index + step;
    const to = ids[place];
    if (!travel || to === undefined || going) return;
    if (blocked !== null) return refuse(blocked);
    setGoing(true);
    const answer = await travel.revert(tips[place] ?? to);
    setGoing(false);
    refuse(answer.ok ? null : answer.message);
    if (!answer.ok) return;
    land({ id: to, on: step === 1 ? 'next' : 'previous' });
    speak(`Branch ${place + 1} of ${ids.length}`);
  };
  const button = (step: -1 | 1) => {
    const end = ids[index + step] === undefined;
    const name = step === 1 ? 'Next branch' : 'Previous branch';
    const reason = end ? 'there is none' : blocked;
    return (
      <IconButton
        icon={step === 1 ? ChevronRight : ChevronLeft}
        size="small"
        iconSize={16}
        data-step={step === 1 ? 'next' : 'previous'}
        label={reason === null ? name : `${name}: ${reason}`}
        aria-disabled={reason !== null}
        onClick={() => void go(step)}
      />
    );
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields of a form.
    <div role="group" aria-label={`Branch ${words}`} data-branches={id} className="branch-switch">
      {travel ? button(-1) : null}
      <span className="numbers">{words}</span>
      {travel ? button(1) : null}
      {problem ? <span className="text-danger">{problem}</span> : null}
    </div>
  );
}
