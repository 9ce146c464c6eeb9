import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { AppError, toErrorBody } from '@/server/contract/error';
import { renderInPage, serve } from '../sessions/testing/rail-world';
import { TrashList } from './trash-list';

afterEach(() => vi.unstubAllGlobals());

const row = {
  id: '01J0000000000000000000000A',
  title: 'Harbour fees',
  deletedAt: '2026-11-20T08:00:00.000Z',
  goneAt: '2026-12-20T08:00:00.000Z',
};
const refusal = toErrorBody(new AppError('conflict', 'This conversation is not in the trash.')).body;

describe('the trash (ux 4)', () => {
  it('lists what was deleted and until when it is kept; a refusal stands at its row', async () => {
    const asked = serve(({ method }) =>
      method === 'POST' ? Response.json(refusal, { status: 409 }) : { sessions: [row] },
    );
    renderInPage(<TrashList />);
    expect(await screen.findByText('Harbour fees')).toBeVisible();
    expect(screen.getByText(/kept until 20 December/)).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Restore Harbour fees' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('This conversation is not in the trash.');
    expect(asked.find(({ method }) => method === 'POST')?.path).toBe(`/trash/${row.id}/restore`);
  });

  it('L3: one that shares its lines with a parent or a branch is kept with it: deleted when is said, gone when is not known', async () => {
    serve(() => ({ sessions: [{ ...row, goneAt: null }] }));
    renderInPage(<TrashList />);
    const words =
      /^Deleted 20 November.*, kept as long as the conversation it was branched from, or a branch of it, is/;
    expect(await screen.findByText(words)).toBeVisible();
  });

  it('says what it is for while nothing is in it', async () => {
    serve(() => ({ sessions: [] }));
    renderInPage(<TrashList />);
    expect(await screen.findByText(/^Nothing here\./)).toBeVisible();
  });
});
