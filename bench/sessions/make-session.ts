import type { EventType } from '@/server/contract/events/event';
import { measureItem } from '@/server/core/budget/measure-item';
import { stepId } from '@/server/core/ids';
import { prepareDraft } from '@/server/core/log/encode-line-draft';
import type { NewEvent } from '@/server/core/log/new-event';
import { makeText } from './make-text';
import { createRandom } from './random';

export interface SessionPlan {
  /** Messages, replies and results; the log has a few lines more for turns and summaries. */
  readonly items: number;
  readonly seed: number;
}

/** Items between two summaries, and those that stay behind each: what keeps the view near 200 kB. */
const ITEMS_A_SUMMARY = 200;
const TAIL_ITEMS = 80;
const MODEL = { provider: 'practice', model: 'rules-1' };
const NUMBERS = { budget: 400_000, floor: 2000, room: 398_000, trigger: 338_300, commit: 202_980, view: 250_000 };
const HEADINGS = [
  'Objective',
  'Constraints',
  'Decisions and evidence',
  'Invalidated',
  'Work',
  'Next action',
  'Files',
  'Code anchors',
];

interface Covered {
  readonly id: string;
  readonly bytes: number;
}

/**
 * The lines of a tool-heavy conversation, about 1 kB an item, in which every rule of the log holds
 * (`performance.md`). The same plan makes the same bytes. The first line says the id of the log.
 */
export function* makeSession({ items, seed }: SessionPlan): Generator<string> {
  const pen = new SessionPen(seed);
  yield pen.line({ type: 'log.opened', format: 'tidemark-log', logId: pen.logId, app: 'bench' });
  yield pen.line({ type: 'branch.opened', kind: 'root', owner: 'owner', title: 'A long day at the ledger' });
  const text = makeText(pen.random, 4000);
  const bytes = text.length;
  const sections = [{ name: 'application', bytes, source: null }];
  const kept: NewEvent = {
    type: 'prompt.kept',
    text,
    sections,
    tools: [],
    agentVersion: null,
    memoryHash: null,
    wording: 1,
    bytes,
    toolsBytes: 2,
  };
  yield pen.line(kept);
  const promptId = pen.newestId;
  while (pen.items.length < items) {
    yield* makeTurn(pen, promptId);
    if (pen.items.length - pen.coveredCount >= ITEMS_A_SUMMARY + TAIL_ITEMS) yield* makeSummary(pen);
  }
}

function* makeTurn(pen: SessionPen, promptId: string): Generator<string> {
  const turnId = pen.nextId();
  const parts = [{ type: 'text' as const, text: makeText(pen.random, 200) }];
  const message = { type: 'message.user' as const, parts, by: 'owner', turnId };
  yield pen.item({ ...message, bytes: measureItem(message).bytes });
  const turn = { type: 'turn.started' as const, turnId, messageId: pen.newestId, why: 'message' as const };
  yield pen.line({ ...turn, model: MODEL, promptId });
  const calls = 2 + Math.floor(pen.random() * 7);
  for (let step = 0; step < calls; step += 1) yield* makeRoundTrip(pen, step);
  const reply = { step: calls, model: MODEL, parts: [{ type: 'text' as const, text: makeText(pen.random, 700) }] };
  yield pen.item(assistant(reply, 'stop'));
  yield pen.line({ type: 'turn.ended', turnId, outcome: 'finished', steps: calls + 1 });
}

function* makeRoundTrip(pen: SessionPen, step: number): Generator<string> {
  const callId = `call_${pen.seq}`;
  const args = { path: makeText(pen.random, 60), query: makeText(pen.random, 40) };
  const call = { type: 'tool_call' as const, callId, name: 'read_file', args };
  const text = { type: 'text' as const, text: makeText(pen.random, 120) };
  yield pen.item(assistant({ step, model: MODEL, parts: [text, call] }, 'tool_calls'));
  const parts = [{ type: 'text' as const, text: makeText(pen.random, 400 + pen.random() * 1900) }];
  const result = { type: 'tool.result' as const, callId, name: 'read_file', parts, ms: 12 };
  yield pen.item({ ...result, ...measureItem(result) });
}

