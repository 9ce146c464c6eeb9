'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useRouter, useSearchParams } from 'next/navigation';
import { useRef } from 'react';
import type { Agent } from '@/server/contract/agent';
import { useDraft } from '../chat/use-draft';
import { MainHeader } from '../shell/main-header';
import { toMessage } from '../sync/api-client';
import { agentsQuery } from '../sync/queries';
import { Select } from '../ui/field';
import { StartComposer } from './start-composer';
import { useFirstMessage } from './use-first-message';

function pickAgent(agents: readonly Agent[], wanted: string | null): Agent | undefined {
  const published = agents.filter((agent) => agent.published !== null);
  return published.find((agent) => agent.id === wanted) ?? published.find((agent) => agent.isDefault) ?? published[0];
}

/** An agent's own words on what it is for, its openers, and the composer in the middle; no slogans (ux 14). */
export function NewConversation({ onlyPractice }: { readonly onlyPractice: boolean }) {
  const agents = useQuery(agentsQuery());
  const wanted = useSearchParams().get('agent');
  const agent = pickAgent(agents.data?.agents ?? [], wanted);
  return (
    <>
      <MainHeader>{agents.data && agent ? <AgentChoice agents={agents.data.agents} agent={agent} /> : null}</MainHeader>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto flex min-h-full max-w-[48.5rem] flex-col justify-center px-4 py-10">
          {agents.isError ? <p className="text-danger">{toMessage(agents.error)}</p> : null}
          {agents.data && !agent ? (
            <p className="record text-record text-ink-2">
              No agent is published yet.{' '}
              <Link href="/agents" className="font-live text-accent">
                Open Agents
              </Link>
            </p>
          ) : null}
          {agent ? <Beginning key={agent.id} agent={agent} onlyPractice={onlyPractice} /> : null}
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

function Beginning({ agent, onlyPractice }: { readonly agent: Agent; readonly onlyPractice: boolean }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const draft = useDraft('new', null);
  const { send, sending, problem } = useFirstMessage({ agentId: agent.id });
  const content = agent.published ?? agent.draft;
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
        foot={<Answerer agent={agent} onlyPractice={onlyPractice} />}
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

/** Who will answer. The practice model says what it is, here as everywhere (N2). */
function Answerer({ agent, onlyPractice }: { readonly agent: Agent; readonly onlyPractice: boolean }) {
  if (onlyPractice) {
    return (
      <span className="text-small text-ink-2">
        Practice model, not an AI.{' '}
        <Link href="/settings/models" className="font-[650] text-accent hover:underline">
          Connect a model
        </Link>
      </span>
    );
  }
  const { model } = agent.published ?? agent.draft;
  return (
    <span className="text-ink-2">{model === null || model.model === 'auto' ? 'First ready model' : model.model}</span>
  );
}
