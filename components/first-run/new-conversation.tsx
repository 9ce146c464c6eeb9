'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useRouter, useSearchParams } from 'next/navigation';
import { useRef, useState } from 'react';
import type { Agent } from '@/server/contract/agent';
import type { Provider } from '@/server/contract/provider';
import type { Model } from '@/server/contract/shapes';
import { useDraft } from '../chat/use-draft';
import { MainHeader } from '../shell/main-header';
import { toMessage } from '../sync/api-client';
import { agentsQuery } from '../sync/queries';
import { Select } from '../ui/field';
import { Answerer } from './answerer';
import { answeringModel, isPractice } from './answering-model';
import { type Connected, sayConnected } from './say-test';
import { StartComposer } from './start-composer';
import { useFirstMessage } from './use-first-message';

function pickAgent(agents: readonly Agent[], wanted: string | null): Agent | undefined {
  const published = agents.filter((agent) => agent.published !== null);
  return published.find((agent) => agent.id === wanted) ?? published.find((agent) => agent.isDefault) ?? published[0];
}

export type NewConversationProps = {
  readonly providers: readonly Provider[];
  /** The provider that was connected a moment ago; null when none was. */
  readonly news: Connected | null;
};

/** An agent's own words on what it is for, its openers, and the composer in the middle; no slogans (ux 14). */
export function NewConversation({ providers, news }: NewConversationProps) {
  const agents = useQuery(agentsQuery());
  const wanted = useSearchParams().get('agent');
  const agent = pickAgent(agents.data?.agents ?? [], wanted);
  return (
    <>
      <MainHeader>{agents.data && agent ? <AgentChoice agents={agents.data.agents} agent={agent} /> : null}</MainHeader>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto flex min-h-full max-w-[48.5rem] flex-col justify-center px-4 py-10">
          {news ? <p className="mb-4 px-5 text-ok">{sayConnected(news)}</p> : null}
          {agents.isError ? <p className="text-danger">{toMessage(agents.error)}</p> : null}
          {agents.data && !agent ? (
            <p className="record text-record text-ink-2">
              No agent is published yet.{' '}
              <Link href="/agents" className="font-live text-accent">
                Open Agents
              </Link>
            </p>
          ) : null}
          {agent ? <Beginning key={agent.id} agent={agent} providers={providers} /> : null}
        </div>
      </div>
    </>
  );
}

type AgentChoiceProps = { readonly agents: readonly Agent[]; readonly agent: Agent };

function AgentChoice({ agents, agent }: AgentChoiceProps) {
  const router = useRouter();
  const published = agents.filter((candidate) => candidate.published !== null);
  return (
    <>
      <h1 className="title-2">New conversation</h1>
      <span aria-hidden className="h-5 w-px bg-line" />
      <Select aria-label="Agent" value={agent.id} onChange={(event) => router.replace(`/?agent=${event.target.value}`)}>
        {published.map((candidate) => (
          <option key={candidate.id} value={candidate.id}>
            {candidate.published?.name}
          </option>
        ))}
      </Select>
    </>
  );
}

type BeginningProps = { readonly agent: Agent; readonly providers: readonly Provider[] };

function Beginning({ agent, providers }: BeginningProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const draft = useDraft('new', null);
  const [chosen, setChosen] = useState<Model | null>(null);
  const content = agent.published ?? agent.draft;
  const model = chosen ?? answeringModel(content, providers);
  // Only a choice is sent: without one the conversation follows its agent, and fails over as the agent says.
  const { send, sending, problem } = useFirstMessage({ agentId: agent.id, model: chosen ?? undefined });
  const submit = async () => {
    if (await send(draft.text.trim())) draft.change('');
  };
  const take = (opener: string) => {
    draft.change(opener);
    field.current?.focus();
  };
  return (
    <>
      <div className="mb-6 px-5">
        <h2 className="title-1">{content.name}</h2>
        {content.purpose ? <p className="record mt-2 max-w-[35rem] text-record text-ink-2">{content.purpose}</p> : null}
      </div>
      <StartComposer
        fieldRef={field}
        agentName={content.name}
        text={draft.text}
        onText={draft.change}
        sending={sending}
        problem={problem}
        onSend={() => void submit()}
        foot={<Answerer model={model} practice={isPractice(model, providers)} onChoose={setChosen} />}
      />
      {content.openers.length > 0 ? (
        <ul aria-label="Openers" className="mt-4 flex flex-col gap-1 px-2">
          {content.openers.map((opener) => (
            <li key={opener}>
              <button
                type="button"
                onClick={() => take(opener)}
                className="w-full rounded-control px-3 py-2 text-left text-ink-2 hover:bg-code-wash hover:text-ink"
              >
                {opener}
              </button>
            </li>
          ))}
        </ul>
      ) : null}
    </>
  );
}
