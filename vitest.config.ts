import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

// Property tests do real work; on a machine that is busy elsewhere five seconds would say nothing about them.
const slow = { testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 20_000 } } };
const alias = { '@': fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/, '') };

export default defineConfig({
  resolve: { alias },
  test: {
    // Two cores are the smallest machine the suite is meant for.
    maxWorkers: 2,
    projects: [
      {
        resolve: { alias },
        test: {
          name: 'node',
          environment: 'node',
          ...slow,
          include: ['{server,db,scripts,app,components,bench,docs,eval}/**/*.test.ts'],
        },
      },
      {
        plugins: [react()],
        resolve: { alias },
        test: {
          name: 'jsdom',
          environment: 'jsdom',
          ...slow,
          include: ['{components,app}/**/*.test.tsx'],
          setupFiles: ['./scripts/vitest-dom.ts'],
        },
      },
    ],
  },
});
