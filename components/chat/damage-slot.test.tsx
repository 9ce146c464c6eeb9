import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useRef } from 'react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Session } from '@/server/contract/session';
import { aSession } from '../sync/testing/a-session';
import { LiveRegionProvider } from '../ui/live-region';
import { DamageSlot } from './damage-slot';
import { wordDamage } from './damage-words';
import { useDamage } from './use-damage';

const flipped = { from: 7567, to: 7865, why: 'checksum' };
const torn = { from: 9000, to: 9100, why: 'torn' };

describe('the words for damage of a log', () => {
  it('L6: names the bytes of a damaged line, and of a write that a crash cut off, apart', () => {
    expect(wordDamage([])).toEqual([]);
    expect(wordDamage([flipped]).join(' ')).toBe(
      'A line of this log is damaged (bytes 7,567–7,865): one message or event may be missing. Everything else is here.',
    );
    expect(wordDamage([flipped, torn]).join(' ')).toBe(
      'A line of this log is damaged (bytes 7,567–7,865): one message or event may be missing. ' +
        'The last write before a crash was cut off (bytes 9,000–9,100) and left out. Everything else is here.',
    );
  });

  it('L6: counts many, and names the first of them', () => {
    const many = Array.from({ length: 1200 }, (_, index) => ({ ...flipped, from: index * 10, to: index * 10 + 9 }));
    const text = wordDamage(many).join(' ');
    expect(text).toContain('1,200 lines of this log are damaged (bytes 0–9; bytes 10–19;');
    expect(text).toContain('and 1,196 more, which npm run doctor lists');
  });
});

function Slot({ session, urgent = false }: { readonly session: Session; readonly urgent?: boolean }) {
  const { untold, close } = useDamage(session);
  const said = useRef<string | null>(null);
  return untold.length === 0 || urgent ? null : <DamageSlot damage={untold} said={said} onClose={close} />;
}

describe('the note above the composer', () => {
  beforeEach(() => localStorage.clear());
  const draw = (damage: Session['damage'], urgent = false) => (
    <LiveRegionProvider>
      <Slot session={aSession({ damage })} urgent={urgent} />
    </LiveRegionProvider>
  );
  const note = () => screen.queryByRole('note', { name: 'Damage in the log' });

  it('L6: stands until it is closed, is spoken once, and after a reload only tells what is new', async () => {
    const page = render(draw([flipped]));
    expect(note()?.textContent).toContain('bytes 7,567–7,865');
    const spoken = () => page.container.querySelectorAll('[data-live="status"] p');
    await waitFor(() => expect(spoken()).toHaveLength(1));
    // Something more urgent had its place for a while.
    page.rerender(draw([flipped], true));
    page.rerender(draw([flipped]));
    expect(spoken()).toHaveLength(1);
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(note()).toBeNull();
    page.unmount();
    const again = render(draw([flipped]));
    expect(note()).toBeNull();
    again.rerender(draw([flipped, torn]));
    expect(note()?.textContent).toContain('bytes 9,000–9,100');
    expect(note()?.textContent).not.toContain('7,567');
  });

  it('L6: a sound log has none', () => {
    render(draw([]));
    expect(note()).toBeNull();
  });
});
