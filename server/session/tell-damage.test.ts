import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openFilesSessionLog } from '@/db/files/session-log';
import { createIds } from '@/server/core/ids';
import { encodeLine } from '@/server/core/log/encode-line';
import { aLog } from '@/server/core/projection/log-builder';
import { createLogEntries } from './log-entries';
import { createDamageTeller } from './tell-damage';

const clock = { now: () => Date.UTC(2026, 5, 1) };
const ids = createIds({ clock, drawBytes: (count) => new Uint8Array(count) });

let dataDir = '';
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'tidemark-damage-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

describe('damage in the output of the server', () => {
  it('L6: a log with a flipped byte is told once a process, by its id and place, without a word of it', async () => {
    const story = aLog().session().says('harbour').replies('quay').says('lantern').replies('mole');
    const { logId } = story.log();
    const files = await openFilesSessionLog({ dataDir, ids, clock, lock: null });
    const lines = story.events().map(encodeLine);
    const at = lines.findIndex((line) => line.includes('lantern'));
    const from = Buffer.byteLength(lines.slice(0, at).join(''));
    const to = from + Buffer.byteLength(lines[at] ?? '') - 1;
    const path = join(dataDir, 'logs', `${logId}.jsonl`);
    writeFileSync(
      path,
      lines.map((line, place) => (place === at ? line.replace('lantern', 'lanterm') : line)).join(''),
    );
    const before = readFileSync(path);
    const said: string[] = [];
    const report = (line: string) => said.push(line);
    const entries = createLogEntries({
      ...{ sessionLog: files, side: files.side, ids, keptLogs: 4, report },
      finish: (state) => state,
    });
    await entries.get(logId);
    entries.drop(logId);
    await entries.get(logId);
    await entries.settled();
    expect(said).toHaveLength(1);
    expect(said[0]).toContain(`The log ${logId} is damaged at bytes ${from}-${to} (`);
    expect(said[0]).not.toMatch(/lanter|harbour/);
    // Looking changes nothing.
    expect(readFileSync(path).equals(before)).toBe(true);
    await files.close();
  });

  it('L6: what is found later is told alone, a sound log never, and a million places take one short line', () => {
    const said: string[] = [];
    const tell = createDamageTeller((line) => said.push(line));
    const place = (from: number) => ({ from, to: from + 10, why: 'checksum' });
    tell('quiet', []);
    expect(said).toEqual([]);
    tell('one', [place(5)]);
    tell('one', [place(5), place(70)]);
    expect(said).toEqual([
      'The log one is damaged at bytes 5-15 (checksum); everything else in it is read.',
      'The log one is damaged at bytes 70-80 (checksum); everything else in it is read.',
    ]);
    tell(
      'many',
      Array.from({ length: 1_000_000 }, (_, index) => place(index * 20)),
    );
    expect(said.at(-1)).toContain(' and 999980 more;');
    expect(said.at(-1)?.length).toBeLessThan(1_000);
  });
});
