import type { Metadata } from 'next';
import { AgentsPage } from '@/components/agents/agents-page';

export const metadata: Metadata = { title: 'Agents' };

type Props = { readonly params: Promise<{ readonly agentId: string }> };

export default async function Agent({ params }: Props) {
  return <AgentsPage agentId={(await params).agentId} />;
}
