import { defaultSettings } from '@/server/contract/settings';
import { observedPaths } from '@/server/core/compaction/stale';
import { startCompaction, stepCompaction } from '@/server/core/compaction/step';
import type { CompactionDone, CompactionJob, CompactionScene } from '@/server/core/compaction/step-job';
import { projectView, untrimmedConversationBytes } from '@/server/core/projection/model-view';
import type { PartialReply } from '@/server/core/turn/collect-reply';
import { NUMBER_SETTINGS, neverRetry, numbersOn, type Stage, toEnd, WRITTEN_BY_HAND } from './stage';

export interface AskedCompaction extends Pick<CompactionJob, 'trigger' | 'by' | 'focus'> {
  /** What is answered to each request, in order. */
  readonly texts: readonly string[];
}

const SUMMARY_MS = 11_400;

/** Runs a compaction through the application's own machine; throws unless the last text is accepted. */
export async function playCompaction(stage: Stage, { texts, ...asked }: AskedCompaction): Promise<CompactionDone> {
  const { log } = stage;
  const left = [...texts];
  let { state, commands } = startCompaction(await toJob(stage, asked), sceneOn(stage));
  for (;;) {
    let reply: PartialReply | null = null;
    for (const command of commands) {
      if (command.do === 'append') log.append(command.events);
      if (command.do === 'call') {
        log.pass(SUMMARY_MS);
        reply = toReply(left.shift(), command.request.measureBytes);
      }
      if (command.do !== 'done') continue;
      if (command.outcome !== 'committed') throw new Error(`a summary was not accepted: ${command.reason}`);
      return command;
    }
    if (reply === null) throw new Error('a compaction stood still');
    ({ state, commands } = stepCompaction(state, { type: 'replied', reply, ms: SUMMARY_MS }, sceneOn(stage)));
  }
}

function sceneOn(stage: Stage): CompactionScene {
  const state = stage.log.session;
  const model = WRITTEN_BY_HAND;
  const view = projectView({ state, prompt: stage.prompt, model, moment: 'entry' });
  return {
    state,
    view,
    numbers: numbersOn(stage, view.floor),
    viewBytes: untrimmedConversationBytes({ state, model }),
  };
}

async function toJob(
  { log, prompt, workspace }: Stage,
  asked: Pick<CompactionJob, 'trigger' | 'by' | 'focus'>,
): Promise<CompactionJob> {
  const paths = observedPaths(log.session);
  const hashes = await Promise.all(paths.map(async (path) => [path, await workspace.hash(path)] as const));
  return {
    ...asked,
    turnId: log.session.openTurn?.turnId ?? null,
    compactionId: log.nextId(),
    checkpointId: log.nextId(),
    promptEventId: log.nextId(),
    upToItemId: null,
    keepTail: false,
    chain: [WRITTEN_BY_HAND],
    agentModel: WRITTEN_BY_HAND,
    prompt,
    settings: NUMBER_SETTINGS,
    minSourceBytes: defaultSettings.compaction.min_source_bytes,
    contentTries: defaultSettings.compaction.content_tries,
    instructions: '',
    disk: new Map(hashes),
    rewrite: null,
    factsOf: () => ({ windowTokens: null, bytesPerToken: 2, ceilingTokens: () => null, prices: null }),
    retry: neverRetry,
  };
}

function toReply(text: string | undefined, requestBytes: number): PartialReply {
  if (text === undefined) throw new Error('the story has no further summary');
  return { parts: [{ type: 'text', text }], calls: [], artifacts: [], end: toEnd('stop', requestBytes) };
}
