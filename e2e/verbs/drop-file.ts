import type { Page } from '@playwright/test';

/** Lets a file fall onto the page, as from a file manager. */
export async function dropFile(page: Page, file: { readonly name: string; readonly text: string }): Promise<void> {
  const dataTransfer = await page.evaluateHandle(({ name, text }) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], name, { type: '' }));
    return transfer;
  }, file);
  await page.dispatchEvent('body', 'dragover', { dataTransfer });
  await page.dispatchEvent('body', 'drop', { dataTransfer });
}
