import { expect, test } from './fixtures';

test('rel-X11: a page hydrates under the policy, Trusted Types on, and nothing is reported', async ({ page }) => {
  const answer = await page.goto('/');
  expect(answer?.headers()['content-security-policy']).toContain("require-trusted-types-for 'script'");
  await page.waitForFunction(() => {
    const root = document.querySelector('main, [role="main"], body > *');
    return root !== null && Object.keys(root).some((key) => key.startsWith('__react'));
  });
});

test('rel-X11: sinks are closed, whatever a text does to get to them', async ({ page, watch }) => {
  watch.forgive(/TrustedHTML|TrustedScript|Trusted Type|Content Security Policy|csp/i);
  await page.goto('/');
  const outcomes = await page.evaluate(() => {
    const attempt = (act: () => void): string => {
      try {
        act();
        return 'done';
      } catch {
        return 'stopped';
      }
    };
    return [
      attempt(() => {
        document.body.innerHTML = '<b>x</b>';
      }),
      attempt(() => {
        document.createElement('script').text = 'window.ran = true';
      }),
      attempt(() => {
        document.createElement('script').src = 'https://sink.test/x.js';
      }),
    ];
  });
  expect(outcomes).toEqual(['stopped', 'stopped', 'stopped']);
});

test('contract 20: a browser that is not signed in gets a plain page that says what to do', async ({
  browser,
  server,
}) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const answer = await page.goto(server.origin);
  expect(answer?.status()).toBe(401);
  await expect(page.getByRole('heading')).toHaveText('This browser is not signed in');
  await context.close();
});
