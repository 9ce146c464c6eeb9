import { randomBytes } from 'node:crypto';
import { writeSync } from 'node:fs';
import { createIds } from '@/server/core/ids';
import { takeDirectoryLock } from './directory-lock';
import { openFilesSessionLog } from './session-log';

/**
 * A process for the tests to kill: holds the directory given first and, when a log is given, appends to it from
 * three callers at once until it dies, naming each event on its standard output once it is acknowledged.
 */

const [dataDir = '', logId = ''] = process.argv.slice(2);
const clock = { now: () => Date.now() };
const ids = createIds({ clock, drawBytes: randomBytes });
const say = (line: string) => writeSync(1, `${line}\n`);
const envelope = () => ({ id: ids.next(), branch: logId, at: new Date(clock.now()).toISOString() });

const lock = takeDirectoryLock({ dataDir, now: clock.now });
const log = await openFilesSessionLog({ dataDir, ids, clock, lock });
say('ready');

if (logId === '') process.stdin.resume();
else {
  const known = (await log.list()).some((found) => found.logId === logId);
  if (!known) {
    const opened = await log.create(logId, [
      { ...envelope(), type: 'log.opened', format: 'tidemark-log', logId, app: 'test' },
      { ...envelope(), type: 'branch.opened', prev: null, kind: 'root', owner: 'local' },
    ]);
    for (const event of opened) say(event.id);
  }
  await Promise.all([1, 40, 400].map(appendForEver));
}

async function appendForEver(length: number): Promise<never> {
  for (;;) {
    const text = 'wörd '.repeat(length);
    const events = await log.append(logId, [
      { ...envelope(), type: 'message.user', parts: [{ type: 'text', text }], by: 'local', bytes: text.length },
    ]);
    for (const event of events) say(event.id);
  }
}
