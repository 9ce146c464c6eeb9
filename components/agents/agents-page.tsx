'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { type Agent, agentSchema } from '@/server/contract/agent';
import { PageFrame } from '../shell/main-header';
import { callApi, toMessage } from '../sync/api-client';
import { agentsQuery } from '../sync/queries';
import { Button } from '../ui/button';
import { type DocumentEntry, DocumentList } from '../versions/document-list';
import { AgentEditor } from './agent-editor';

function toEntry(agent: Agent): DocumentEntry {
  const count = agent.conversations === 1 ? '1 conversation' : `${agent.conversations} conversations`;
  return {
    id: agent.id,
    name: agent.draft.name,
    about: agent.draft.purpose,
    facts: [agent.current === null ? 'draft only' : `v${agent.current}`, count],
    behind: agent.behind,
  };
}

/** All agents, and the editor of one. */
export function AgentsPage({ agentId }: { readonly agentId: string | null }) {
  const client = useQueryClient();
  const router = useRouter();
  const agents = useQuery(agentsQuery());
  const create = async (name: string) => {
    const agent = await callApi('/agents', { method: 'POST', body: { name }, schema: agentSchema });
    await client.invalidateQueries({ queryKey: agentsQuery().queryKey });
    router.push(`/agents/${agent.id}`);
  };
  const agent = agents.data?.agents.find((candidate) => candidate.id === agentId);
  return (
    <PageFrame title="Agents">
      <div className="flex h-full">
        {agents.isError ? (
          <div className="p-6">
            <p className="mb-3 text-danger">{toMessage(agents.error)}</p>
            <Button onClick={() => void agents.refetch()}>Try again</Button>
          </div>
        ) : null}
        {agents.data ? (
          <DocumentList
            noun="agent"
            base="/agents"
            entries={agents.data.agents.map(toEntry)}
            currentId={agentId}
            onCreate={create}
          />
        ) : null}
        {agent ? <AgentEditor key={agent.id} agent={agent} /> : null}
        {agents.data && agentId !== null && !agent ? (
          <p className="record p-6 text-record text-ink-2">There is no such agent.</p>
        ) : null}
      </div>
    </PageFrame>
  );
}
