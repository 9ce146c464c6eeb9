import type { FieldsOf } from '@/server/contract/events/event';
import { countBytes } from '@/server/contract/text';
import { findHeadingFaults, findToolMarkup } from './headings';

export type AcceptanceCheck = FieldsOf<'checkpoint.committed'>['checks'][number];

/** What one try of a summariser brought, however it ended. */
export interface SummaryReply {
  readonly text: string;
  /** The adapter's gate held: natural by provider and raw reason, finish seen, no error part, no call, text not blank. */
  readonly natural: boolean;
  readonly end: string;
  readonly rawEnd: string | null;
  /** The kind of an error the stream ended with, or null. */
  readonly trouble: string | null;
  readonly calledTool: boolean;
}

/**
 * What the reply is held against. All sizes are measures (`contract.md` 7). `frame` measures body and frame as they
 * will be installed; `install` adds carry-overs and the stale line.
 */
export interface AcceptanceBounds {
  readonly sourceBytes: number;
  readonly capBytes: number;
  readonly commitBytes: number;
  readonly keepBytes: number;
  readonly tailBytes: number;
  readonly frame: (body: string) => number;
  readonly install: (body: string) => number;
  readonly fingerprint: string;
  readonly fingerprintNow: string;
}

export type Acceptance =
  | { readonly ok: true; readonly body: string; readonly checks: readonly AcceptanceCheck[] }
  | { readonly ok: false; readonly reason: string; readonly checks: readonly AcceptanceCheck[] };

interface Finding extends AcceptanceCheck {
  readonly reason: string;
}

/**
 * The table of `contract.md` 11 in its order (C8): the first check that does not hold rejects, and its reason is
 * returned. Nothing here trusts a phrase of the text: a polite refusal fails on its headings (case-A04). A person's
 * edited text passes the same table, as a natural end.
 */
export function acceptSummary(reply: SummaryReply, bounds: AcceptanceBounds): Acceptance {
  const body = reply.text.trim();
  const checks: AcceptanceCheck[] = [];
  for (const check of CHECKS) {
    const { reason, ...found } = check({ reply, body, bounds });
    checks.push(found);
    if (!found.ok) return { ok: false, reason, checks };
  }
  return { ok: true, body, checks };
}

/**
 * Whether notes of a segment, or of a level in between, may stand (`contract.md` 13): a natural end, not empty, no tool
 * markup. The reason why not, else null.
 */
export function refuseNotes(reply: SummaryReply): string | null {
  const body = reply.text.trim();
  const end = checkEnd({ reply, body });
  if (!end.ok) return end.reason;
  if (body === '') return 'empty';
  const markup = checkMarkup({ reply, body });
  return markup.ok ? null : markup.reason;
}

interface Said {
  readonly reply: SummaryReply;
  readonly body: string;
}

interface Subject extends Said {
  readonly bounds: AcceptanceBounds;
}

const CHECKS: readonly ((subject: Subject) => Finding)[] = [
  checkEnd,
  checkText,
  checkSections,
  checkMarkup,
  checkSmaller,
  checkCap,
  checkCommit,
  checkFingerprint,
];

/** A blank text alone is left to the next check, so that "came back empty" is said and not "stop". */
function checkEnd({ reply, body }: Said): Finding {
  const stopped = reply.end === 'stop' && reply.trouble === null;
  const ok = reply.natural || (stopped && body === '' && !reply.calledTool);
  const said = reply.trouble ?? (reply.end === 'stop' ? reply.rawEnd : null) ?? reply.end;
  return { name: 'end', ok, value: reply.rawEnd ?? reply.end, reason: `incomplete:${said}` };
}

/** Reasoning is never in `text`, so a reply of reasoning alone is empty here (case-A03). */
function checkText({ body }: Subject): Finding {
  const bytes = countBytes(body);
  return { name: 'text', ok: bytes >= MIN_TEXT_BYTES, value: bytes, reason: 'empty' };
}

function checkSections({ body }: Subject): Finding {
  const faults = findHeadingFaults(body).join(', ');
  return { name: 'sections', ok: faults === '', value: faults === '' ? null : faults, reason: `sections:${faults}` };
}

function checkMarkup({ reply, body }: Said): Finding {
  const mark = findToolMarkup(body) ?? (reply.calledTool ? 'a tool call' : null);
  return { name: 'tool_markup', ok: mark === null, value: mark, reason: 'tool_markup' };
}

function checkSmaller({ body, bounds }: Subject): Finding {
  const bytes = bounds.frame(body);
  return { name: 'smaller', ok: bytes < bounds.sourceBytes, value: bytes, reason: 'not_smaller' };
}

function checkCap({ body, bounds }: Subject): Finding {
  return { name: 'cap', ok: bounds.frame(body) <= bounds.capBytes, value: bounds.capBytes, reason: 'too_long' };
}

function checkCommit({ body, bounds }: Subject): Finding {
  const total = bounds.install(body) + bounds.keepBytes + bounds.tailBytes;
  return { name: 'commit', ok: total <= bounds.commitBytes, value: total, reason: 'over_commit' };
}

function checkFingerprint({ bounds }: Subject): Finding {
  const ok = bounds.fingerprint === bounds.fingerprintNow;
  return { name: 'source', ok, value: bounds.fingerprintNow, reason: 'source_changed' };
}

const MIN_TEXT_BYTES = 40;
