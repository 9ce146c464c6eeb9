import { createHash } from 'node:crypto';
import { aLog, type LogBuilder } from '@/server/core/projection/log-builder';
import { NO_PROMPT, projectView } from '@/server/core/projection/model-view';
import type { SessionState } from '@/server/core/projection/state-shape';

/** What a summary of the trace must carry on, each as a word that can be found again. */
export const MARKERS = {
  constraint: 'MARK-CONSTRAINT-7KQ2',
  decision: 'MARK-DECISION-4TB9',
  verified: 'MARK-VERIFIED-1XH5',
  open: 'MARK-OPEN-8ZC3',
  pending: 'MARK-PENDING-6WD0',
} as const;
/** In a file as it was before it changed: it must not be in the view any more. */
export const STALE_MARKER = 'MARK-STALE-2RV8';

export const INSPECTIONS = 24;
const FILE_BYTES = 4_000;
const CHANGED_FILE = 5;

/**
 * The long trace of E1: 24 turns that each read a file; a rule in the first message, a decision, a file that is read again
 * after it changed, work that was verified, work left open, and a message that nobody has answered yet. The same items
 * in every run.
 */
export function tellTrace(): LogBuilder {
  const log = aLog();
  log.says(`Find out why the nightly export is slow. ${MARKERS.constraint}: never rename a public function.`);
  log.replies('I will read the files one after another and rename nothing that is public.');
  for (let turn = 1; turn <= INSPECTIONS; turn += 1) {
    log.says(asked(turn)).batch([{ name: 'read_file', args: { path: pathOf(turn) }, ...readOf(turn) }]);
    log.replies(answered(turn));
  }
  return log.says(`${MARKERS.pending}: before you go on, also say which file you would change first.`).fails();
}

const pathOf = (turn: number) => `src/export/part-${String(fileOf(turn)).padStart(2, '0')}.ts`;
/** The file that changed is read again near the end. */
const fileOf = (turn: number) => (turn === INSPECTIONS - 2 ? CHANGED_FILE : turn);

function asked(turn: number): string {
  if (turn === 10) return `${MARKERS.decision}: we keep the append-only file and drop the table. Now read part ten.`;
  return `Read ${pathOf(turn)} and say in a line what it does.`;
}

function answered(turn: number): string {
  if (turn === 20) return `${MARKERS.verified}: all 41 tests pass with the buffer of part eight enlarged.`;
  if (turn === INSPECTIONS) return `${MARKERS.open}: the retry in part twelve still waits without a limit.`;
  return `${pathOf(turn)} prepares step ${turn} of the export and hands its rows on.`;
}

function readOf(turn: number) {
  const isChanged = turn > CHANGED_FILE && fileOf(turn) === CHANGED_FILE;
  const first = isChanged ? 'export const rows = 900;' : fileOf(turn) === CHANGED_FILE ? `// ${STALE_MARKER}` : '';
  const result = `${first}\n${fill(turn)}`.slice(0, FILE_BYTES);
  const sha256 = createHash('sha256').update(result).digest('hex');
  return { result, options: { observed: [{ path: pathOf(turn), sha256, how: 'read' as const }] } };
}

/** Lines that look like code and are never the same twice. */
function fill(turn: number): string {
  const line = (n: number) =>
    `export function step${turn}x${n}(row: Row): Row { return put(row, ${turn * 1_000 + n}); }\n`;
  return Array.from({ length: 60 }, (_, n) => line(n)).join('');
}

/** The conversation as a model reads it, in bytes of its texts. */
export function viewOf(state: SessionState): { readonly bytes: number; readonly text: string } {
  const view = projectView({ state, prompt: NO_PROMPT, model: null, moment: 'entry' });
  const text = JSON.stringify(view.body.map(({ message }) => message));
  return { bytes: view.conversationBytes, text };
}

/** As other tables of this kind estimate: four bytes a token. Budgets of the product are in bytes and never go by it. */
export const estimateTokens = (bytes: number) => Math.ceil(bytes / 4);
