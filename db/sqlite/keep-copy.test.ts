import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDocumentStore } from './document-store';
import { createJobStore } from './job-store';
import { type KeptCopy, keepCopy } from './keep-copy';
import { type OpenedSqlite, openSqlite } from './open';
import { createRunningPartStore, createSettingsStore } from './small-stores';

const migrations = fileURLToPath(new URL('../migrations', import.meta.url));

/** A data directory with its database open and a copy kept; time stands still until a timer is rung. */
class Desk {
  readonly folder = mkdtempSync(join(tmpdir(), 'tidemark-copy-'));
  readonly path = join(this.folder, 'main.sqlite');
  readonly copyPath = join(this.folder, 'backup', 'main.sqlite');
  readonly said: string[] = [];
  readonly waits: number[] = [];
  opened: OpenedSqlite;
  private copy: KeptCopy;
  private timer: (() => void) | null = null;
  private names = 0;

  constructor() {
    this.opened = this.open();
    this.copy = this.keep();
  }

  get db() {
    return this.opened.db;
  }

  get waiting(): boolean {
    return this.timer !== null;
  }

  async ring(): Promise<void> {
    const act = this.timer;
    this.timer = null;
    act?.();
    await this.copy.settled();
  }

  async close(): Promise<void> {
    await this.copy.stop();
    this.opened.close();
  }

  reopen(): void {
    this.timer = null;
    this.opened = this.open();
    this.copy = this.keep();
  }

  /** One value out of the copy, which has to be whole. */
  readCopy(sql: string): unknown {
    const db = new Database(this.copyPath, { readonly: true });
    try {
      expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
      return db.prepare(sql).pluck().get();
    } finally {
      db.close();
    }
  }

  private open(): OpenedSqlite {
    return openSqlite({ path: this.path, copy: this.copyPath, migrations, now: 7 });
  }

  private keep(): KeptCopy {
    return keepCopy({
      client: this.opened.db.$client,
      path: this.copyPath,
      startTimer: (ms, act) => {
        this.waits.push(ms);
        this.timer = act;
        return () => {
          this.timer = null;
        };
      },
      nextName: () => {
        this.names += 1;
        return `copy-${this.names}`;
      },
      report: (line) => this.said.push(line),
    });
  }
}

const addAgent = (desk: Desk, id: string) =>
  createDocumentStore(desk.db).create({ id, kind: 'agent', draft: { name: id }, now: 1 });
const agentsIn = (desk: Desk) => desk.readCopy("select group_concat(id, ' ') from documents");

describe('contract-20: a consistent copy of the database is kept beside it', () => {
  let desk: Desk;
  beforeEach(() => {
    desk = new Desk();
  });
  afterEach(async () => {
    await desk.close();
    rmSync(desk.folder, { recursive: true });
  });

  it('is made after each start, and within 30 s of a change to what is not derived', async () => {
    expect(desk.waiting).toBe(true);
    await desk.ring();
    expect(desk.readCopy('select count(*) from documents')).toBe(0);
    expect(desk.waiting).toBe(false);
    addAgent(desk, 'A');
    createSettingsStore(desk.db).write(0, { a: 1 });
    expect(desk.waits).toHaveLength(2);
    expect(Math.max(...desk.waits)).toBeLessThanOrEqual(30_000);
    await desk.ring();
    expect(agentsIn(desk)).toBe('A');
    expect(desk.readCopy('select value_json from settings')).toBe('{"a":1}');
    expect(desk.waiting).toBe(false);
  });

  it('is not made anew for what is derived or passes', async () => {
    await desk.ring();
    const job = { id: '1', kind: 'session.turn', serialKey: 'S', priority: 10, payload: {}, now: 1 };
    createJobStore(desk.db).enqueue(job);
    createRunningPartStore(desk.db).save([{ messageId: 'm', sessionId: 's', turnId: 't', parts: [] }]);
    expect(desk.waiting).toBe(false);
  });

  it('holds a change that came while the copy was being made in the next one', async () => {
    for (let n = 0; n < 400; n += 1) addAgent(desk, `many-${n}`.padEnd(2000, '.'));
    const copied = desk.ring();
    addAgent(desk, 'late');
    await copied;
    expect(desk.waiting).toBe(true);
    await desk.ring();
    expect(desk.readCopy("select count(*) from documents where id = 'late'")).toBe(1);
  });

  it('case-C04, rel-S30: has its name only when it is whole, is nobody else to read, and leaves nothing half-made', async () => {
    const before = process.umask(0o077);
    await desk.ring();
    process.umask(before);
    expect(readdirSync(join(desk.folder, 'backup'))).toEqual(['main.sqlite']);
    expect((statSync(desk.copyPath).mode & 0o777).toString(8)).toBe('600');
    await desk.close();
    writeFileSync(join(desk.folder, 'backup', 'crashed.part'), 'half a database');
    desk.reopen();
    expect(readdirSync(join(desk.folder, 'backup'))).toEqual(['main.sqlite']);
  });

  it('says when it cannot be made, leaves the last one, and tries again', async () => {
    await desk.ring();
    addAgent(desk, 'A');
    // A folder that is none: no file can be made in it, whoever runs the test.
    rmSync(join(desk.folder, 'backup'), { recursive: true });
    writeFileSync(join(desk.folder, 'backup'), '');
    await desk.ring();
    expect(desk.said).toEqual([expect.stringContaining('The copy of the database was not made')]);
    expect(desk.waiting).toBe(true);
    rmSync(join(desk.folder, 'backup'));
    await desk.ring();
    expect(agentsIn(desk)).toBe('A');
  });

  it('is made at the stop where a change is not in it yet', async () => {
    addAgent(desk, 'last');
    await desk.close();
    expect(agentsIn(desk)).toBe('last');
    desk.reopen();
  });
});

