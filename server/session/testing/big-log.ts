import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { prepareDraft } from '@/server/core/log/encode-line-draft';
import { type NewEvent, stampEvents } from '@/server/core/log/new-event';
import { builtAt, builtId } from '@/server/core/projection/log-builder-desk';

const MODEL = { provider: 'practice', model: 'rules-1' };
/** Turns before the end that the summary does not cover. */
const TAIL_TURNS = 20;

export interface BigLog {
  readonly logId: string;
  readonly items: number;
}

/**
 * Writes a log of so many turns straight into `dataDir`: a question, a call with a result of `resultBytes`, a reply. A
 * summary covers all but the newest. Nothing of it is ever in memory but one line.
 */
export function writeBigLog(dataDir: string, size: { readonly turns: number; readonly resultBytes: number }): BigLog {
  mkdirSync(join(dataDir, 'logs'), { recursive: true });
  const logId = builtId(1);
  const pen = new Pen(openSync(join(dataDir, 'logs', `${logId}.jsonl`), 'w', 0o600), logId);
  pen.write({ type: 'log.opened', format: 'tidemark-log', logId, app: 'test' });
  pen.write({ type: 'branch.opened', kind: 'root', owner: 'ada', agentId: null, title: null });
  const first = pen.nextId();
  let newest = first;
  for (let turn = 0; turn < size.turns; turn += 1) {
    if (turn === size.turns - TAIL_TURNS) pen.write(toCommit(first, newest, 4 * turn));
    newest = writeTurn(pen, turn === 0 ? first : pen.nextId(), { turn, text: 'ledger '.repeat(size.resultBytes / 7) });
  }
  pen.close();
  return { logId, items: 4 * size.turns };
}

/**
 * As `writeBigLog`, with that many compactions of as many turns each, one behind the other: started, an attempt, the
 * summary, the end.
 */
export function writeSummarisedLog(
  dataDir: string,
  size: { readonly summaries: number; readonly turnsEach: number; readonly resultBytes: number },
): BigLog {
  mkdirSync(join(dataDir, 'logs'), { recursive: true });
  const logId = builtId(1);
  const pen = new Pen(openSync(join(dataDir, 'logs', `${logId}.jsonl`), 'w', 0o600), logId);
  pen.write({ type: 'log.opened', format: 'tidemark-log', logId, app: 'test' });
  pen.write({ type: 'branch.opened', kind: 'root', owner: 'ada', agentId: null, title: null });
  const first = pen.nextId();
  const turns = size.summaries * size.turnsEach;
  for (let turn = 0; turn < turns; turn += 1) {
    const text = 'ledger '.repeat(size.resultBytes / 7);
    const newest = writeTurn(pen, turn === 0 ? first : pen.nextId(), { turn, text });
    if (turn % size.turnsEach === size.turnsEach - 1) writeCompaction(pen, toCommit(first, newest, 4 * (turn + 1)));
  }
  pen.close();
  return { logId, items: 4 * turns };
}

type Commit = Extract<NewEvent, { readonly type: 'checkpoint.committed' }>;

function writeCompaction(pen: Pen, commit: Commit): void {
  const compactionId = pen.nextId();
  const numbers = { budget: 120_000, floor: 9_000, room: 111_000, trigger: 94_000, commit: 60_000, view: 95_000 };
  pen.write({ type: 'compaction.started', compactionId, trigger: 'auto', numbers, chain: [MODEL] });
  const usage = { input: 9_000, output: 400, cachedRead: null, cachedWrite: null, reasoning: null };
  const attempt = { n: 1, model: MODEL, requestBytes: 40_000, usage, ms: 900, outcome: 'accepted' } as const;
  pen.write({ type: 'compaction.attempt', compactionId, ...attempt });
  pen.write({ ...commit, compactionId });
  pen.write({ type: 'compaction.ended', compactionId, outcome: 'committed', before: 95_000, after: 20_000 });
}

function writeTurn(pen: Pen, id: string, { turn, text }: { readonly turn: number; readonly text: string }): string {
  const turnId = pen.nextId();
  const call = { callId: `call_${turn}`, name: 'read_file' };
  const question = [{ type: 'text' as const, text: `question ${turn}` }];
  const reply = { type: 'message.assistant' as const, step: 1, model: MODEL, ms: 1 };
  const bytes = text.length + 230;
  pen.write({ type: 'message.user', id, clientMessageId: null, turnId, parts: question, by: 'ada', bytes: 180 });
  pen.write({ type: 'turn.started', turnId, messageId: id, model: MODEL, promptId: id });
  const parts = [{ type: 'tool_call' as const, ...call, args: { path: `${turn}.md` } }];
  pen.write({ ...reply, parts, end: 'tool_calls', bytes: 200 });
  pen.write({ type: 'tool.result', ...call, parts: [{ type: 'text', text }], ms: 1, bytes });
  const last = pen.write({ ...reply, parts: [{ type: 'text', text: 'done' }], end: 'stop', bytes: 166 });
  pen.write({ type: 'turn.ended', turnId, outcome: 'finished', steps: 2 });
  return last;
}

function toCommit(from: string, through: string, items: number): Commit {
  return {
    type: 'checkpoint.committed',
    compactionId: from,
    text: '## Objective\nread the ledger\n',
    covers: { from, through, items, bytes: items * 200 },
    keep: [from],
    carry: { kept: [], dropped: [] },
    open: { approvals: [], subagents: [] },
    method: 'one_shot',
    model: MODEL,
    promptId: from,
    sourceBytes: 1000,
    bytes: 300,
    checks: [],
    undoTo: null,
    imported: true,
  };
}

/** One line after the other, each with the next number, linked to the line of the path before it. */
class Pen {
  #seq = 0;
  #ids = 1;
  #head: number | null = null;

  constructor(
    private readonly file: number,
    private readonly logId: string,
  ) {}

  nextId(): string {
    this.#ids += 1;
    return builtId(this.#ids);
  }

  write(event: NewEvent): string {
    this.#seq += 1;
    const stamp = { branch: this.logId, logId: this.logId, head: this.#head, at: builtAt(this.#seq) };
    const [draft] = stampEvents([event], { ...stamp, nextId: () => this.nextId() });
    const prepared = draft ? prepareDraft(draft) : undefined;
    if (prepared?.kind !== 'ready') throw new TypeError(`not a valid ${event.type}`);
    const placed = prepared.draft.place({ seq: this.#seq, prev: this.#head });
    writeSync(this.file, placed.line);
    if (placed.event.prev !== undefined) this.#head = this.#seq;
    return placed.event.id;
  }

  close(): void {
    closeSync(this.file);
  }
}
