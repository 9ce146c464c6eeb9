'use client';

import { useQuery } from '@tanstack/react-query';
import {
  Archive,
  ArchiveRestore,
  ChevronDown,
  Download,
  Ellipsis,
  FileText,
  FoldVertical,
  GitBranch,
  PanelRight,
  Pencil,
  ReceiptText,
  Rows2,
  Trash2,
} from 'lucide-react';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import type { SummaryMessage } from '@/server/contract/message';
import type { Session } from '@/server/contract/session';
import { SessionTitleField } from '../sessions/session-title-field';
import type { SessionActions } from '../sessions/use-session-actions';
import { MainHeader } from '../shell/main-header';
import { useShell } from '../shell/shell-context';
import { toApiUrl } from '../sync/api-client';
import { promptQuery } from '../sync/queries-chat';
import { Button } from '../ui/button';
import { IconButton } from '../ui/icon-button';
import { Menu, MenuItem, MenuSeparator } from '../ui/menu';
import { BehindMark } from '../ui/own-marks';
import { useChatScope } from './chat-context';
import { formatSpan, titleOf } from './compaction-words';
import { ConversationLink } from './crossroads';

export type ChatHeaderProps = {
  readonly session: Session;
  /** What happens now, in a word or two; null while nothing does. */
  readonly status: { readonly text: string; readonly tone: 'live' | 'heather' | 'warn' | 'quiet' } | null;
  readonly summaries: readonly SummaryMessage[];
  /** Goes to one further up than those, by how many places. */
  readonly onEarlierSummary: (places: number) => void;
  readonly renaming: boolean;
  readonly onRename: (renaming: boolean) => void;
  readonly actions: SessionActions;
};

export function downloadConversation(sessionId: string, format: 'markdown' | 'jsonl'): void {
  const link = document.createElement('a');
  link.href = toApiUrl(`/agent-sessions/${sessionId}/export`, { format });
  link.download = '';
  link.click();
}

export function ChatHeader(props: ChatHeaderProps) {
  const { session, status, summaries, renaming, onRename, actions } = props;
  const { deskOpen, setDeskOpen } = useShell();
  const title = session.title || 'New conversation';
  return (
    <MainHeader>
      {renaming ? (
        <SessionTitleField
          title={session.title}
          className="max-w-96"
          onSave={(next) => actions.rename(session, next)}
          onDone={() => onRename(false)}
        />
      ) : (
        <h1 className="title-2 min-w-0">
          <button type="button" title="Rename" className="title-button" onClick={() => onRename(true)}>
            <span className="truncate">{title}</span>
            <ChevronDown aria-hidden size={14} strokeWidth={1.75} className="shrink-0 text-ink-2" />
          </button>
        </h1>
      )}
      <AgentName session={session} />
      {session.parent ? (
        <p className="parent-link" title="The conversation this one began in">
          <GitBranch aria-hidden size={14} strokeWidth={1.75} className="shrink-0" />
          <span className="sr-only">Branched from </span>
          <ConversationLink id={session.parent.sessionId} itemId={session.parent.itemId} />
        </p>
      ) : null}
      {status ? (
        <p className="chat-status">
          <span
            aria-hidden
            className={status.tone === 'live' || status.tone === 'heather' ? 'dot pulse' : 'dot'}
            data-tone={status.tone}
          />
          <span className="truncate">{status.text}</span>
        </p>
      ) : null}
      <div className="ml-auto flex shrink-0 items-center gap-1">
        <SummaryList session={session} summaries={summaries} onEarlierSummary={props.onEarlierSummary} />
        <ChatMenu session={session} actions={actions} onRename={() => onRename(true)} />
        <IconButton
          icon={PanelRight}
          iconSize={18}
          label="Desk"
          command="toggleDesk"
          aria-expanded={deskOpen}
          aria-controls="desk"
          className={deskOpen ? 'wide:hidden' : undefined}
          onClick={() => setDeskOpen(!deskOpen)}
        />
      </div>
      {actions.problem?.sessionId === session.id ? (
        <p role="alert" className="text-small text-danger">
          {actions.problem.text}
        </p>
      ) : null}
    </MainHeader>
  );
}

