import { openFilesSessionLog } from '@/db/files/session-log';
import { planNumbers } from '@/server/core/budget/numbers';
import { planCompaction } from '@/server/core/compaction/plan';
import { createIds } from '@/server/core/ids';
import { NO_PROMPT, projectView } from '@/server/core/projection/model-view';
import { projectSearchParts } from '@/server/core/projection/search-texts';
import { projectPage } from '@/server/core/projection/transcript-window';
import { createSessionWriter } from '../append-events';
import { createExports } from '../exports';

/**
 * rel-S21, in a process of its own: one conversation is opened at its newest page, paged to its oldest message,
 * searched, planned to be compacted and exported twice; after each step the memory it takes is said.
 */
const [dataDir = '', logId = ''] = process.argv.slice(2);
const clock = { now: () => Date.UTC(2027, 0, 1) };
const ids = createIds({ clock, drawBytes: (count) => new Uint8Array(count) });
const files = await openFilesSessionLog({ dataDir, ids, clock, lock: null });
const writer = createSessionWriter({
  sessionLog: files,
  side: files.side,
  ids,
  clock,
  logOf: () => logId,
  onAppended: () => undefined,
  keptLogs: 4,
  finish: (state) => state,
});
const settings = {
  preset: 'roomy',
  triggerRatio: 0.85,
  tailRatio: 0.2,
  lowMarkRatio: 0.6,
  carryBoundBytes: 4096,
  resultCapBytes: 16_384,
} as const;

const MB = 1024 * 1024;
/** Twice, since what the first one frees gives up more only then. */
const say = (step: string, facts: object = {}) => {
  globalThis.gc?.();
  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  console.log(JSON.stringify({ step, rssMb: rss / MB, liveMb: (heapUsed + external) / MB, ...facts }));
};

say('base');
const opened = performance.now();
const { session, log } = await writer.load(logId);
const view = projectView({ state: session, prompt: NO_PROMPT, model: null, moment: 'entry' });
say('open', { ms: performance.now() - opened, items: session.items.length, viewBytes: view.bytes });

let page = projectPage(session, log, { limit: 50 });
let seen = page.messages.length;
while (page.hasBefore) {
  page = projectPage(session, log, { before: page.messages[0]?.id, limit: 50 });
  seen += page.messages.length;
}
say('pages', { seen });

let found = 0;
for (const texts of projectSearchParts(log, logId)) found += texts.filter(({ text }) => text.includes('ledger')).length;
say('search', { found });

const floor = { promptBytes: 4000, toolsBytes: 2000, planBytes: 0, carryBytes: 0 };
const numbers = planNumbers({ budgetBytes: 120_000, floor, settings, thriftyTriggerBytes: null });
const plan = planCompaction(session, numbers, {
  trigger: 'auto',
  upToItemId: null,
  keepTail: true,
  settings,
  minSourceBytes: 1000,
  model: null,
  disk: new Map(),
  tailLimitBytes: null,
});
say('compact', { plan: plan.kind, covers: plan.kind === 'go' ? plan.covers.items : 0 });

const exports = createExports({ writer, sessionLog: files, logOf: () => logId });
for (const format of ['jsonl', 'markdown'] as const) {
  const body = (await exports.download(logId, format)).body;
  let bytes = 0;
  for await (const chunk of body ?? []) bytes += chunk.length;
  say(`export ${format}`, { bytes });
}
await writer.settled();
say('peak', { peakMb: process.resourceUsage().maxRSS / 1024 });
await files.close();
