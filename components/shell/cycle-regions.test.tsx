import { render } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { focusNextRegion } from './cycle-regions';

function Page({ deskOpen }: { readonly deskOpen: boolean }) {
  return (
    <>
      <nav id="sessions" data-region="" tabIndex={-1} />
      <main id="main" data-region="" tabIndex={-1}>
        <button id="inside" type="button">
          Inside
        </button>
        <form data-region="" tabIndex={-1}>
          <textarea id="field" data-region-focus="" />
        </form>
      </main>
      <aside id="desk" data-region="" tabIndex={-1} hidden={!deskOpen} />
    </>
  );
}

function walk(steps: readonly (1 | -1)[]): readonly string[] {
  return steps.map((step) => {
    focusNextRegion(step);
    return document.activeElement?.id ?? '';
  });
}

describe('F6 (ux 3)', () => {
  it('goes through Sessions, Conversation, Composer and Desk, and round again', () => {
    render(<Page deskOpen />);
    expect(walk([1, 1, 1, 1, 1])).toEqual(['sessions', 'main', 'field', 'desk', 'sessions']);
  });

  it('goes back the same way, from outside to the last, and passes over what is hidden', () => {
    render(<Page deskOpen={false} />);
    expect(walk([-1, -1, -1])).toEqual(['field', 'main', 'sessions']);
  });

  it('leaves from the innermost region that holds the focus', () => {
    render(<Page deskOpen />);
    document.getElementById('inside')?.focus();
    expect(walk([1])).toEqual(['field']);
  });
});
