import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useRef } from 'react';
import { expect, it, vi } from 'vitest';
import { KeyboardProvider } from '../ui/keyboard-provider';
import { useTranscriptKeys } from './use-transcript-keys';

function Page({ toEnd, folded }: { readonly toEnd: () => void; readonly folded: boolean }) {
  const view = useRef<HTMLElement>(null);
  useTranscriptKeys({ view, composer: { current: null }, rename: () => undefined, toEnd });
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: as the transcript is, to be scrolled by keys. */}
      <section ref={view} aria-label="Transcript" tabIndex={0}>
        <div data-block="one" data-kind="user" />
        {folded ? (
          <div data-block="card" data-kind="summary">
            <button type="button" data-fold-head="">
              Summary
            </button>
          </div>
        ) : null}
        <div data-block="two" data-kind="user" />
        <div data-block="three" data-kind="reply" />
      </section>
      <input aria-label="Elsewhere" />
    </>
  );
}

const draw = (folded: boolean) => {
  const toEnd = vi.fn();
  render(
    <KeyboardProvider>
      <Page toEnd={toEnd} folded={folded} />
    </KeyboardProvider>,
  );
  return toEnd;
};
const focused = () => document.activeElement?.closest('[data-block]')?.getAttribute('data-block') ?? null;

it('ux 16: Mod+Home goes to the newest summary, Mod+End to the end, and both take the focus along', async () => {
  const toEnd = draw(true);
  screen.getByRole('region', { name: 'Transcript' }).focus();
  await userEvent.keyboard('{Control>}{Home}{/Control}');
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Summary' }));
  await userEvent.keyboard('{Control>}{End}{/Control}');
  expect(focused()).toBe('three');
  expect(toEnd).toHaveBeenCalledOnce();
});

it('ux 16: where nothing was folded the first message is the start; in a field the keys are the field’s', async () => {
  const toEnd = draw(false);
  screen.getByRole('region', { name: 'Transcript' }).focus();
  await userEvent.keyboard('{Control>}{Home}{/Control}');
  expect(focused()).toBe('one');
  screen.getByRole('textbox', { name: 'Elsewhere' }).focus();
  await userEvent.keyboard('{Control>}{End}{/Control}');
  expect(toEnd).not.toHaveBeenCalled();
});
