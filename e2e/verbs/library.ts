import { expect, type Page } from '@playwright/test';

/** Editing an agent or a skill, as its page lets a person do it. */
export interface Library {
  open(kind: 'agents' | 'skills', name: string): Promise<void>;
  /** Writes a line behind the instructions and waits until the draft is kept. */
  addInstruction(text: string): Promise<void>;
  /** Publishes what the draft holds; gives when it was pressed, in milliseconds since 1970. */
  publish(note: string): Promise<number>;
}

export function createLibrary(page: Page): Library {
  return {
    open: async (kind, name) => {
      await page.goto(`/${kind}`);
      const title = kind === 'agents' ? 'Agents' : 'Skills';
      await page.getByRole('navigation', { name: title }).getByRole('link', { name }).click();
      await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
    },
    addInstruction: async (text) => {
      const field = page.getByRole('textbox', { name: 'Instructions' });
      await field.fill(`${await field.inputValue()}\n${text}`);
      await expect(page.getByText(/Draft saved/)).toBeVisible();
    },
    publish: async (note) => {
      await page.getByRole('button', { name: /^Publish v\d+…$/ }).click();
      const dialog = page.getByRole('dialog', { name: /^Publish v/ });
      await dialog.getByLabel('What changed, in one line').fill(note);
      const pressedAt = Date.now();
      await dialog.getByRole('button', { name: /^Publish v/ }).click();
      await expect(dialog).toHaveCount(0);
      return pressedAt;
    },
  };
}
