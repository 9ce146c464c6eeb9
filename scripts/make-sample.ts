import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { OWNER } from '@/server/session/owner';
import { SEED_IDS } from '@/server/session/seeds';
import { createWorkspace } from '@/server/tools/workspace';
import { composeFirstVersions } from './sample/first-versions';
import { StoryPlayer } from './sample/play-story';
import { readStory } from './sample/read-story';
import { SampleLog } from './sample/sample-log';
import { WRITTEN_BY_HAND } from './sample/stage';

const pathTo = (name: string) => fileURLToPath(new URL(`../samples/${name}`, import.meta.url));
const read = (name: string) => readFileSync(pathTo(`story/${name}`), 'utf8');

/** Chosen so that the first compaction comes about by itself where the story wants it. */
const BUDGET_BYTES = 101_000;

const NOTE =
  'This conversation is a sample. It was written by hand to show what Tidemark does; no AI model took part. The tools really ran, on the sample workspace; messages, replies, summaries, times and durations are made up.';

/**
 * The bundled sample conversation (N3) as the bytes of its log: the story of `samples/story` played through the
 * application's own machines. The same sources give the same bytes.
 */
export async function makeSample(): Promise<string> {
  const log = new SampleLog('2026-04-14T08:00:00.000Z');
  const prompt = composeFirstVersions(log.nextId);
  log.append([
    { type: 'log.opened', format: 'tidemark-log', logId: log.branch, app: 'tidemark sample' },
    {
      type: 'branch.opened',
      kind: 'root',
      parent: null,
      owner: OWNER,
      agentId: SEED_IDS.guide,
      title: 'Sample: the night of the backfill',
      model: WRITTEN_BY_HAND,
      settings: { context_budget: BUDGET_BYTES },
      origin: null,
    },
    { type: 'note', kind: 'import', text: NOTE },
  ]);
  const player = new StoryPlayer({
    log,
    prompt,
    workspace: createWorkspace({ roots: [{ name: 'workspace', folder: pathTo('workspace') }], now: () => 0 }),
    budgetBytes: BUDGET_BYTES,
    summaries: [[read('summary-1-refused.md'), read('summary-1.md')], [read('summary-2.md')]],
  });
  for (const turn of [...readStory(read('1-first-day.txt')), ...readStory(read('2-second-day.txt'))]) {
    await player.play(turn);
  }
  log.pass(60_000);
  log.append([{ type: 'session.changed', model: { provider: 'practice', model: 'rules-1' }, settings: null }]);
  return log.text;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(pathTo('conversation.jsonl'), await makeSample());
}
