import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeDrafts } from '@/db/contract-tests/session-log-drafts';
import { openFilesSessionLog } from '@/db/files/session-log';
import { encodeLine } from '@/server/core/log/encode-line';
import { aLog } from '@/server/core/projection/log-builder';
import { manageApps } from './testing/stories';

const sumUp = (text: string) => `${text},"c":"${crc32(text).toString(16).padStart(8, '0')}"}\n`;

const story = aLog().says('one').replies('1').says('two').replies('2');
const logId = story.branch;
const before = story.events().map(encodeLine).join('');
const seq = story.events().length + 1;
const head = story.state().head;
const envelope = `"seq":${seq},"id":"01K000000000000000000ZNEWR","branch":"${logId}","at":"2030-01-01T00:00:00.000Z"`;

/** Lines that a later release may write, and that this one knows nothing of. */
const NEWER = [
  {
    what: 'a type, on the path',
    line: sumUp(`{"v":1,${envelope},"type":"hologram.shown","prev":${head},"metres":3`),
    onPath: true,
  },
  {
    what: 'a type, beside the path',
    line: sumUp(`{"v":1,${envelope},"type":"mood.noted","mood":"calm"`),
    onPath: false,
  },
  {
    what: 'a field of a type that is known',
    line: sumUp(`{"v":1,${envelope},"type":"note","prev":${head},"kind":"retry","text":"hm","shade":"blue"`),
    onPath: true,
  },
  {
    what: 'a higher version',
    line: sumUp(`{"v":2,${envelope},"type":"note","prev":${head},"kind":"retry","text":"hm"`),
    onPath: true,
  },
];

describe('rel-S24: a log that a newer version has written to', () => {
  let dataDir: string;
  let path: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'tidemark-newer-'));
    path = join(dataDir, 'logs', `${logId}.jsonl`);
    await (await openFilesSessionLog({ dataDir, ...makeDrafts(), lock: null })).close();
  });
  afterEach(() => rm(dataDir, { recursive: true }));
  // Behind the one that removes the directory: what is registered last runs first.
  const newApp = manageApps();

  it.each(NEWER)(
    '$what: opens, is shown as such, takes no appends, and is exported byte for byte',
    async ({ line, onPath }) => {
      await writeFile(path, before + line);
      const { app } = await newApp({ sessionLog: await openFilesSessionLog({ dataDir, ...makeDrafts(), lock: null }) });
      const session = await app.sessions.get(logId);
      expect(session.readOnly).toMatchObject({ why: 'newer_version' });
      const { messages } = await app.sessions.messages(logId, { limit: 100 });
      const texts = messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])));
      expect(texts.filter((text) => ['one', '1', 'two', '2'].includes(text))).toEqual(['one', '1', 'two', '2']);
      if (onPath) expect(JSON.stringify(messages)).toContain('newer version');

      const post = { text: 'and on', clientMessageId: 'm1' };
      await expect(app.messages.post(logId, post, 'owner')).rejects.toMatchObject({ code: 'conflict' });
      await expect(app.sessions.patch(logId, { title: 'mine now' })).rejects.toMatchObject({ code: 'conflict' });
      expect(await (await app.exports.log(logId)).text()).toBe(before + line);
      expect(await readFile(path, 'utf8')).toBe(before + line);
    },
  );

  it('a fork from before that line goes on, and the line stays', async () => {
    const line = NEWER[0]?.line ?? '';
    await writeFile(path, before + line);
    const test = await newApp({ sessionLog: await openFilesSessionLog({ dataDir, ...makeDrafts(), lock: null }) });
    const fork = await test.app.travel.fork(logId, story.itemId(2));
    expect((await test.say(fork.id, 'help')).state).toBe('finished');
    expect((await readFile(path, 'utf8')).startsWith(before + line)).toBe(true);
  });
});
