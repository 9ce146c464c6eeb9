import { act, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type ScrollController, useScrollController } from './use-scroll-controller';

/** A view of 600 px over a page laid out by hand: what was sent at `askTop`, the end of the page at `end`. */
const viewPx = 600;
const page = { askTop: 0, end: 0 };
let scroll: ScrollController;

function box(top: number, bottom: number): DOMRect {
  return new DOMRect(0, top, 700, bottom - top);
}

function Page() {
  scroll = useScrollController({ ready: true, storageKey: 'place' });
  return (
    <section ref={scroll.viewRef} data-view="">
      <div ref={scroll.contentRef} data-content="">
        <div data-block="ask" />
      </div>
      <div ref={scroll.spacerRef} data-spacer="" />
    </section>
  );
}

function draw() {
  const drawn = render(<Page />);
  const [view] = drawn.container.querySelectorAll<HTMLElement>('[data-view]');
  const spacer = drawn.container.querySelector<HTMLElement>('[data-spacer]');
  const content = drawn.container.querySelector<HTMLElement>('[data-content]');
  const ask = drawn.container.querySelector<HTMLElement>('[data-block]');
  if (!view || !spacer || !content || !ask) throw new Error('The page was not drawn.');
  let top = 0;
  const height = () => page.end + Number.parseFloat(spacer.style.height || '0');
  Object.defineProperties(view, {
    clientHeight: { get: () => viewPx },
    scrollHeight: { get: height },
    scrollTop: {
      get: () => top,
      set: (to: number) => {
        top = Math.max(0, Math.min(to, height() - viewPx));
      },
    },
  });
  view.getBoundingClientRect = () => box(0, viewPx);
  content.getBoundingClientRect = () => box(-top, page.end - top);
  ask.getBoundingClientRect = () => box(page.askTop - top, page.askTop + 60 - top);
  const grow = (end: number) => {
    page.end = end;
    drawn.rerender(<Page />);
  };
  return { view, grow };
}

beforeEach(() => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
  vi.stubGlobal('CSS', { escape: (text: string) => text });
  Object.assign(page, { askTop: 2_000, end: 2_060 });
});

afterEach(() => {
  vi.unstubAllGlobals();
  sessionStorage.clear();
});

it('ux 5: what was sent rests near the top while the reply grows; past the visible end the reply is followed', () => {
  const { view, grow } = draw();
  act(() => scroll.anchor('ask'));
  expect(view.scrollTop).toBe(1_984);
  grow(2_400);
  expect(scroll.mode).toBe('anchored');
  expect(view.scrollTop).toBe(1_984);
  grow(3_000);
  expect(scroll.mode).toBe('following');
  expect(view.scrollTop).toBe(3_000 - viewPx);
  expect(scroll.below).toBe(false);
});

it('case-E01: a reader who went up is not moved by a reply that grows, and is told that there is more', () => {
  const { view, grow } = draw();
  act(() => scroll.anchor('ask'));
  grow(2_400);
  act(() => {
    view.scrollTop = 1_500;
    view.dispatchEvent(new Event('scroll'));
  });
  expect(scroll.mode).toBe('free');
  grow(4_000);
  expect(view.scrollTop).toBe(1_500);
  expect(scroll.below).toBe(true);
});

it('ux 6.1: a card that opened itself stays where it can be read from its head, and says that there is more below', () => {
  const { view, grow } = draw();
  act(() => scroll.rest('ask'));
  grow(4_000);
  expect(scroll.mode).toBe('anchored');
  expect(view.scrollTop).toBe(1_984);
  expect(scroll.below).toBe(true);
});
