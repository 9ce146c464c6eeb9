'use client';

import { useQuery } from '@tanstack/react-query';
import { MainHeader } from '../shell/main-header';
import { toMessage } from '../sync/api-client';
import { useChatSession } from '../sync/chat-store-session';
import { sessionQuery } from '../sync/queries';
import { Button } from '../ui/button';
import { ChatView } from './chat-view';
import { HighlighterProvider } from './code-block';

/** One conversation. Give it the id as its `key` too: nothing of one is ever drawn in another. */
export function ChatPage({ sessionId }: { readonly sessionId: string }) {
  const chat = useChatSession(sessionId);
  const session = useQuery({ ...sessionQuery(sessionId), enabled: false });
  if (chat.problem !== null && !chat.state.loaded) {
    return <Unreadable text={toMessage(chat.problem)} onRetry={chat.reload} />;
  }
  if (!session.data || !chat.state.loaded) {
    return (
      <>
        <MainHeader />
        <p role="status" className="sr-only">
          Reading the conversation
        </p>
      </>
    );
  }
  return (
    <HighlighterProvider>
      <ChatView session={session.data} chat={chat} />
    </HighlighterProvider>
  );
}

function Unreadable({ text, onRetry }: { readonly text: string; readonly onRetry: () => void }) {
  return (
    <>
      <MainHeader />
      <div role="alert" className="m-auto max-w-(--prose) p-6">
        <h1 className="title-1 mb-2">This conversation cannot be shown</h1>
        <p className="mb-3">{text}</p>
        <Button onClick={onRetry}>Try again</Button>
      </div>
    </>
  );
}
