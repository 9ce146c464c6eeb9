import { openFilesSessionLog } from '@/db/files/session-log';
import { planNumbers } from '@/server/core/budget/numbers';
import { planCompaction } from '@/server/core/compaction/plan';
import { createIds } from '@/server/core/ids';
import { NO_PROMPT, projectView } from '@/server/core/projection/model-view';
import { projectSearchParts } from '@/server/core/projection/search-texts';
import type { LogState, SessionState } from '@/server/core/projection/state-shape';
import { projectPage } from '@/server/core/projection/transcript-window';
import { createSessionWriter } from '../append-events';
import { createExports } from '../exports';

/**
 * rel-S21, in a process of its own: one conversation is opened at its newest page, paged to its oldest message, searched, planned
 * to be compacted and exported twice; after each step the memory it takes is said. A small conversation went the same way before
 * the base is taken, so that what the code itself takes is not counted as the log's.
 */
const [smallDir = '', smallId = '', dataDir = '', logId = ''] = process.argv.slice(2);
const clock = { now: () => Date.UTC(2027, 0, 1) };
const settings = {
  preset: 'roomy',
  triggerRatio: 0.85,
  tailRatio: 0.2,
  lowMarkRatio: 0.6,
  carryBoundBytes: 4096,
  resultCapBytes: 16_384,
} as const;
const floor = { promptBytes: 4000, toolsBytes: 2000, planBytes: 0, carryBytes: 0 };

const MB = 1024 * 1024;
type Say = (step: string, facts?: object) => void;
/** Twice, since what the first one frees gives up more only then. */
const say: Say = (step, facts = {}) => {
  globalThis.gc?.();
  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  console.log(JSON.stringify({ step, rssMb: rss / MB, liveMb: (heapUsed + external) / MB, ...facts }));
};

async function openDirectory(dataDir: string, logId: string) {
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
  return { files, writer };
}

function plan(session: SessionState) {
  const numbers = planNumbers({ budgetBytes: 120_000, floor, settings, thriftyTriggerBytes: null });
  return planCompaction(session, numbers, {
    trigger: 'auto',
    upToItemId: null,
    keepTail: true,
    settings,
    minSourceBytes: 1000,
    model: null,
    disk: new Map(),
    tailLimitBytes: null,
  });
}

function pageThrough(session: SessionState, log: LogState): number {
  let page = projectPage(session, log, { limit: 50 });
  let seen = page.messages.length;
  while (page.hasBefore) {
    page = projectPage(session, log, { before: page.messages[0]?.id, limit: 50 });
    seen += page.messages.length;
  }
  return seen;
}

async function walk(dataDir: string, logId: string, say: Say): Promise<void> {
  const { files, writer } = await openDirectory(dataDir, logId);
  const opened = performance.now();
  const { session, log } = await writer.load(logId);
  const view = projectView({ state: session, prompt: NO_PROMPT, model: null, moment: 'entry' });
  say('open', { ms: performance.now() - opened, items: session.items.length, viewBytes: view.bytes });
  say('pages', { seen: pageThrough(session, log) });
  let found = 0;
  for (const texts of projectSearchParts(log, logId))
    found += texts.filter(({ text }) => text.includes('ledger')).length;
  say('search', { found });
  const planned = plan(session);
  say('compact', { plan: planned.kind, covers: planned.kind === 'go' ? planned.covers.items : 0 });
  const exports = createExports({ writer, sessionLog: files, logOf: () => logId });
  for (const format of ['jsonl', 'markdown'] as const) {
    const body = (await exports.download(logId, format)).body;
    let bytes = 0;
    for await (const chunk of body ?? []) bytes += chunk.length;
    say(`export ${format}`, { bytes });
  }
  await writer.settled();
  await files.close();
}

await walk(smallDir, smallId, () => undefined);
say('base');
await walk(dataDir, logId, say);
say('peak', { peakMb: process.resourceUsage().maxRSS / 1024 });
