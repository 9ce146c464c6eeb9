// The thin server around Next's handler. `npm start` ends here; `npm run dev` comes here with --dev.
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tsImport } from 'tsx/esm/api';
import { openCookieFile } from './cookie-file.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** A port nobody listens on, for PORT=0: the address must be known before the first request is judged. */
const findFreePort = (host) =>
  new Promise((done, fail) => {
    const probe = createServer();
    probe.once('error', fail);
    probe.listen(0, host, () => {
      const { port } = probe.address();
      probe.close(() => done(port));
    });
  });

const log = (line) => process.stderr.write(`${line}\n`);
const print = (line) => process.stdout.write(`${line}\n`);

/** Standard output carries the address and nothing else, so that a script can read it; what Next says goes beside it. */
function keepOutputClean() {
  for (const name of ['log', 'info', 'debug']) {
    console[name] = (...words) => {
      // How long Next took to read its settings helps nobody who starts the application.
      if (!/Running next\.config/.test(String(words[0]))) console.error(...words);
    };
  }
}

/** A closed terminal or pipe must not take the server down (rel-R12), nor must one failed request (rel-R13). */
function surviveTrouble() {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  process.on('unhandledRejection', (reason) => log(`unhandled rejection: ${reason?.stack ?? reason}`));
  process.on('uncaughtException', (error) => log(`uncaught exception: ${error?.stack ?? error}`));
}

/** What to say when the address cannot be listened on. */
function explainListenError(error, { host, port }) {
  if (error.code === 'EADDRINUSE') return `Port ${port} is taken. Set PORT to another one, such as PORT=${port + 1}.`;
  if (error.code === 'EACCES') return `Port ${port} may not be opened by this user. Set PORT to one above 1023.`;
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return `HOST=${host} is no address of this machine.`;
  return `The server cannot listen on ${host}:${port}: ${error.message}`;
}

/** Next puts words of its own before what the application said; what was expected needs no stack. */
function explainStartError(error) {
  const isExpected = error.code === 'invalid_request' || String(error.code).startsWith('storage_');
  if (!isExpected) return error.stack;
  return error.message.replace(/^An error occurred while loading instrumentation hook: /, '');
}

/** Next reports a start that failed and serves on: without the application there is nothing to serve. */
async function awaitApplication(dev) {
  const started = globalThis[Symbol.for('tidemark.container')];
  if (started === undefined && !dev) throw new Error('The application did not start; what Next said is above.');
  await started;
}

/** Serves until a signal. Resolves once the ready line is printed; exits with 1 and a reason when it cannot start. */
export async function runServer({ dev }) {
  process.env.NODE_ENV ??= dev ? 'development' : 'production';
  process.env.NEXT_TELEMETRY_DISABLED = '1';
  const { parseReach, serve, takeDirectoryLock } = await loadParts();
  const parsed = parseReach(process.env);
  if (!parsed.ok) return fail(parsed.message);
  const { host, port } = parsed.reach;
  const reach = { ...parsed.reach, port: port === 0 ? await findFreePort(host) : port };
  const dataDir = resolve(ROOT, process.env.TIDEMARK_DATA_DIR || 'data');
  process.env.TIDEMARK_DATA_DIR = dataDir;
  // The application takes the directory itself; asked here first, a second server is refused before Next is even loaded.
  try {
    takeDirectoryLock({ dataDir, now: Date.now }).release();
  } catch (error) {
    return fail(explainStartError(error));
  }
  surviveTrouble();
  keepOutputClean();

  const { default: next } = await import('next');
  const app = next({ dev, dir: ROOT, hostname: host, port: reach.port });
  const prepared = app.prepare();
  prepared.catch(() => {});
  const handle = async (req, res) => {
    await prepared;
    await app.getRequestHandler()(req, res);
  };
  const stopWork = async () => {
    await globalThis[Symbol.for('tidemark.stop')]?.();
  };
  const exit = (code) => process.exit(code);
  const parts = { reach, handle, stopWork, print, log, exit, dev, cookies: openCookieFile(dataDir) };
  try {
    const serving = await serve(parts);
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => void serving.stop(signal));
    await prepared;
    await awaitApplication(dev);
    print(serving.readyLine());
  } catch (error) {
    const isListening = error.syscall === 'listen' || error.syscall === 'getaddrinfo';
    fail(isListening ? explainListenError(error, reach) : explainStartError(error));
  }
}

async function loadParts() {
  const [{ parseReach }, { serve }, { takeDirectoryLock }] = await Promise.all([
    tsImport('../server/http/reach.ts', import.meta.url),
    tsImport('../server/http/serve.ts', import.meta.url),
    tsImport('../db/files/directory-lock.ts', import.meta.url),
  ]);
  return { parseReach, serve, takeDirectoryLock };
}

function fail(message) {
  log(message);
  process.exit(1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await runServer({ dev: process.argv.includes('--dev') });
