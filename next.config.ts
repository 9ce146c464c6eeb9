import type { NextConfig } from 'next';

const config: NextConfig = {
  // The container image alone is built standalone; `npm start` runs scripts/serve.mjs on the plain build.
  output: process.env.NEXT_STANDALONE ? 'standalone' : undefined,
  serverExternalPackages: ['better-sqlite3', 'pg'],
  outputFileTracingIncludes: { '/**': ['./db/migrations/**/*', './db/sqlite/search-*', './server/core/search/*'] },
  poweredByHeader: false,
  generateEtags: false,
  // The server puts the Trusted Types policy into the head of each page, so pages must leave Next uncompressed.
  compress: false,
  // Its browser build decodes `&amp;` by `innerHTML`, which Trusted Types forbid; the other build holds a table.
  turbopack: {
    resolveAlias: {
      'decode-named-character-reference': './node_modules/decode-named-character-reference/index.js',
    },
  },
  // CVE-2026-27980, -44577, -57752: no optimiser, so nothing of it to attack.
  images: { unoptimized: true },
  // Lint and types have checks of their own in `npm test`; a build on a newcomer's machine need not repeat them.
  typescript: { ignoreBuildErrors: true },
};

export default config;
