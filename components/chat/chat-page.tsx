'use client';

import { MainHeader } from '../shell/main-header';

export function ChatPage({ sessionId }: { readonly sessionId: string }) {
  return (
    <MainHeader>
      <h1 className="title-2">{sessionId}</h1>
    </MainHeader>
  );
}
