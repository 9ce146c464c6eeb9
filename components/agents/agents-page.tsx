'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { type Agent, agentSchema } from '@/server/contract/agent';
import { callApi } from '../sync/api-client';
import { agentsQuery } from '../sync/queries';
import type { DocumentEntry } from '../versions/document-list';
import { DocumentsPage } from '../versions/documents-page';
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
    <DocumentsPage
      title="Agents"
      noun="agent"
      base="/agents"
      entries={agents.data?.agents.map(toEntry) ?? null}
      currentId={agentId}
      onCreate={create}
      error={agents.error}
      onRetry={() => void agents.refetch()}
      editor={agent ? <AgentEditor key={agent.id} agent={agent} /> : null}
    />
  );
}
