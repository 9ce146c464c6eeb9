/** Words between parts of the page that no tree of components joins; each ends by the function it returns. */
const jump = 'tidemark:jump';
const reveal = 'tidemark:reveal';

function hear(name: string, act: (itemId: string) => void): () => void {
  const onEvent = (event: Event) => {
    if (event instanceof CustomEvent && typeof event.detail === 'string') act(event.detail);
  };
  window.addEventListener(name, onEvent);
  return () => window.removeEventListener(name, onEvent);
}

/** Asks the conversation on the page to go to one of its messages: an address that is already shown opens nothing. */
export function requestJump(itemId: string): void {
  window.dispatchEvent(new CustomEvent(jump, { detail: itemId }));
}

export function hearJumps(onJump: (itemId: string) => void): () => void {
  return hear(jump, onJump);
}

/** Asks whatever holds this tool result to open it. */
export function requestReveal(itemId: string): void {
  window.dispatchEvent(new CustomEvent(reveal, { detail: itemId }));
}

export function hearReveals(onReveal: (itemId: string) => void): () => void {
  return hear(reveal, onReveal);
}
