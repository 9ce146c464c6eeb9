import { screen, waitFor } from '@testing-library/dom';
import { afterEach, describe, expect, it } from 'vitest';
import { focusComposerOnceThere } from './use-composer-arrival';

/** A page that is still being read, with a rail beside it. */
function drawPage(): HTMLElement {
  document.body.innerHTML = '<input aria-label="Filter"><main id="main" tabindex="-1"></main>';
  return screen.getByRole('main');
}
const composer = '<form id="composer"><textarea data-region-focus="" aria-label="Message"></textarea></form>';

afterEach(() => {
  document.body.innerHTML = '';
});

describe('the focus after going to a new conversation (ux 10)', () => {
  it('waits for the composer and goes into it', async () => {
    const main = drawPage();
    focusComposerOnceThere();
    expect(document.body).toHaveFocus();
    main.innerHTML = composer;
    await waitFor(() => expect(screen.getByLabelText('Message')).toHaveFocus());
  });

  it('is not taken from where a person put it meanwhile', async () => {
    const main = drawPage();
    focusComposerOnceThere();
    screen.getByLabelText('Filter').focus();
    main.innerHTML = composer;
    await Promise.resolve();
    expect(screen.getByLabelText('Filter')).toHaveFocus();
  });

  it('is not moved any more once stopped', async () => {
    const main = drawPage();
    focusComposerOnceThere()();
    main.innerHTML = composer;
    await Promise.resolve();
    expect(document.body).toHaveFocus();
  });
});
