import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { createAnswerLikeAModel, toFakeSummary } from '../../server/model/testing/answer-like-a-model';
import { expect, test } from '../fixtures';

/** case-E02: raw HTML stays text wherever it comes from, and nothing of it runs. */

declare global {
  interface Window {
    __x?: number;
  }
}

const TEXTS: readonly string[] = [
  '<iframe srcdoc="<script>parent.__x=1</script>"></iframe>',
  '<svg/onload=__x=1>',
  '<img src=x onerror=__x=1>',
  '[a](javascript:__x=1)',
  '[b](data:text/html,<script>__x=1</script>)',
  '[c](JaVaScRiPt&colon;__x=1)',
  '<style>*{display:none}</style>',
  '```html\n<script>__x=1</script>\n```',
  '$\\href{javascript:__x=1}{k}$',
  '<a href="https://ok.test" style="position:fixed;inset:0">z</a>',
  '![pixel](https://tracker.test/p.png)',
];
const HOSTILE = TEXTS.join('\n\n');

/** Opens every box of steps, and then every step. */
async function unfold(inside: Locator): Promise<void> {
  for (const closed of ['.steps-head[aria-expanded="false"]', '.step-row[aria-expanded="false"]']) {
    const heads = inside.locator(closed);
    while ((await heads.count()) > 0) await heads.first().click();
  }
}

test('case-E02: model text, reasoning, arguments, results, summary, title and a provider’s error', async ({
  page,
  chat,
  api,
  fakes,
  boundary,
  picture,
}) => {
  const answer = createAnswerLikeAModel({ summary: () => toFakeSummary(HOSTILE) });
  const { push, model } = await fakes.connect({ respond: answer });
  push(
    {
      parts: [
        { reasoning: HOSTILE },
        { text: HOSTILE },
        { call: { id: 'c1', name: 'read_file', args: { path: '<img src=x onerror=__x=1>' } } },
        { call: { id: 'c2', name: '<svg/onload=__x=1>', args: { a: '<img src=x onerror=__x=1>' } } },
      ],
      end: { reason: 'tool_calls' },
    },
    { parts: [{ text: HOSTILE }], end: { reason: 'stop' } },
  );
  const id = await chat.begin({ model, title: '<img src=x onerror=__x=1>' });
  await chat.say(HOSTILE);
  await chat.lastReply.getByRole('button', { name: 'Thought about it' }).click();
  await unfold(chat.lastReply);
  await expect(chat.lastReply.locator('.prose').first()).toContainText('<svg/onload=__x=1>');
  await picture('hostile-reply');

  push({ status: 400, body: { error: { message: HOSTILE, code: '<img src=x onerror=__x=1>' } } });
  await chat.say('Fail, please.');
  await chat.lastReply.getByRole('button', { name: 'Details' }).click();
  // Of the provider's text the echo of the prompt is taken out; its code stands as it came.
  await expect(chat.lastReply.locator('pre').first()).toContainText('provider code: <img src=x onerror=__x=1>');

  await chat.say('Enough to be worth a summary. '.repeat(100));
  await chat.compactBySlash('<img src=x onerror=__x=1>');
  await expect(boundary.newest).toBeVisible();
  await boundary.open();
  await expect(boundary.section('Summary')).toContainText('<svg/onload=__x=1>');
  await picture('hostile-summary');

  expect((await api.session(id)).title).toBe('<img src=x onerror=__x=1>');
  const found = await page.evaluate(() => ({
    ran: window.__x,
    frames: document.querySelectorAll('main iframe, main script, main style, main object, main embed').length,
    images: document.querySelectorAll('main img').length,
    hrefs: [...document.querySelectorAll('main a')].map((link) => link.getAttribute('href') ?? ''),
    covered: document.elementFromPoint(5, 5)?.closest('a')?.href ?? '',
  }));
  expect(found.ran).toBeUndefined();
  expect(found.frames).toBe(0);
  expect(found.images, 'no picture of a stranger is fetched').toBe(0);
  expect(found.hrefs.filter((href) => /^\s*(javascript|data):/i.test(href))).toEqual([]);
  expect(found.covered).not.toContain('ok.test');
});

test('case-E02: an imported session', async ({ page, chat, api, server }) => {
  const fixture = join(
    import.meta.dirname,
    '../../server/core/import/fixtures/agentcmd-full-session-askuserquestion.jsonl',
  );
  const hostile = readFileSync(fixture, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) =>
      JSON.stringify(JSON.parse(line), (key, value: unknown) =>
        (key === 'text' || key === 'content' || key === 'summary') && typeof value === 'string'
          ? `${HOSTILE}\n\n${value}`
          : value,
      ),
    )
    .join('\n');
  const answer = await page.request.fetch('/v1/import?name=<img src=x onerror=__x=1>.jsonl', {
    method: 'POST',
    headers: {
      origin: server.origin,
      'content-type': 'application/octet-stream',
    },
    data: hostile,
  });
  expect(answer.status()).toBeLessThan(300);
  const { sessions } = await answer.json();
  await chat.open(sessions[0].id);
  await expect(chat.transcript).toContainText('<svg/onload=__x=1>');
  await unfold(chat.transcript);
  expect(await page.evaluate(() => window.__x)).toBeUndefined();
  expect(await page.locator('main iframe, main img, main script').count()).toBe(0);
  expect((await api.session(chat.id())).imported).toBe(true);
});
