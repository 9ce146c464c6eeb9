import type { Page } from '@playwright/test';

declare global {
  interface Window {
    /** When the row was first on the screen, in milliseconds since 1970, to the microsecond; null until then. */
    rowSeenAt?: number | null;
    /** When a person last pressed a key or a button here. */
    pressedAt?: number;
  }
}

/**
 * Notes in the page itself when something is first painted and when a person last pressed something, so that neither the
 * test's own clock nor its messages to the browser are in the number.
 */
export async function watchFor(page: Page, selector: string): Promise<void> {
  await page.evaluate((wanted) => {
    window.rowSeenAt = null;
    const now = () => performance.timeOrigin + performance.now();
    for (const kind of ['keydown', 'pointerdown'] as const) {
      window.addEventListener(kind, () => (window.pressedAt = now()), { capture: true });
    }
    const look = () => {
      const found = document.querySelector(wanted);
      const shown = found?.checkVisibility({ opacityProperty: true, visibilityProperty: true }) ?? false;
      // The frame after the one that holds it: by then it was painted.
      if (shown) requestAnimationFrame(() => (window.rowSeenAt = now()));
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }, selector);
}

/** Waits for what `watchFor` looks for; gives when it was painted and when something was last pressed before. */
export async function seen(page: Page): Promise<{ readonly seenAt: number; readonly pressedAt: number }> {
  await page.waitForFunction(() => typeof window.rowSeenAt === 'number');
  return page.evaluate(() => ({ seenAt: window.rowSeenAt ?? Number.NaN, pressedAt: window.pressedAt ?? Number.NaN }));
}
