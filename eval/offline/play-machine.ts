import { defaultSettings } from '@/server/contract/settings';
import type { Model } from '@/server/contract/shapes';
import { planNumbers } from '@/server/core/budget/numbers';
import { startCompaction, stepCompaction } from '@/server/core/compaction/step';
import type {
  CompactionCommand,
  CompactionDone,
  CompactionJob,
  CompactionOutcome,
  CompactionScene,
} from '@/server/core/compaction/step-job';
import type { LogBuilder } from '@/server/core/projection/log-builder';
import { projectView, untrimmedConversationBytes } from '@/server/core/projection/model-view';
import { composePrompt } from '@/server/core/prompt/compose';
import { collectReply, NO_REPLY } from '@/server/core/turn/collect-reply';
import type { ModelPort } from '@/server/ports/model';

export const SUMMARISER: Model = { provider: 'scripted', model: 'script' };
const AGENT: Model = { provider: 'agent', model: 'large' };
const SETTINGS = {
  preset: 'roomy',
  triggerRatio: defaultSettings.compaction.trigger_ratio,
  tailRatio: defaultSettings.compaction.tail_ratio,
  lowMarkRatio: defaultSettings.compaction.low_mark_ratio,
  carryBoundBytes: defaultSettings.carry_over.bound_bytes,
  resultCapBytes: defaultSettings.tools.result_cap_bytes,
} as const;
/** Of the receiving agent: its window takes the whole trace, so that nothing but the summariser's is too small. */
const AGENT_BUDGET_BYTES = 400_000;

const prompt = composePrompt({ application: 'You help.', agent: null, skills: [], memories: [], tools: [] });

export interface Played {
  readonly done: CompactionDone;
  readonly calls: number;
  /** Most requests under way at once. */
  readonly mostAtOnce: number;
}

export interface PlayInput {
  readonly log: LogBuilder;
  readonly port: ModelPort;
  readonly windowTokens: number;
  readonly compactionId: string;
}

/** The job of one asked for by hand: the whole answered history, the pending message stays. */
export function jobFor({ port, windowTokens, compactionId }: Omit<PlayInput, 'log'>): CompactionJob {
  const bytesPerToken = 2;
  return {
    compactionId,
    checkpointId: `${compactionId.slice(0, -1)}K`,
    promptEventId: `${compactionId.slice(0, -1)}P`,
    ...{ trigger: 'manual', turnId: null, by: 'eval', focus: null, upToItemId: null, keepTail: false },
    ...{ chain: [SUMMARISER], agentModel: AGENT, prompt, settings: SETTINGS, rewrite: null },
    minSourceBytes: defaultSettings.compaction.min_source_bytes,
    contentTries: defaultSettings.compaction.content_tries,
    instructions: '',
    disk: new Map(),
    factsOf: (model) => ({
      windowTokens,
      bytesPerToken,
      ceilingTokens: (measureBytes) => port.ceiling(model, { measureBytes, bytesPerToken, configured: null }),
      prices: null,
    }),
    retry: (position) => ({ state: position, command: { do: 'give_up', why: 'not_retryable' } }),
  };
}

/** What the machine sees of the log as it is now. */
export function sceneOf(log: LogBuilder): CompactionScene {
  const state = log.state();
  const view = projectView({ state, prompt, model: AGENT, moment: 'entry' });
  const numbers = planNumbers({
    budgetBytes: AGENT_BUDGET_BYTES,
    floor: view.floor,
    settings: SETTINGS,
    thriftyTriggerBytes: null,
  });
  return { state, view, numbers, viewBytes: untrimmedConversationBytes({ state, model: AGENT }) };
}

interface Pending {
  readonly outcome: Promise<CompactionOutcome>;
}

/** Runs the machine to its end against a real server: step ⇄ effect, every line into the log. */
export async function playMachine(input: PlayInput): Promise<Played> {
  const { log, port } = input;
  const pending = new Set<Pending>();
  let calls = 0;
  let mostAtOnce = 0;
  let step = startCompaction(jobFor(input), sceneOf(log));
  for (;;) {
    for (const command of step.commands) {
      if (command.do === 'done') return { done: command, calls, mostAtOnce };
      if (command.do === 'append') for (const event of command.events) log.appends(event);
      if (command.do !== 'call') continue;
      calls += 1;
      pending.add({ outcome: call(port, command) });
    }
    mostAtOnce = Math.max(mostAtOnce, pending.size);
    if (pending.size === 0) throw new Error('the machine stood still');
    const settled = [...pending].map(async (one) => ({ one, outcome: await one.outcome }));
    const { one, outcome } = await Promise.race(settled);
    pending.delete(one);
    step = stepCompaction(step.state, outcome, sceneOf(log));
  }
}

async function call(port: ModelPort, command: Extract<CompactionCommand, { do: 'call' }>): Promise<CompactionOutcome> {
  const { model, request, ceilingTokens } = command;
  let reply = NO_REPLY;
  const { system, tools, entries, measureBytes, cacheAfter } = request;
  const asked = { model, system, tools, entries, measureBytes, cacheAfter, ceilingTokens, bytesPerToken: 2 };
  const parts = port.stream(
    { ...asked, turnFrom: null, reasoning: 'default', imageData: () => null },
    new AbortController().signal,
  );
  for await (const part of parts) reply = collectReply(reply, part);
  return { type: 'replied', call: command.call, reply, ms: 0 };
}
