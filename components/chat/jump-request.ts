const name = 'tidemark:jump';

/** Asks the conversation on the page to go to one of its messages: an address that is already shown opens nothing. */
export function requestJump(itemId: string): void {
  window.dispatchEvent(new CustomEvent(name, { detail: itemId }));
}

/** Hears such requests; ends by the returned function. */
export function hearJumps(onJump: (itemId: string) => void): () => void {
  const hear = (event: Event) => {
    if (event instanceof CustomEvent && typeof event.detail === 'string') onJump(event.detail);
  };
  window.addEventListener(name, hear);
  return () => window.removeEventListener(name, hear);
}
