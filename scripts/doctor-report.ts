import { basename } from 'node:path';
import type { FileOps, LogFile } from '@/db/files/file-ops';
import { nodeFileOps } from '@/db/files/file-ops';
import { readChunks } from '@/db/files/log-file-scan';
import { readRecords } from '@/db/read-records';
import type { LogEvent } from '@/server/contract/events/event';
import type { CheckedRecord } from '@/server/core/log/check-log';
import { checkLog } from '@/server/core/log/check-log';
import { withoutTexts } from '@/server/core/log/without-texts';

/** What one log looks like from outside. */
export interface LogFindings {
  readonly name: string;
  readonly bytes: number;
  readonly events: number;
  /** One sentence each, in file order by kind; empty for a log in good health. At most 1,000 of a kind, then their number. */
  readonly findings: readonly string[];
}

const MOST_OF_A_KIND = 1000;

/**
 * Looks at every log of a data directory and changes nothing. A log that cannot be read is a finding, and the others
 * are looked at all the same (rel-S13). Logs are streamed and their texts let go, so that memory follows the number of
 * lines and not what stands in them (rel-S21). Throws only when the directory itself cannot be listed.
 */
export async function examineLogs(dataDir: string, ops: FileOps = nodeFileOps): Promise<readonly LogFindings[]> {
  const files = await ops.list(`${dataDir}/logs`, '.jsonl');
  const logs = [...files].sort((a, b) => (a.name < b.name ? -1 : 1));
  const reports: LogFindings[] = [];
  for (const { name } of logs) reports.push(await examineLog(`${dataDir}/logs/${name}`, ops));
  return reports;
}

async function examineLog(path: string, ops: FileOps): Promise<LogFindings> {
  const name = basename(path);
  try {
    const file = await ops.openRead(path);
    try {
      return { name, ...(await examineFile(file)) };
    } finally {
      await file.close();
    }
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    return { name, bytes: 0, events: 0, findings: [`cannot be read: ${why}`] };
  }
}

/** Findings of one kind: the first thousand, and how many there are. */
class Kind {
  readonly said: string[] = [];
  count = 0;

  constructor(private readonly more: string) {}

  add(say: () => string): void {
    this.count += 1;
    if (this.said.length < MOST_OF_A_KIND) this.said.push(say());
  }

  get all(): readonly string[] {
    const left = this.count - this.said.length;
    return left === 0 ? this.said : [...this.said, `and ${left} more ${this.more}`];
  }
}

async function examineFile(file: LogFile): Promise<Omit<LogFindings, 'name'>> {
  const bytes = await file.size();
  const places = new Kind('places like these');
  const newer = new Kind('lines of a newer version');
  const records: CheckedRecord[] = [];
  let events = 0;
  for await (const record of readRecords(readChunks(file, 0, bytes))) {
    if (record.kind === 'event') {
      events += 1;
      if ('unknown' in record.event) addNewer(newer, record.event);
      records.push({ ...record, event: withoutTexts(record.event) });
    } else {
      places.add(() => sayDamage(record, bytes));
      // The rules ask whether anything is damaged before a line, not how much.
      if (records.at(-1)?.kind !== record.kind) records.push(record);
    }
  }
  if (events === newer.count && bytes > 0) return { bytes, events, findings: [sayNoLog(places.count, newer.count)] };
  return { bytes, events, findings: [...places.all, ...newer.all, ...sayViolations(records)] };
}

function addNewer(newer: Kind, { seq, type }: LogEvent): void {
  newer.add(() => `line ${seq}: "${type}" was made by a newer version; it is kept`);
}

function sayNoLog(places: number, unknown: number): string {
  return `no log of a conversation: nothing in it is a line of one (${places} damaged places, ${unknown} lines of something else)`;
}

function sayViolations(records: readonly CheckedRecord[]): readonly string[] {
  const kind = new Kind('broken rules');
  for (const { rule, name, seq, ignored, text } of checkLog(records).violations)
    kind.add(() => `line ${seq}: rule ${rule}, ${name}: ${text}${ignored ? ' (ignored)' : ''}`);
  return kind.all;
}

function sayDamage({ kind, range }: Extract<CheckedRecord, { range: unknown }>, bytes: number): string {
  const where = `bytes ${range.from} to ${range.to}`;
  if (kind === 'damage') return `${where}: damaged, ${range.why}`;
  const open = range.to === bytes ? '; it is sealed with the next append' : ', sealed';
  return `${where}: torn, the write before a crash${open}`;
}

/** The report as lines for a terminal. */
export function printFindings(logs: readonly LogFindings[]): readonly string[] {
  const ill = logs.filter(({ findings }) => findings.length > 0);
  const lines = ill.flatMap(({ name, bytes, events, findings }) => [
    `${name}: ${events} events, ${bytes} bytes`,
    ...findings.map((finding) => `  ${finding}`),
  ]);
  return [...lines, `Logs looked at: ${logs.length}, with something to report: ${ill.length}. Nothing was changed.`];
}
