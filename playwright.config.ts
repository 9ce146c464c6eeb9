import { defineConfig } from '@playwright/test';
import { browserFlags, browserPath } from './scripts/browser-path.mjs';

// No `webServer`: each worker starts the real `npm start` path itself (e2e/test-server.ts), because the address carries a
// one-time token and some specs stop, kill and restart their server.
export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  // Two cores: a browser and a server keep them busy.
  workers: 1,
  timeout: 60_000,
  // A busy machine is slow, not wrong; what must be quick is measured in the page.
  expect: { timeout: 15_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: process.env.TIDEMARK_E2E_REPORT
    ? [['list'], ['json', { outputFile: process.env.TIDEMARK_E2E_REPORT }]]
    : [['list']],
  use: {
    viewport: { width: 1440, height: 900 },
    screenshot: 'on',
    trace: 'retain-on-failure',
    launchOptions: { executablePath: await browserPath(), args: browserFlags },
  },
  projects: [
    { name: 'chromium', testIgnore: 'faults/**' },
    // Faults of disks, clocks and clients: `npm run faults`. They take minutes and means that not every machine has.
    {
      name: 'faults',
      testMatch: 'faults/**/*.spec.ts',
      timeout: 180_000,
      expect: { timeout: 30_000 },
      use: { screenshot: 'only-on-failure', trace: 'off' },
    },
  ],
});