describe('contract-20: at start a damaged database is set aside and the copy used', () => {
  let desk: Desk;
  beforeEach(async () => {
    desk = new Desk();
    addAgent(desk, 'A');
    const job = { id: '1', kind: 'session.turn', serialKey: 'S', priority: 10, payload: {}, now: 1 };
    createJobStore(desk.db).enqueue(job);
    createRunningPartStore(desk.db).save([{ messageId: 'm', sessionId: 's', turnId: 't', parts: [] }]);
    desk.db.$client.exec("insert into indexed_logs (log_id, bytes) values ('L', 5)");
    await desk.close();
  });
  afterEach(async () => {
    await desk.close();
    rmSync(desk.folder, { recursive: true });
  });

  const spoil = (path: string) => writeFileSync(path, Buffer.concat([Buffer.alloc(5000, 'no database')]));
  const agents = () =>
    createDocumentStore(desk.db)
      .list('agent')
      .map(({ id }) => id);
  const names = () => readdirSync(desk.folder).filter((name) => name.endsWith('.sqlite'));

  it('opens one in good health as it is', () => {
    desk.reopen();
    expect(desk.opened).toMatchObject({ setAside: null, restored: false });
    expect(names()).toEqual(['main.sqlite']);
  });

  it('puts the copy in its place and keeps the damaged bytes', () => {
    spoil(desk.path);
    const damaged = readFileSync(desk.path);
    desk.reopen();
    expect(desk.opened).toMatchObject({ setAside: join(desk.folder, 'damaged-7.sqlite'), restored: true });
    expect(agents()).toEqual(['A']);
    expect(readFileSync(join(desk.folder, 'damaged-7.sqlite'))).toEqual(damaged);
    expect(existsSync(desk.copyPath)).toBe(true);
  });

  it('L1: takes nothing from the copy that is derived or was under way', () => {
    spoil(desk.path);
    desk.reopen();
    const count = (table: string) => desk.db.$client.prepare(`select count(*) from ${table}`).pluck().get();
    expect([count('indexed_logs'), count('sessions'), count('running_parts')]).toEqual([0, 0, 0]);
    expect(createJobStore(desk.db).pending('S')).toEqual([]);
  });

  it('uses it where the database is missing', () => {
    rmSync(desk.path);
    desk.reopen();
    expect(desk.opened).toMatchObject({ setAside: null, restored: true });
    expect(agents()).toEqual(['A']);
  });

  it('begins anew where the copy is damaged too', () => {
    spoil(desk.path);
    spoil(desk.copyPath);
    desk.reopen();
    expect(desk.opened).toMatchObject({ setAside: expect.any(String), restored: false });
    expect(agents()).toEqual([]);
  });

  it('sees an index that does not belong to its table, as a plain copy of a running directory may hold', () => {
    const db = new Database(desk.path);
    for (let n = 0; n < 60; n += 1)
      db.prepare("insert into jobs values (?, 'k', ?, 10, 'done', '{}', null, null, 1, null, null, null)").run(
        `j${n}`,
        `s${n}`,
      );
    const root = Number(db.prepare("select rootpage from sqlite_master where name = 'jobs_waiting'").pluck().get());
    const pageSize = Number(db.pragma('page_size', { simple: true }));
    db.close();
    const bytes = readFileSync(desk.path);
    // One key of the index that is not the one of its row: every page is well-formed.
    const at = bytes.indexOf('done', (root - 1) * pageSize);
    expect(at).toBeLessThan(root * pageSize);
    bytes.write('dona', at);
    writeFileSync(desk.path, bytes);
    writeFileSync(`${desk.path}-wal`, '');
    desk.reopen();
    expect(desk.opened).toMatchObject({ setAside: expect.any(String), restored: true });
  });

  it('works where nothing was ever kept', () => {
    rmSync(desk.folder, { recursive: true });
    mkdirSync(desk.folder);
    desk.reopen();
    expect(desk.opened).toMatchObject({ setAside: null, restored: false });
  });
});
