'use client';

import { useQuery } from '@tanstack/react-query';
import { useContext, useMemo, useState } from 'react';
import { toMessage } from '../sync/api-client';
import { readMessages } from '../sync/queries-chat';
import { Button } from '../ui/button';
import { buildBlocks } from './build-turns';
import { BlockContext, ChatContext, useChatScope } from './chat-context';

const branchLimit = 200;

/** What a subagent did, under the call that started it: read when opened, never changed here. */
export function SubagentBranch({ sessionId }: { readonly sessionId: string }) {
  const [open, setOpen] = useState(false);
  return (
    <div className="flex flex-col items-start gap-2">
      <Button look="link" size="small" aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? 'Hide what the subagent did' : 'Show what the subagent did'}
      </Button>
      {open ? <Branch sessionId={sessionId} /> : null}
    </div>
  );
}

function Branch({ sessionId }: { readonly sessionId: string }) {
  const scope = useChatScope();
  const BlockView = useContext(BlockContext);
  const branch = useQuery({
    queryKey: ['chat', sessionId, 'branch'],
    queryFn: ({ signal }) => readMessages(sessionId, { limit: branchLimit }, signal),
  });
  const blocks = useMemo(() => buildBlocks(branch.data?.messages ?? []), [branch.data]);
  const readOnly = useMemo(() => ({ ...scope, sessionId, actions: null }), [scope, sessionId]);
  if (branch.isError) return <p className="text-small text-danger">{toMessage(branch.error)}</p>;
  if (!branch.data) return <p className="text-small text-ink-2">Reading…</p>;
  return (
    <ChatContext value={readOnly}>
      <div className="subagent-branch">
        {branch.data.hasBefore ? <p className="note-line">Its newest {branchLimit} messages.</p> : null}
        {blocks.map((block) => (
          <BlockView key={block.key} block={block} newest={false} covered={false} agentName={null} />
        ))}
      </div>
    </ChatContext>
  );
}
