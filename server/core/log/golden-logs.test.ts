import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Message } from '@/server/contract/message';
import { foldSession } from '@/server/core/projection/session-state';
import type { LogState } from '@/server/core/projection/state-shape';
import { projectTranscript } from '@/server/core/projection/transcript';
import { checkLog } from './check-log';
import { finishScan, scanChunk, startScan } from './scan-log';

const folder = fileURLToPath(new URL('fixtures/', import.meta.url));

/**
 * Logs as released versions wrote them, kept for ever: of each the hash of its bytes, so that nobody writes one anew, and
 * of what every one of its conversations shows. A release adds a file; a line here never changes.
 */
const GOLDEN: Readonly<Record<string, { readonly file: string; readonly shows: string }>> = {
  'version-0.jsonl': {
    file: '814e833488c45ada162ab5df69d69305',
    shows: '46106dbb9f66e23b3cd162604149818f',
  },
  'version-1-0.1.0-branches.jsonl': {
    file: '23a61f1be5617215b694c1b10284475f',
    shows: '07c5e0bd205491a3f7256d0201767bb3',
  },
  'version-1-0.1.0-sample.jsonl': {
    file: '44fb2d58e9bed134bcf3a834eb26f538',
    shows: '40c31e33ed102fde298391c63b0d2c39',
  },
};

const hash = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex').slice(0, 32);
const read = (name: string) => readFileSync(`${folder}${name}`);

function check(bytes: Uint8Array) {
  const step = scanChunk(startScan(), bytes);
  return checkLog([...step.records, ...finishScan(step.state).records]);
}

/** What a person reads and in which order, on every branch; how it is drawn is free to change. */
function shown(log: LogState): string {
  const branches = [...log.branches.keys()].map((branch) => {
    const messages = projectTranscript(foldSession(log, branch), log);
    return [branch, messages.map(({ id, role, parts }) => [id, role, parts.map(sayPart)])];
  });
  return JSON.stringify(branches);
}

function sayPart(part: Message['parts'][number]): unknown {
  if (part.type === 'text' || part.type === 'reasoning') return [part.type, part.text];
  const { type, ...rest } = part;
  return 'callId' in rest ? [type, rest.callId] : [type];
}

describe('rel-S23: logs of every released version', () => {
  it('are all named here, and none is gone', () => {
    expect(
      readdirSync(folder)
        .filter((name) => name.endsWith('.jsonl'))
        .sort(),
    ).toEqual(Object.keys(GOLDEN));
  });

  it.each(Object.entries(GOLDEN))('%s shows what it showed when it was written', (name, golden) => {
    const bytes = read(name);
    const { log, violations, damage } = check(bytes);
    expect({ violations, damage }).toEqual({ violations: [], damage: [] });
    expect({ file: hash(bytes), shows: hash(shown(log)) }).toEqual(golden);
  });
});
