import { randomBytes } from 'node:crypto';
import { appendFileSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { takeDirectoryLock } from '../../db/files/directory-lock';
import { openFilesSessionLog } from '../../db/files/session-log';
import { toErrorBody } from '../../server/contract/error';
import type { EventDraft, StoredEvent } from '../../server/contract/events/event';
import { createIds } from '../../server/core/ids';
import type { Asked, Told } from './log-child-talk';

/**
 * A process that holds a data directory and does with its logs what it is asked to on its standard input, a line each; what
 * became of it is said on standard output once it is so. For tests that kill it or give it a disk that fails.
 */

const [dataDir = '', recordPath = ''] = process.argv.slice(2);
const clock = { now: () => Date.now() };
const ids = createIds({ clock, drawBytes: randomBytes });
const openings = new Map<string, readonly EventDraft[]>();
const tell = (told: Told) => void writeSync(1, `${JSON.stringify(told)}\n`);

const from = performance.now();
try {
  const lock = takeDirectoryLock({ dataDir, now: clock.now });
  const log = await openFilesSessionLog({ dataDir, ids, clock, lock });
  tell({ told: 'ready' });
  for await (const line of createInterface({ input: process.stdin })) await act(log, JSON.parse(line));
} catch (error) {
  const { code, message } = toErrorBody(error).body.error;
  tell({ told: 'refused', code, message, afterMs: performance.now() - from });
  process.exitCode = 1;
}

async function act(log: Awaited<ReturnType<typeof openFilesSessionLog>>, asked: Asked): Promise<void> {
  const { logId } = asked;
  if (asked.ask === 'flood') {
    // Four who write at once, short lines and long ones, until the end.
    for (const words of [1, 20, 100, 400]) void floodWith(log, logId, words);
    return;
  }
  const work = 'words' in asked ? log.append(logId, said(logId, asked.words)) : log.create(logId, opening(logId));
  await work.then(acknowledge, (error: unknown) => {
    const { code, message } = toErrorBody(error).body.error;
    tell({ told: 'refused', code, message, afterMs: 0 });
  });
}

async function floodWith(log: Awaited<ReturnType<typeof openFilesSessionLog>>, logId: string, words: number) {
  for (;;) acknowledge(await log.append(logId, said(logId, words)));
}

/** Said where the calls on the disk are recorded too, so that what was promised when stands in one order. */
function acknowledge(events: readonly StoredEvent[]): void {
  const acked = events.map(({ id }) => id);
  if (recordPath !== '') appendFileSync(recordPath, `ack 0 0 ${acked.join(',')}\n`);
  tell({ told: 'acknowledged', ids: acked, seqs: events.map(({ seq }) => seq) });
}

function envelope(logId: string) {
  return { id: ids.next(), branch: logId, at: new Date(clock.now()).toISOString() };
}

/** The same drafts for a creation that is tried again: what is left of the first attempt may stand there whole. */
function opening(logId: string): readonly EventDraft[] {
  const drafts: readonly EventDraft[] = openings.get(logId) ?? [
    { ...envelope(logId), type: 'log.opened', format: 'tidemark-log', logId, app: 'test' },
    { ...envelope(logId), type: 'branch.opened', prev: null, kind: 'root', owner: 'local' },
  ];
  openings.set(logId, drafts);
  return drafts;
}

function said(logId: string, words: number): readonly EventDraft[] {
  const text = 'wörd '.repeat(words);
  return [
    {
      ...envelope(logId),
      type: 'message.user',
      parts: [{ type: 'text', text }],
      by: 'local',
      bytes: Buffer.byteLength(text),
    },
  ];
}
