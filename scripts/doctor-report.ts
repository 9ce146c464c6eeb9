import { basename } from 'node:path';
import type { FileOps } from '@/db/files/file-ops';
import { nodeFileOps } from '@/db/files/file-ops';
import { readChunks } from '@/db/files/log-file-scan';
import { readRecords } from '@/db/read-records';
import type { CheckedRecord } from '@/server/core/log/check-log';
import { checkLog } from '@/server/core/log/check-log';

/** What one log looks like from outside. */
export interface LogFindings {
  readonly name: string;
  readonly bytes: number;
  readonly events: number;
  /** One sentence each, in file order by kind; empty for a log in good health. */
  readonly findings: readonly string[];
}

/**
 * Looks at every log of a data directory and changes nothing. A log that cannot be read is a finding, and the
 * others are looked at all the same (rel-S13). Throws only when the directory itself cannot be listed.
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
      const bytes = await file.size();
      const records: CheckedRecord[] = [];
      for await (const record of readRecords(readChunks(file, 0, bytes))) records.push(record);
      return { name, bytes, ...toFindings(records, bytes) };
    } finally {
      await file.close();
    }
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    return { name, bytes: 0, events: 0, findings: [`cannot be read: ${why}`] };
  }
}

function toFindings(records: readonly CheckedRecord[], bytes: number) {
  const events = records.flatMap((record) => (record.kind === 'event' ? [record.event] : []));
  const newer = events.filter((event) => 'unknown' in event);
  const places = records.flatMap((record) => (record.kind === 'event' ? [] : [sayDamage(record, bytes)]));
  const violations = checkLog(records).violations.map(
    ({ rule, name, seq, ignored, text }) => `line ${seq}: rule ${rule}, ${name}: ${text}${ignored ? ' (ignored)' : ''}`,
  );
  const kept = newer.map((event) => `line ${event.seq}: "${event.type}" was made by a newer version; it is kept`);
  return { events: events.length, findings: [...places, ...kept, ...violations] };
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