type AssistantContent = Pick<Extract<NewEvent, { type: 'message.assistant' }>, 'step' | 'model' | 'parts'>;

function assistant(content: AssistantContent, end: 'stop' | 'tool_calls'): NewEvent<'message.assistant'> {
  const usage = { input: 1800, output: 90, cachedRead: 1500, cachedWrite: null, reasoning: null };
  const { bytes } = measureItem({ type: 'message.assistant', ...content, end });
  return { type: 'message.assistant', ...content, end, rawEnd: end, usage, ms: 1400, bytes };
}

function* makeSummary(pen: SessionPen): Generator<string> {
  let count = pen.items.length - TAIL_ITEMS;
  // A cut lies between two groups: the tail begins with a message of a person.
  while (pen.kindOf(count) !== 'message.user') count -= 1;
  const [first] = pen.items;
  const last = pen.items[count - 1];
  if (!first || !last) return;
  const bytes = pen.bytesOfFirst(count);
  const covers = { from: first.id, through: last.id, items: count, bytes };
  const compactionId = pen.nextId();
  const undoTo = pen.head;
  yield pen.line({
    type: 'compaction.started',
    compactionId,
    trigger: 'auto',
    source: covers,
    numbers: NUMBERS,
    chain: [MODEL],
  });
  const attempt = { compactionId, n: 1, model: MODEL, requestBytes: 200_000, ms: 9000 };
  yield pen.line({ type: 'compaction.attempt', ...attempt, outcome: 'accepted' });
  const text = HEADINGS.map((heading) => `## ${heading}\n${makeText(pen.random, 400)}`).join('\n\n');
  const committed = { compactionId, text, covers, keep: [first.id], previous: pen.newestCheckpoint, model: MODEL };
  yield pen.line({ type: 'checkpoint.committed', ...committed, sourceBytes: bytes, bytes: text.length + 300, undoTo });
  pen.cover(count);
  yield pen.line({ type: 'compaction.ended', compactionId, outcome: 'committed', before: 250_000, after: 100_000 });
}

/** Where the next line goes: counts lines, ids and the head, and remembers what summaries need of the items. */
class SessionPen {
  readonly random: () => number;
  readonly items: Covered[] = [];
  readonly logId: string;
  coveredCount = 0;
  newestId = '';
  newestCheckpoint: string | null = null;
  head: number | null = null;
  seq = 0;
  private readonly kinds: EventType[] = [];
  private readonly sums: number[] = [0];
  private id: string | null = null;
  private ms = Date.UTC(2026, 0, 2);

  constructor(seed: number) {
    this.random = createRandom(seed);
    this.logId = this.nextId();
  }

  nextId(): string {
    const bytes = Uint8Array.from({ length: 10 }, () => Math.floor(this.random() * 256));
    this.id = stepId({ newest: this.id, nowMs: this.ms, random: bytes });
    return this.id;
  }

  line(event: NewEvent): string {
    this.ms += 7;
    this.newestId = this.nextId();
    this.seq += 1;
    const envelope = { id: this.newestId, branch: this.logId, at: new Date(this.ms).toISOString() };
    const prepared = prepareDraft({ ...event, ...envelope, prev: this.head });
    if (prepared.kind !== 'ready') throw new TypeError(`no possible ${event.type}: ${prepared.why}`);
    const { line } = prepared.draft.place({ seq: this.seq, prev: this.head });
    if (prepared.draft.prev !== undefined) this.head = this.seq;
    if (event.type === 'checkpoint.committed') this.newestCheckpoint = this.newestId;
    return line;
  }

  item(event: NewEvent<'message.user' | 'message.assistant' | 'tool.result'>): string {
    const line = this.line(event);
    this.items.push({ id: this.newestId, bytes: event.bytes });
    this.kinds.push(event.type);
    this.sums.push((this.sums.at(-1) ?? 0) + event.bytes);
    return line;
  }

  kindOf(place: number): EventType | undefined {
    return this.kinds[place];
  }

  bytesOfFirst(count: number): number {
    return this.sums[count] ?? 0;
  }

  cover(count: number): void {
    this.coveredCount = count;
  }
}
