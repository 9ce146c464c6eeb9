import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LiveRegionProvider } from './live-region';
import { ToastProvider, type UndoOffer, undoMs, useUndoToast } from './toast';

function Offer({ offer }: { readonly offer: UndoOffer }) {
  const show = useUndoToast();
  return (
    <button type="button" onClick={() => show(offer)}>
      {offer.text}
    </button>
  );
}

function page() {
  const first = { text: 'First', onUndo: vi.fn(), onExpire: vi.fn() };
  const second = { text: 'Second', onUndo: vi.fn(), onExpire: vi.fn() };
  render(
    <LiveRegionProvider>
      <ToastProvider>
        <Offer offer={first} />
        <Offer offer={second} />
      </ToastProvider>
    </LiveRegionProvider>,
  );
  const show = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
  return { first, second, show };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('an undo', () => {
  it('is over after ten seconds, once', () => {
    const { first, show } = page();
    show('First');
    act(() => vi.advanceTimersByTime(undoMs - 1));
    expect(first.onExpire).not.toHaveBeenCalled();
    act(() => vi.advanceTimersByTime(1));
    act(() => vi.advanceTimersByTime(undoMs));
    expect(first.onExpire).toHaveBeenCalledTimes(1);
    expect(first.onUndo).not.toHaveBeenCalled();
  });

  it('is taken without expiring afterwards', () => {
    const { first, show } = page();
    show('First');
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
    act(() => vi.advanceTimersByTime(undoMs));
    expect([first.onUndo.mock.calls.length, first.onExpire.mock.calls.length]).toEqual([1, 0]);
  });

  it('gives the focus back to where it came from, since its own button goes', () => {
    const { show } = page();
    show('First');
    const from = screen.getByRole('button', { name: 'Second' });
    from.focus();
    screen.getByRole('button', { name: 'Undo' }).focus();
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(document.activeElement).toBe(from);
  });

  it('waits while the pointer is on it', () => {
    const { first, show } = page();
    show('First');
    fireEvent.pointerEnter(screen.getByRole('button', { name: 'Undo' }).parentElement ?? document.body);
    act(() => vi.advanceTimersByTime(undoMs * 3));
    expect(first.onExpire).not.toHaveBeenCalled();
  });

  it('gives way to a newer one, and to the end of the page', () => {
    const { first, second, show } = page();
    show('First');
    show('Second');
    expect([first.onExpire.mock.calls.length, second.onExpire.mock.calls.length]).toEqual([1, 0]);
    fireEvent(window, new Event('pagehide'));
    expect(second.onExpire).toHaveBeenCalledTimes(1);
  });
});
