import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { makeSession } from './make-session';

/** A conversation that was made, in a data directory of its own. */
export interface MadeSession {
  readonly dataDir: string;
  readonly logId: string;
  readonly path: string;
  readonly bytes: number;
  readonly items: number;
}

const SEED = 20_260_102;
const PIECE_BYTES = 1024 * 1024;

/** Makes the conversation of so many items under `folder`, once; later calls find it. */
export function sessionOf(items: number, folder: string): MadeSession {
  const dataDir = join(folder, `items-${items}`);
  const note = join(dataDir, 'made.json');
  if (existsSync(note)) return JSON.parse(readFileSync(note, 'utf8'));
  mkdirSync(join(dataDir, 'logs'), { recursive: true, mode: 0o700 });
  const half = join(dataDir, 'half');
  const logId = writeSession(items, half);
  const path = join(dataDir, 'logs', `${logId}.jsonl`);
  renameSync(half, path);
  const made: MadeSession = { dataDir, logId, path, bytes: statSync(path).size, items };
  writeFileSync(note, JSON.stringify(made));
  return made;
}

function writeSession(items: number, path: string): string {
  const file = openSync(path, 'w', 0o600);
  let logId = '';
  let piece: string[] = [];
  let size = 0;
  const flush = () => {
    writeSync(file, piece.join(''));
    piece = [];
    size = 0;
  };
  for (const line of makeSession({ items, seed: SEED })) {
    if (logId === '') logId = /"branch":"(\w+)"/.exec(line)?.[1] ?? '';
    piece.push(line);
    size += line.length;
    if (size > PIECE_BYTES) flush();
  }
  flush();
  closeSync(file);
  return logId;
}
