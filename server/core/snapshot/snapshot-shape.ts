import { z } from 'zod';
import { modelSchema, planItemSchema, usageSchema } from '@/server/contract/shapes';

/**
 * What a snapshot holds (perf-A2): the folded state of a log up to a byte of it, without the text of what came before.
 * Events are named by their `seq` and read from the log. A change of anything here, or of what a fold makes of a line,
 * is a new version: snapshots of any other are thrown away and made anew.
 */
export const SNAPSHOT_VERSION = 1;

/** `seq` of an event that is read from the log, or null. */
const ref = z.number().int().min(1);
const count = z.number().int().min(0);
const maybe = ref.nullable();

/** Lines one after the other in the file: the first one's place, then how long each is. */
const runSchema = z.tuple([ref, count, z.array(count)]);

const ledgerSchema = z.strictObject({
  newest: z.strictObject({ seq: ref, at: z.string() }).nullable(),
  headMovedSeq: count,
  everReverted: z.boolean(),
  standingReverts: z.array(ref),
  lastTurn: z
    .strictObject({
      outcome: z.enum(['finished', 'failed', 'cancelled', 'interrupted']),
      code: z.string().nullable(),
      at: z.string(),
    })
    .nullable(),
  deletedAt: z.string().nullable(),
  usage: usageSchema,
  spent: z.array(z.strictObject({ model: modelSchema, plain: count, read: count, written: count, output: count })),
  booked: z.number().nullable(),
});

const branchSchema = z.strictObject({
  id: z.string(),
  /** Null where its first line is lost. */
  opened: maybe,
  openedAt: z.string(),
  owner: z.string(),
  head: count,
  lines: count,
  openTurn: maybe,
  parked: maybe,
  openCompaction: maybe,
  fromNewerVersion: z.boolean(),
  newerBranchLine: z.boolean(),
  newerPathLine: z.boolean(),
  deleted: z.boolean(),
  queue: z.array(z.string()),
  ledger: ledgerSchema,
  tally: z.strictObject({ items: count, firstItem: z.string().nullable(), firstPerson: z.string().nullable() }),
});

const itemSchema = z.strictObject({ number: ref, point: ref, turnId: z.string().nullable(), event: ref });

const turnSchema = z.strictObject({ started: ref, ended: maybe });

const sessionSchema = z.strictObject({
  branch: z.string(),
  /** What stands before the lines that are held: how much, where it ends, and the turn that goes on behind it. */
  before: z.strictObject({
    head: count,
    lines: count,
    items: count,
    turns: count,
    compactions: count,
    masks: count,
    turnId: z.string().nullable(),
    turn: turnSchema.nullable(),
  }),
  path: z.array(ref),
  compactions: z.array(ref),
  continued: z.array(z.string()),
  firstPerson: itemSchema.nullable(),
  summaries: count,
  title: z.string().nullable(),
  pinned: z.boolean(),
  archived: z.boolean(),
  model: modelSchema.nullable(),
  settings: z.record(z.string(), z.unknown()).nullable(),
  keptPrompt: maybe,
  checkpoint: z
    .strictObject({
      event: ref,
      keep: z.array(itemSchema),
      expanded: z.array(z.strictObject({ from: z.string(), through: z.string() })),
    })
    .nullable(),
  masks: z.array(ref),
  trims: z.array(ref),
  plan: z
    .strictObject({ eventId: z.string(), items: z.array(planItemSchema), callId: z.string().nullable() })
    .nullable(),
  carryOvers: z.array(
    z.strictObject({
      id: z.string(),
      text: z.string(),
      sourceItem: z.string().nullable(),
      by: z.string(),
      at: z.string(),
    }),
  ),
});

const damageSchema = z.strictObject({ from: count, to: count, why: z.string() });

export const snapshotSchema = z.strictObject({
  version: z.literal(SNAPSHOT_VERSION),
  /** Types of lines in the order of their codes in rows: another list is another release's. */
  types: z.string(),
  logId: z.string(),
  /** Bytes of the log that are folded, and what a scan that goes on behind them must know. */
  place: z.strictObject({ offset: count, lines: count, newestSeq: count }),
  /** SHA-256 over the end of those bytes: another log, or one that was changed, has another. */
  tail: z.strictObject({ bytes: count, sha256: z.string() }),
  rows: z.strictObject({ count, sum: count }),
  newestSeq: count,
  damage: z.array(damageSchema),
  unreported: z.array(damageSchema),
  ignored: z.array(z.tuple([z.string(), z.string()])),
  violations: z.array(
    z.strictObject({
      rule: z.number(),
      name: z.string(),
      seq: count,
      eventId: z.string().nullable(),
      ignored: z.boolean(),
      text: z.string(),
    }),
  ),
  repeats: z.array(z.tuple([ref, ref])),
  links: z.array(z.tuple([ref, ref.nullable()])),
  /** Messages among the lines held, and the lines that placed them. */
  placed: z.array(z.tuple([z.string(), ref])),
  newestId: z.string(),
  unsorted: z.array(z.tuple([z.string(), ref])),
  codes: z.array(z.string()),
  branches: z.array(branchSchema),
  sessions: z.array(sessionSchema),
  held: z.array(runSchema),
});

export type Snapshot = z.output<typeof snapshotSchema>;
export type BranchSnapshot = z.output<typeof branchSchema>;
export type SessionSnapshot = z.output<typeof sessionSchema>;
export type ItemSnapshot = z.output<typeof itemSchema>;
