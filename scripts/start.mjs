// `npm start`: install what is missing, build what is old, serve, and print one line with the address.
import { fileURLToPath } from 'node:url';
import { ensureBuilt, ensureInstalled, judgeNode, PrepareError } from './prepare.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

async function main() {
  const trouble = judgeNode(process.versions.node);
  if (trouble !== null) throw new PrepareError(trouble);
  await ensureInstalled(ROOT);
  await ensureBuilt(ROOT);
  const { runServer } = await import('./serve.mjs');
  await runServer({ dev: false });
}

main().catch((error) => {
  process.stderr.write(`${error instanceof PrepareError ? error.message : error.stack}\n`);
  process.exit(1);
});
