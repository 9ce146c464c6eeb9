import { ChatPage } from '@/components/chat/chat-page';

type Props = { readonly params: Promise<{ readonly sessionId: string }> };

export default async function ConversationPage({ params }: Props) {
  const { sessionId } = await params;
  return <ChatPage key={sessionId} sessionId={sessionId} />;
}
