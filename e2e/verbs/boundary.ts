import { expect, type Locator, type Page } from '@playwright/test';

/** The row of a compaction that runs, and the card it becomes. */
export interface Boundary {
  readonly rows: Locator;
  /** The slot's line above the composer. */
  readonly slot: Locator;
  readonly cards: Locator;
  readonly newest: Locator;
  readonly banner: Locator;
  readonly trims: Locator;
  /** Opens the newest card where it is closed. */
  open(): Promise<Locator>;
  /** A section of the open card, by its heading. */
  section(label: string): Locator;
}

export function createBoundary(page: Page): Boundary {
  const cards = page.locator('section.boundary');
  const newest = cards.last();
  return {
    rows: page.locator('[data-compaction-row]'),
    slot: page.getByRole('region', { name: 'Compacting' }),
    cards,
    newest,
    banner: page.getByRole('region', { name: 'Agent has newer versions' }),
    trims: page.getByRole('article', { name: 'Left out to fit' }),
    open: async () => {
      const head = newest.locator('[data-fold-head]');
      if ((await head.getAttribute('aria-expanded')) === 'false') await head.click();
      await expect(head).toHaveAttribute('aria-expanded', 'true');
      return newest;
    },
    section: (label) =>
      newest.locator('.ledger-row').filter({ has: page.getByRole('heading', { name: label, exact: true }) }),
  };
}
