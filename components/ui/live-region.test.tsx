import { act, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { LiveRegionProvider, type Speak, useSpeak } from './live-region';

afterEach(() => void vi.useRealTimers());

function Speaker({ onReady }: { readonly onReady: (speak: Speak) => void }) {
  onReady(useSpeak());
  return null;
}

function listen(): Speak {
  const ready: Speak[] = [];
  render(
    <LiveRegionProvider>
      <Speaker onReady={(speak) => ready.push(speak)} />
    </LiveRegionProvider>,
  );
  return (text) => act(() => ready.at(-1)?.(text));
}

describe('the spoken status (ux 16)', () => {
  it('a line said right after another does not take it away; a little later the newest stands alone', () => {
    vi.useFakeTimers();
    const speak = listen();
    speak('m, now 1 of 2, used first');
    speak('Saved');
    expect(screen.getByRole('status')).toHaveTextContent('m, now 1 of 2, used first');
    expect(screen.getByRole('status')).toHaveTextContent('Saved');
    expect(screen.getByRole('status')).toHaveAttribute('aria-atomic', 'false');
    act(() => vi.runAllTimers());
    expect(screen.getByRole('status').textContent).toBe('Saved');
  });
});
