'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type RefObject, useEffect, useState } from 'react';
import type { PromptAnswer } from '@/server/contract/prompt';
import { type Session, sessionSchema } from '@/server/contract/session';
import { callApi, toMessage } from '../sync/api-client';
import { applySessionUpdated } from '../sync/queries';
import { carryOversQuery, promptQuery } from '../sync/queries-chat';
import { Button } from '../ui/button';
import { CheckRow } from '../ui/field';
import { IconButton } from '../ui/icon-button';
import { useSpeak } from '../ui/live-region';
import { BehindMark } from '../ui/own-marks';
import { Popover } from '../ui/popover';
import { ChangesDialog } from '../versions/changes-dialog';
import { changedDocuments, wordBehind } from './behind-words';
import { useChatScope } from './chat-context';

export type BehindBannerProps = {
  readonly session: Session;
  readonly prompt: PromptAnswer;
  /** Why the last attempt to catch up failed; the banner returns with it. */
  readonly problem: string | null;
  /** The set of differences that was spoken last; kept by the slot, since the banner comes and goes. */
  readonly said: RefObject<string | null>;
};

/** What the agent has that this conversation has not, and the ways to get it (P4, ux 8). It takes no focus and blocks nothing. */
export function BehindBanner({ session, prompt, problem, said }: BehindBannerProps) {
  const { compact, actions } = useChatScope();
  const client = useQueryClient();
  const speak = useSpeak();
  const [showing, setShowing] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const words = wordBehind(prompt);
  const { hash } = prompt;
  useEffect(() => {
    // Once for each set of differences, however often the banner is drawn.
    if (words === null || said.current === hash) return;
    said.current = hash;
    speak(`${words.title} ${words.text}`);
  }, [words, hash, speak, said]);
  if (words === null || actions === null) return null;
  const documents = changedDocuments(prompt);
  const dismiss = async () => {
    if (hash === null) return;
    const outcome = await actions.dismissBehind(hash);
    setRefused(outcome.ok ? null : outcome.message);
    await client.invalidateQueries({ queryKey: promptQuery(session.id).queryKey });
  };
  const trouble = refused ?? problem;
  return (
    <section aria-label="Agent has newer versions" className="slot" data-look={words.tone}>
      <BehindMark className="shrink-0 text-heather max-rail:mt-1.5" />
      <div className="slot-words">
        <p className="font-[650]">{words.title}</p>
        <p className="text-small text-ink-2">{words.text}</p>
        {trouble ? (
          <p role="alert" className="text-small text-danger">
            {trouble}
          </p>
        ) : null}
      </div>
      <div className="slot-actions">
        {documents.length > 0 ? (
          <Button look="link" onClick={() => setShowing(true)}>
            What changed
          </Button>
        ) : null}
        {prompt.agent.deleted ? null : <StartNew session={session} />}
        {prompt.agent.deleted ? null : <Button onClick={() => compact()}>Compact and catch up</Button>}
      </div>
      <IconButton icon={X} label="Hide until something newer" className="slot-close" onClick={() => void dismiss()} />
      <ChangesDialog open={showing} onClose={() => setShowing(false)} documents={documents} />
    </section>
  );
}

/** A new conversation with the same agent; the old one is kept, and two ticks say what comes along. */
function StartNew({ session }: { readonly session: Session }) {
  const client = useQueryClient();
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const [carryOvers, setCarryOvers] = useState(true);
  const [summary, setSummary] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const marked = useQuery({ ...carryOversQuery(session.id), enabled: open });
  const start = async () => {
    setProblem(null);
    const body = { agentId: session.agentId ?? undefined, from: { sessionId: session.id, carryOvers, summary } };
    try {
      const made = await callApi('/agent-sessions', { method: 'POST', body, schema: sessionSchema });
      applySessionUpdated(client, made);
      router.push(`/c/${made.id}`);
    } catch (thrown) {
      setProblem(toMessage(thrown));
    }
  };
  const count = marked.data?.carryOvers.length;
  return (
    <Popover
      title="Start a new conversation"
      side="top"
      align="end"
      open={open}
      onOpenChange={setOpen}
      trigger={<Button>Start new</Button>}
    >
      <div className="flex flex-col gap-1">
        <CheckRow
          label={`Bring carry-overs${count === undefined ? '' : ` (${count})`}`}
          checked={carryOvers}
          onChange={(event) => setCarryOvers(event.target.checked)}
        />
        <CheckRow
          label="Bring the last summary"
          checked={summary}
          onChange={(event) => setSummary(event.target.checked)}
        />
        <p className="text-small text-ink-2">This conversation is kept as it is.</p>
        <Button look="primary" className="mt-1" onClick={() => void start()}>
          Start
        </Button>
        {problem ? (
          <p role="alert" className="text-small text-danger">
            {problem}
          </p>
        ) : null}
      </div>
    </Popover>
  );
}
