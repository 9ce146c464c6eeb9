import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AppError } from '@/server/contract/error';
import { type DraftDocument, useDraft } from './use-draft';

type Content = { readonly name: string; readonly purpose: string };
type Save = (patch: Partial<Content>, revision: number) => Promise<DraftDocument<Content>>;

const document_: DraftDocument<Content> = { id: 'a', revision: 3, draft: { name: 'Keeper', purpose: '' } };
const restMs = 1000;

let draft: ReturnType<typeof useDraft<Content>>;

function Editor({ save, reload }: { readonly save: Save; readonly reload: () => Promise<DraftDocument<Content>> }) {
  draft = useDraft<Content>({ document: document_, save, reload, restMs });
  return (
    <p>
      {draft.content.name} · {draft.state.state}
    </p>
  );
}

function open(save: Save, reload = async () => document_) {
  const view = render(<Editor save={save} reload={reload} />);
  const shown = () => screen.getByText(/·/).textContent;
  const rest = () => act(() => vi.advanceTimersByTimeAsync(restMs));
  return { ...view, shown, rest };
}

const accept = () =>
  vi.fn<Save>(async (patch, revision) => ({
    ...document_,
    revision: revision + 1,
    draft: { ...document_.draft, ...patch },
  }));

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a draft (ux 11)', () => {
  it('saves the changed fields once typing rests, from the revision it holds', async () => {
    const save = accept();
    const { rest, shown } = open(save);
    act(() => draft.change({ name: 'Keep' }));
    act(() => draft.change({ name: 'Schema keeper' }));
    expect(shown()).toBe('Schema keeper · unsaved');
    await rest();
    act(() => draft.change({ purpose: 'Keeps it' }));
    await rest();
    expect(save.mock.calls).toEqual([
      [{ name: 'Schema keeper' }, 3],
      [{ purpose: 'Keeps it' }, 4],
    ]);
    expect(shown()).toBe('Schema keeper · saved');
  });

  it('keeps the words after a failure, and saves them by Retry', async () => {
    const save = accept();
    save.mockRejectedValueOnce(new AppError('storage_full', 'The disk is full.'));
    const { rest, shown } = open(save);
    act(() => draft.change({ name: 'Mine' }));
    await rest();
    expect(draft.state).toEqual({ state: 'failed', text: 'The disk is full.' });
    await act(() => draft.flush());
    expect(shown()).toBe('Mine · saved');
  });

  it('lets the person choose whose words stay after a change in another window', async () => {
    const theirs: DraftDocument<Content> = { id: 'a', revision: 8, draft: { name: 'Theirs', purpose: '' } };
    const save = accept();
    save.mockRejectedValueOnce(new AppError('conflict', 'The draft moved.'));
    const { rest, shown } = open(save, async () => theirs);
    act(() => draft.change({ name: 'Mine' }));
    await rest();
    expect(shown()).toBe('Mine · conflict');
    await act(() => draft.keepMine());
    expect(save).toHaveBeenLastCalledWith({ name: 'Mine' }, 8);
    await act(() => draft.takeTheirs());
    expect(shown()).toBe('Theirs · saved');
  });

  it('is saved when the page is left before typing rested', () => {
    const save = accept();
    const { unmount } = open(save);
    act(() => draft.change({ name: 'Left early' }));
    unmount();
    expect(save.mock.calls).toEqual([[{ name: 'Left early' }, 3]]);
  });
});
