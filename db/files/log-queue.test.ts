import { expect, test } from 'vitest';
import { makeDrafts } from '../contract-tests/session-log-drafts';
import { prepareDrafts } from '../prepare-drafts';
import { LogQueue } from './log-queue';
import { LogWriter } from './log-writer';
import { MemoryDisk } from './memory-disk';

const LOG = '01JZZZZZZZZZZZZZZZZZZZZZZZ';
const PATH = `/logs/${LOG}.jsonl`;

/** An error that cannot even be looked at: whatever was to handle it fails too. */
const unreadable = Object.defineProperty(new Error('of no known kind'), 'code', {
  get: () => {
    throw new Error('nobody reads this');
  },
});

/** A writer that fails as it is told to, in a way that its own handling does not foresee. */
class FailingWriter extends LogWriter {
  failsNext: 'commit' | 'release' | null = null;

  override commit(calls: Parameters<LogWriter['commit']>[0]): ReturnType<LogWriter['commit']> {
    return this.fails('commit') ? Promise.reject(unreadable) : super.commit(calls);
  }

  override release(): Promise<void> {
    return this.fails('release') ? Promise.reject(unreadable) : super.release();
  }

  private fails(call: 'commit' | 'release'): boolean {
    const fails = this.failsNext === call;
    if (fails) this.failsNext = null;
    return fails;
  }
}

async function aQueue() {
  const { ids, clock, opened, message } = makeDrafts();
  const given = { path: PATH, logId: LOG, ops: new MemoryDisk() };
  const writer = new FailingWriter({ ...given, ids, clock });
  const queue = new LogQueue({ ...given, writer });
  await queue.append({ drafts: prepareDrafts(opened(LOG)), creates: true });
  const say = (text: string) => queue.append({ drafts: prepareDrafts([message(LOG, text)]), creates: false });
  return { queue, writer, say };
}

test('rel-R13: a batch that ends as nobody foresaw is refused, and what waits behind it is written', async () => {
  const { queue, writer, say } = await aQueue();
  writer.failsNext = 'commit';
  const first = say('meets it');
  const behind = say('waits');
  await expect(first).rejects.toThrow();
  await expect(behind).resolves.toMatchObject([{ type: 'message.user' }]);
  await expect(say('goes on')).resolves.toHaveLength(1);
  await queue.close();
});

test('rel-R13: a handle that cannot be let go holds no append up', async () => {
  const { queue, writer, say } = await aQueue();
  writer.failsNext = 'release';
  queue.releaseWhenIdle();
  await expect(say('goes on')).resolves.toHaveLength(1);
  await queue.close();
});
