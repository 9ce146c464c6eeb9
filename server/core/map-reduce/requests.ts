import { utf8Bytes } from '@/server/core/budget/json-bytes';
import { BYTES_A_PART, measureText } from '@/server/core/budget/measure';
import { explainRejection } from '@/server/core/compaction/instruction';
import type { SummaryRequest } from '@/server/core/compaction/render';
import { serialiseItem } from '@/server/core/compaction/source';
import type { StaleReadings } from '@/server/core/compaction/stale';
import { defuse, SERIALISED_TAGS } from '@/server/core/projection/defuse';
import type { SessionState } from '@/server/core/projection/state-shape';
import { SUMMARY_INSTRUCTION as say } from '@/server/core/prompt/wording';
import {
  AUDIT_INSTRUCTION,
  CORRECTION_INSTRUCTION,
  MAP_INSTRUCTION,
  REDUCE_INSTRUCTION,
  SEGMENTS_SYSTEM,
} from '@/server/core/prompt/wording-segments';
import { MOST_REREAD_RANGES } from './bounds';
import { JOINT, type Piece } from './pieces';
import type { RereadRange } from './reread';

/** Accepted notes with the items they speak for: a map's, or a reduction's. */
export interface Notes {
  readonly fingerprint: string;
  readonly text: string;
  readonly from: number;
  readonly through: number;
}

/** What every stage of one run is told alike. */
export interface Wishes {
  readonly focus: string | null;
  /** `compaction.instructions`; blank: none. */
  readonly installation: string;
}

export interface Asking extends Wishes {
  /** Bytes the text may have. */
  readonly capBytes: number;
  /** Why the try before was rejected; null on the first one. */
  readonly rejection: string | null;
}

const NOTES_TAGS = [...SERIALISED_TAGS, 'notes', 'candidate', 'findings'];
const defuseNotes = (text: string) => defuse(text, NOTES_TAGS);
const toNotes = ({ text, from, through }: Notes) =>
  `<notes items="${from}-${through}">\n${defuseNotes(text)}\n</notes>`;

/** Notes on one segment: its pieces after the instruction, each in its frame (C7). */
export function renderMap(pieces: readonly Piece[], asking: Asking): SummaryRequest {
  const { firstLine, task, previous, headings, rules } = MAP_INSTRUCTION;
  const texts = [firstLine, task, previous, headings, [...rules, say.cap(asking.capBytes)].join('\n'), ...tail(asking)];
  return toRequest([...texts, ...pieces.map(({ text }) => text)]);
}

/** One level of reduction in between: notes that stand for those of a group. */
export function renderInner(notes: readonly Notes[], asking: Asking, reread: readonly string[]): SummaryRequest {
  const { firstLine, inner, headings, rules } = REDUCE_INSTRUCTION;
  return renderReduction(notes, { asking, reread, head: [firstLine, inner, headings], rules });
}

/** The last reduction: the summary itself, under the eight headings. */
export function renderFinal(notes: readonly Notes[], asking: Asking, reread: readonly string[]): SummaryRequest {
  const { firstLine, final, rules } = REDUCE_INSTRUCTION;
  return renderReduction(notes, { asking, reread, head: [firstLine, final, say.headings.join('\n')], rules });
}

interface Reducing {
  readonly asking: Asking;
  /** Items that were asked for again, framed; none on the first request. */
  readonly reread: readonly string[];
  readonly head: readonly string[];
  readonly rules: readonly string[];
}

function renderReduction(notes: readonly Notes[], { asking, reread, head, rules }: Reducing): SummaryRequest {
  const again = reread.length > 0;
  const wish = again ? REDUCE_INSTRUCTION.reread_done : REDUCE_INSTRUCTION.reread(MOST_REREAD_RANGES);
  const all = [...rules, say.cap(asking.capBytes), ...(head.includes(REDUCE_INSTRUCTION.final) ? [say.margin] : [])];
  const texts = [...head, REDUCE_INSTRUCTION.notes, all.join('\n'), wish, ...tail(asking)];
  return toRequest([...texts, ...notes.map(toNotes), ...reread]);
}

/** Raw items for a reducer that asked for them, one block a range; items behind an older checkpoint too (R8). */
export function renderReread(
  state: SessionState,
  ranges: readonly RereadRange[],
  stale: StaleReadings,
): readonly string[] {
  return ranges.map(({ from, through }) => {
    const items = state.items.slice(from - 1, through).map((item) => serialiseItem(state, item, stale));
    return `<reread from="${from}" through="${through}">\n${items.join(JOINT)}\n</reread>`;
  });
}

/** One batch of an audit. `isWhole`: these notes are all there are. */
export function renderAudit(candidate: string, notes: readonly Notes[], isWhole: boolean): SummaryRequest {
  const { firstLine, task, some, grammar, data } = AUDIT_INSTRUCTION;
  const which = notes.map(({ from, through }) => `${from}-${through}`).join(', ');
  const part = isWhole ? [] : [some(which)];
  return toRequest([firstLine, task, ...part, data, grammar, frameCandidate(candidate), ...notes.map(toNotes)]);
}

/** A correction: the candidate, what was found, and the notes it concerns. */
export function renderCorrection(
  candidate: string,
  findings: readonly string[],
  { notes, asking }: { readonly notes: readonly Notes[]; readonly asking: Asking },
): SummaryRequest {
  const { firstLine, task, rules } = CORRECTION_INSTRUCTION;
  const found = `<findings>\n${findings.map((finding) => `- ${defuseNotes(finding)}`).join('\n')}\n</findings>`;
  const all = [...rules, say.cap(asking.capBytes), say.margin].join('\n');
  const texts = [firstLine, task, say.headings.join('\n'), all, ...tail(asking)];
  return toRequest([...texts, frameCandidate(candidate), found, ...notes.map(toNotes)]);
}

function frameCandidate(text: string): string {
  return `<candidate>\n${defuseNotes(text)}\n</candidate>`;
}

/** The person's focus, the installation's own instructions, and why the try before was rejected. */
function tail({ focus, installation, rejection, capBytes }: Asking): readonly string[] {
  const parts: string[] = [];
  if (focus !== null && focus.trim() !== '') parts.push(say.focus(focus.trim()));
  if (installation.trim() !== '') parts.push(say.installation(installation.trim()));
  if (rejection !== null) parts.push(say.rejected(explainRejection(rejection, capBytes)));
  return parts;
}

const SYSTEM_BYTES = utf8Bytes(SEGMENTS_SYSTEM) + BYTES_A_PART;

function toRequest(texts: readonly string[]): SummaryRequest {
  const text = texts.join(JOINT);
  return {
    system: SEGMENTS_SYSTEM,
    tools: [],
    entries: [{ role: 'user', parts: [{ type: 'text', text }] }],
    measureBytes: SYSTEM_BYTES + measureText(text),
    cacheAfter: null,
    form: 'serialised',
  };
}
