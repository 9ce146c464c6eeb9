import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ChatNotice } from '@/server/contract/stream';
import { LiveRegionProvider } from '../ui/live-region';
import { CompactionNotes, noteMs } from './compaction-notes';

const notice = (code: string, text: string): ChatNotice => ({ sessionId: null, level: 'info', code, text });
const attempt = (model: string) => notice('summariser_attempt', `${model} (Fake) wrote no summary: it declined.`);
const rebuilt = notice('staging_rebuilt', 'An earlier attempt was kept in an older form.');
const page = (told: readonly ChatNotice[]) => (
  <LiveRegionProvider>
    <CompactionNotes notes={told} />
  </LiveRegionProvider>
);
const notes = () => within(screen.getByRole('region', { name: 'Notes' })).queryAllByText(/./, { selector: 'p' });

describe('notes of a compaction', () => {
  beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }));
  afterEach(() => void vi.useRealTimers());

  it('S4: each summariser that gave nothing is named, with its reason', () => {
    const { rerender } = render(page([]));
    rerender(page([attempt('sonnet-x'), attempt('haiku-x')]));
    expect(notes().map(({ textContent }) => textContent)).toEqual([
      'sonnet-x (Fake) wrote no summary: it declined. Ledger',
      'haiku-x (Fake) wrote no summary: it declined. Ledger',
    ]);
    // The next model and the end are spoken; a line for each attempt as well would be two for one.
    expect(screen.getByRole('status')).toBeEmptyDOMElement();
  });

  it('S4: segments that fail side by side in the same way are one note with their count', () => {
    const { rerender } = render(page([]));
    rerender(page([attempt('haiku-x'), attempt('haiku-x'), attempt('haiku-x')]));
    expect(notes().map(({ textContent }) => textContent)).toEqual([
      'haiku-x (Fake) wrote no summary: it declined. 3 times. Ledger',
    ]);
  });

  it('R5: work of an older form that is not used is told and spoken, once', () => {
    const { rerender } = render(page([]));
    rerender(page([rebuilt]));
    expect(notes()[0]).toHaveTextContent('An earlier attempt was kept in an older form.');
    expect(screen.getByRole('status')).toHaveTextContent('An earlier attempt was kept in an older form.');
    rerender(page([rebuilt, attempt('haiku-x')]));
    expect(within(screen.getByRole('status')).getAllByText(/./)).toHaveLength(1);
  });

  it('a note goes by itself, or by its button; three are the most', async () => {
    const { rerender } = render(page([]));
    rerender(page(['a', 'b', 'c', 'd'].map(attempt)));
    expect(notes()).toHaveLength(3);
    const [first] = screen.getAllByRole('button', { name: 'Close' });
    if (first) await userEvent.setup({ advanceTimers: vi.advanceTimersByTime }).click(first);
    expect(notes().map(({ textContent }) => textContent?.charAt(0))).toEqual(['c', 'd']);
    act(() => void vi.advanceTimersByTime(noteMs + 1));
    expect(notes()).toEqual([]);
  });

  it('what stood there when the page was opened is old news', () => {
    render(page([attempt('haiku-x')]));
    expect(notes()).toEqual([]);
  });
});
