// Copied to and run in the scratch folder where the peers are installed: the same conversation in their own shape, opened and cut by
// them, each against the floor of the same process. Prints one line of JSON.
import { closeSync, mkdtempSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [logPath] = process.argv.slice(2);
const time = (work) => {
  const from = performance.now();
  const value = work();
  return [performance.now() - from, value];
};

/** Messages of a log, one after the other, as neither of the peers writes them. */
const items = readFileSync(logPath, 'utf8')
  .split('\n')
  .filter((line) => /"type":"(?:message\.|tool\.result)/.test(line))
  .map((line) => JSON.parse(line));
const textOf = ({ parts }) => parts.map((part) => part.text ?? '').join('');

function writeForPi(path) {
  const file = openSync(path, 'w');
  const at = '2026-01-02T03:04:05.678Z';
  writeSync(file, `${JSON.stringify({ type: 'session', version: 3, id: 'bench', timestamp: at, cwd: '/' })}\n`);
  let parentId = null;
  items.forEach((item, place) => {
    const id = place.toString(16).padStart(8, '0');
    const content = [{ type: 'text', text: textOf(item) }];
    const message = { role: item.type === 'message.user' ? 'user' : 'assistant', content, timestamp: place };
    writeSync(file, `${JSON.stringify({ type: 'message', id, parentId, timestamp: at, message })}\n`);
    parentId = id;
  });
  closeSync(file);
}

async function measurePi() {
  const path = join(mkdtempSync(join(tmpdir(), 'tidemark-peers-')), 'session.jsonl');
  writeForPi(path);
  const { SessionManager } = await import('@mariozechner/pi-coding-agent');
  const read = () =>
    readFileSync(path, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  read();
  const [floorMs] = time(read);
  const [openMs, session] = time(() => SessionManager.open(path));
  const [firstContextMs] = time(() => session.buildSessionContext());
  const [contextMs, context] = time(() => session.buildSessionContext());
  return { floorMs, openMs, firstContextMs, contextMs, messages: context.messages.length };
}

async function measureLangchain() {
  const { AIMessage, HumanMessage, trimMessages } = await import('@langchain/core/messages');
  const messages = items.map((item) =>
    item.type === 'message.user' ? new HumanMessage(textOf(item)) : new AIMessage(textOf(item)),
  );
  const tokenCounter = (list) => list.reduce((sum, { content }) => sum + Math.ceil(content.length / 4), 0);
  const from = performance.now();
  const kept = await trimMessages(messages, { maxTokens: 50_000, strategy: 'last', tokenCounter });
  const trimMs = performance.now() - from;
  const [floorMs] = time(() => JSON.stringify(kept));
  return { trimMs, floorMs, kept: kept.length };
}

const settle = async (work) =>
  work().catch((error) => ({ failed: error instanceof Error ? error.message : String(error) }));
const result = { items: items.length, pi: await settle(measurePi), langchain: await settle(measureLangchain) };
writeFileSync(1, `${JSON.stringify(result)}\n`);
process.exit(0);
