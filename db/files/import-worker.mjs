// What a worker thread is started with: it brings the loader of TypeScript, as scripts/serve.mjs does.
import { tsImport } from 'tsx/esm/api';

await tsImport('./import-thread.ts', import.meta.url);
