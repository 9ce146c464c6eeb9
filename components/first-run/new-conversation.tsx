'use client';

export function NewConversation() {
  return null;
}
