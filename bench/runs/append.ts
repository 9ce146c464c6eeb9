import { readFileSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeDrafts } from '@/db/contract-tests/session-log-drafts';
import { openFilesSessionLog } from '@/db/files/session-log';
import { EVENT_DEFINITIONS } from '@/server/contract/events/event';
import { encodeFields } from '@/server/core/log/encode-line';
import { makeText } from '../sessions/make-text';
import { createRandom } from '../sessions/random';

/** So many wait for a sync together; the bytes are the same whoever waits. */
const AT_ONCE = 64;

/** perf-A5: bytes this process handed to the disk for each byte of payload, of messages of about 1 kB. */
export async function runAppend({ count }: { readonly count: number }) {
  const dataDir = await mkdtemp(join(tmpdir(), 'tidemark-bench-'));
  const make = makeDrafts();
  const logId = make.id();
  const log = await openFilesSessionLog({ dataDir, ...make, lock: null });
  await log.create(logId, make.opened(logId));
  const random = createRandom(5);
  let payload = 0;
  const before = bytesWritten();
  for (let done = 0; done < count; done += AT_ONCE) {
    const drafts = Array.from({ length: Math.min(AT_ONCE, count - done) }, () =>
      make.message(logId, makeText(random, 1000)),
    );
    for (const draft of drafts) payload += Buffer.byteLength(encodeFields('message.user', fieldsOf(draft))) + 1;
    await Promise.all(drafts.map((draft) => log.append(logId, [draft])));
  }
  const written = bytesWritten() - before;
  await log.close();
  rmSync(dataDir, { recursive: true });
  return { written, payload };
}

function fieldsOf(draft: object): Readonly<Record<string, unknown>> {
  return EVENT_DEFINITIONS['message.user'].fields.strip().parse(draft);
}

/** All bytes this process ever wrote, whoever asked for it. Linux only. */
function bytesWritten(): number {
  return Number(/^wchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1] ?? Number.NaN);
}