/** The agent this speaks with, by the version that was kept, with the mark of what moved on. */
function AgentName({ session }: { readonly session: Session }) {
  const prompt = useQuery(promptQuery(session.id));
  if (session.agentName === null) return null;
  const version = prompt.data?.kept?.agentVersion ?? null;
  const inside = (
    <>
      <span className="truncate">{session.agentName}</span>
      {version === null ? null : <span className="text-ink-3">v{version}</span>}
      {session.behind ? (
        <>
          <BehindMark className="text-heather" />
          <span className="sr-only">, behind its agent</span>
        </>
      ) : null}
    </>
  );
  if (session.agentId === null) return <span className="agent-name">{inside}</span>;
  return (
    <Link href={`/agents/${session.agentId}`} className="agent-name">
      {inside}
    </Link>
  );
}

/** How often this was folded, and the way to each fold. */
function SummaryList(props: Pick<ChatHeaderProps, 'session' | 'summaries' | 'onEarlierSummary'>) {
  const { session, summaries, onEarlierSummary } = props;
  const { jumpTo, openDesk } = useChatScope();
  if (session.summaries === 0) return null;
  const further = Array.from({ length: Math.max(0, session.summaries - summaries.length) }, (_, index) => index + 1);
  const words = session.summaries === 1 ? '1 summary' : `${session.summaries} summaries`;
  const trigger = (
    <Button look="quiet" className="max-phone:hidden">
      <Rows2 aria-hidden size={16} strokeWidth={1.75} />
      {words}
    </Button>
  );
  return (
    <Menu trigger={trigger}>
      {summaries.toReversed().map((message) => (
        <MenuItem
          key={message.id}
          icon={FoldVertical}
          label={`${titleOf(message.metadata)}, ${formatSpan(message.metadata.span)}`}
          onSelect={() => jumpTo(message.id)}
        />
      ))}
      {further.map((places) => (
        <MenuItem
          key={places}
          icon={FoldVertical}
          label={`Summary ${further.length - places + 1} of ${session.summaries}, further up`}
          onSelect={() => onEarlierSummary(places)}
        />
      ))}
      <MenuSeparator />
      <MenuItem icon={ReceiptText} label="Ledger: every attempt" onSelect={() => openDesk('ledger')} />
    </Menu>
  );
}

type ChatMenuProps = {
  readonly session: Session;
  readonly actions: SessionActions;
  readonly onRename: () => void;
};

function ChatMenu({ session, actions, onRename }: ChatMenuProps) {
  const router = useRouter();
  const { parent } = session;
  return (
    <Menu trigger={<IconButton icon={Ellipsis} iconSize={18} label="Actions for this conversation" />}>
      <MenuItem icon={Pencil} label="Rename" command="renameSession" onSelect={onRename} />
      {parent ? (
        <MenuItem
          icon={GitBranch}
          label="Where this began"
          onSelect={() => router.push(`/c/${parent.sessionId}${parent.itemId ? `?m=${parent.itemId}` : ''}`)}
        />
      ) : null}
      <MenuItem icon={Download} label="Export the log" onSelect={() => downloadConversation(session.id, 'jsonl')} />
      <MenuItem
        icon={FileText}
        label="Export as Markdown"
        onSelect={() => downloadConversation(session.id, 'markdown')}
      />
      <MenuItem
        icon={session.archived ? ArchiveRestore : Archive}
        label={session.archived ? 'Bring back' : 'Archive'}
        onSelect={() => actions.toggleArchive([session])}
      />
      <MenuSeparator />
      <MenuItem icon={Trash2} label="Delete" tone="danger" onSelect={() => actions.remove([session])} />
    </Menu>
  );
}
