import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures';
import { everyOverlay, everyPlace, makeFullConversation } from '../verbs/every-page';

/** Whatever is shown can be read and reached by everybody: ux 17, checks 12 and 15. */

test.use({ serverFor: 'access' });

/**
 * What axe finds, short enough to read in a failure: rule, element, why. Left out are the sentinels of Base UI's popups:
 * they take the focus for no longer than it takes to hand it on, and are hidden so that nobody meets them by reading.
 */
async function findViolations(axe: AxeBuilder): Promise<readonly string[]> {
  const { violations } = await axe.exclude('[data-base-ui-focus-guard]').analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) =>
        `${id}: ${target.join(' ')}: ${failureSummary?.split('\n').slice(0, 2).join(' ')}`,
    ),
  );
}

test('ux 17.12: axe finds nothing on any page or in anything that lies over one, light and dark', async ({
  page,
  chat,
  fakes,
  boundary,
  picture,
  watch,
}) => {
  watch.forgive(/status of 404/);
  test.setTimeout(300_000);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const conversation = await makeFullConversation({ chat, fakes, boundary });
  for (const place of [...everyPlace, ...everyOverlay]) {
    await test.step(place.name, async () => {
      await page.emulateMedia({ colorScheme: 'light' });
      await place.go(page, conversation);
      const axe = new AxeBuilder({ page });
      // A popup of its button stands in no landmark; that rule knows pages only.
      if (place.popup) axe.disableRules(['region']);
      expect.soft(await findViolations(axe), place.name).toEqual([]);
      await picture(`light-${place.name.replaceAll(' ', '-')}`);
      // The theme changes colours and nothing else.
      await page.emulateMedia({ colorScheme: 'dark' });
      const colours = new AxeBuilder({ page }).withRules(['color-contrast']);
      expect.soft(await findViolations(colours), `${place.name}, dark`).toEqual([]);
      await picture(`dark-${place.name.replaceAll(' ', '-')}`);
    });
  }
});

/**
 * What sticks out of the window, or is cut off inside a box that neither scrolls nor shows dots. Boxes that scroll
 * sideways by themselves are looked at as one.
 */
async function findClipped(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const root = document.documentElement;
    if (root.scrollWidth > root.clientWidth)
      found.push(`the page is ${root.scrollWidth} px wide in ${root.clientWidth}`);
    const name = (element: Element) =>
      `${element.tagName.toLowerCase()}.${element.getAttribute('class')?.slice(0, 60) ?? ''} “${element.textContent?.trim().slice(0, 40) ?? ''}”`;
    const excused = (element: Element): boolean => {
      for (let at: Element | null = element; at; at = at.parentElement) {
        const style = getComputedStyle(at);
        if (/auto|scroll/.test(style.overflowX) && at.scrollWidth > at.clientWidth && at !== root) return true;
        if (style.textOverflow === 'ellipsis' || style.clipPath !== 'none' || at.ariaHidden === 'true') return true;
        if (at.classList.contains('sr-only') || (style.position === 'fixed' && style.pointerEvents === 'none'))
          return true;
      }
      return false;
    };
    for (const element of document.body.querySelectorAll('*')) {
      if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      const box = element.getBoundingClientRect();
      if (box.width < 2 || box.height < 2) continue;
      const style = getComputedStyle(element);
      const cutInside =
        /hidden|clip/.test(style.overflowX) && element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0;
      if ((box.right > innerWidth + 1 || box.left < -1 || cutInside) && !excused(element)) {
        found.push(
          `${name(element)} ${Math.round(box.left)}…${Math.round(box.right)}${cutInside ? ' cut inside' : ''}`,
        );
      }
    }
    return found.slice(0, 8);
  });
}

const WINDOWS = [
  { name: 'a desktop, 1440 px', width: 1440, height: 900 },
  { name: 'a phone, 390 px', width: 390, height: 844 },
  { name: '400 % zoom at 1280 px', width: 320, height: 256 },
] as const;

test('ux 17.15: nothing is cut off sideways, on a desktop, on a phone, at 400 % zoom', async ({
  page,
  chat,
  fakes,
  boundary,
  picture,
  watch,
}) => {
  watch.forgive(/status of 404/);
  test.setTimeout(180_000);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const conversation = await makeFullConversation({ chat, fakes, boundary });
  for (const place of everyPlace) {
    await test.step(place.name, async () => {
      await page.setViewportSize(WINDOWS[0]);
      await place.go(page, conversation);
      for (const { name, width, height } of WINDOWS) {
        await page.setViewportSize({ width, height });
        expect.soft(await findClipped(page), `${place.name} on ${name}`).toEqual([]);
        await picture(`${width}-${place.name.replaceAll(' ', '-')}`);
      }
    });
  }
});

test('ux 3: on a phone the conversations are a drawer and the Desk a sheet, and the composer stays in sight', async ({
  page,
  chat,
  picture,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await chat.begin();
  await expect(chat.field).toBeInViewport();
  await page
    .getByRole('button', { name: /sessions|conversations/i })
    .first()
    .click();
  await expect(page.getByRole('navigation', { name: 'Sessions' })).toBeInViewport();
  await picture('drawer');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('navigation', { name: 'Sessions' })).not.toBeInViewport();
});

test('ux 2.2: under forced colours the fold keeps its edge and focus its ring', async ({
  page,
  chat,
  fakes,
  boundary,
  picture,
}) => {
  test.slow();
  const conversation = await makeFullConversation({ chat, fakes, boundary });
  await page.emulateMedia({ forcedColors: 'active' });
  await chat.open(conversation);
  await page.locator('[data-fold-head]').last().focus();
  await picture('forced-colours');
  const outline = await page
    .locator('[data-fold-head]')
    .last()
    .evaluate((head) => getComputedStyle(head).outlineStyle);
  expect(outline).not.toBe('none');
});
