import { defaultSettings } from '@/server/contract/settings';
import type { Part } from '@/server/contract/shapes';
import { measureItem } from '@/server/core/budget/measure-item';
import type { CompactionDone } from '@/server/core/compaction/step-job';
import { projectView, untrimmedConversationBytes } from '@/server/core/projection/model-view';
import type { PartialReply } from '@/server/core/turn/collect-reply';
import { startTurn, stepTurn } from '@/server/core/turn/step';
import type { TurnCommand, TurnJob, TurnMachine, TurnOutcome, TurnScene } from '@/server/core/turn/step-shape';
import { OWNER } from '@/server/session/owner';
import { BUILT_IN_TOOLS, findTool } from '@/server/tools/toolbox';
import { type AskedCompaction, playCompaction } from './play-compaction';
import { putNumbers, type StoryStep, type StoryTurn, toArgs } from './read-story';
import { neverRetry, numbersOn, type Stage, toEnd, WRITTEN_BY_HAND } from './stage';

/**
 * Plays a story through the application's own machines of a turn and of a compaction: tools run on the sample
 * workspace, masks, plans, caps, cuts, checks and the ledger come about as they would with a model. Only what a model
 * would have written is read from the story.
 */
export class StoryPlayer {
  readonly #stage: Stage;
  readonly #labels = new Map<string, string>();
  #folds = 0;
  #calls = 0;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  async play(turn: StoryTurn): Promise<void> {
    const { log } = this.#stage;
    if (turn.at === null) log.pass(20_000 + turn.user.length * 180);
    else log.setTime(`${turn.at}:00.000Z`);
    const messageId = log.nextId();
    const turnId = log.nextId();
    if (turn.label !== null) this.#labels.set(turn.label, messageId);
    const parts: Part[] = [{ type: 'text', text: turn.user }];
    const { bytes } = measureItem({ type: 'message.user', parts });
    log.append([{ type: 'message.user', id: messageId, turnId, parts, by: OWNER, bytes }]);
    const folds = this.#folds;
    await this.#playTurn(turn, { turnId, messageId });
    if (this.#folds > folds !== turn.foldsItself) {
      throw new Error(`${turn.foldsItself ? 'no' : 'a'} compaction happened by itself at: ${turn.user}`);
    }
    for (const text of turn.carries) {
      log.pass(6_000);
      log.append([{ type: 'carry.marked', text, sourceItem: messageId, by: OWNER }]);
    }
    if (turn.foldAfter !== null) {
      log.pass(30_000);
      await this.#compact({ trigger: 'manual', by: OWNER, focus: turn.foldAfter });
    }
  }

  readonly #numberOf = (label: string): number => {
    const id = this.#labels.get(label);
    const item = this.#stage.log.session.items.find((each) => each.id === id);
    if (item === undefined) throw new Error(`no item is called #${label}`);
    return item.number;
  };

  async #playTurn(turn: StoryTurn, ids: { readonly turnId: string; readonly messageId: string }): Promise<void> {
    const { log, prompt } = this.#stage;
    const job: TurnJob = {
      ...ids,
      why: 'message',
      chain: [WRITTEN_BY_HAND],
      prompt,
      promptEventId: log.nextId(),
      tools: new Map(BUILT_IN_TOOLS.map((tool) => [tool.schema.name, { approval: 'allow', effects: false }])),
      maxSteps: defaultSettings.turns.max_steps,
      autoCompaction: true,
      defersAfterFailure: true,
      retry: neverRetry,
    };
    const steps = [...turn.steps];
    let { state, commands } = startTurn(job, this.#turnScene(null));
    while (state.phase !== 'done') {
      const outcomes: TurnOutcome[] = [];
      for (const command of commands) outcomes.push(...(await this.#perform(command, steps)));
      const [first, ...more] = outcomes;
      if (first === undefined) throw new Error(`the turn stood still at: ${turn.user}`);
      ({ state, commands } = stepTurn(state, first, this.#turnScene(state)));
      for (const outcome of more) {
        for (const command of commands) await this.#perform(command, steps);
        ({ state, commands } = stepTurn(state, outcome, this.#turnScene(state)));
      }
    }
    for (const command of commands) await this.#perform(command, steps);
    if (steps.length > 0) throw new Error(`the turn ended before the story at: ${turn.user}`);
  }

  async #perform(command: TurnCommand, steps: StoryStep[]): Promise<readonly TurnOutcome[]> {
    const { log } = this.#stage;
    switch (command.do) {
      case 'append':
        log.append(command.events);
        return [];
      case 'look':
        return [{ type: 'looked' }];
      case 'call': {
        const step = steps.shift();
        if (step === undefined) throw new Error('the story has no further reply');
        if (step.label !== null) this.#labels.set(step.label, command.messageId);
        return [this.#reply(step)];
      }
      case 'compact': {
        const done = await this.#compact({ trigger: command.trigger, by: null, focus: null });
        return [{ type: 'compacted', outcome: done.outcome, reason: done.reason }];
      }
      case 'run':
        return Promise.all(command.calls.map((call) => this.#run(call)));
      default:
        return [];
    }
  }

  /** What the story says in the model's place, at a pace a reader would expect. */
  #reply({ say, calls }: StoryStep): TurnOutcome {
    const ms = 900 + say.length * 11 + calls.length * 350;
    this.#stage.log.pass(ms);
    const text: Part[] = say === '' ? [] : [{ type: 'text', text: say }];
    const made = calls.map((call, index) => {
      this.#calls += 1;
      const callId = `call_${this.#calls}`;
      if (call.label !== null) this.#labels.set(call.label, callId);
      const args = toArgs(call.args, this.#numberOf);
      return { type: 'tool_call' as const, part: text.length + index, callId, name: call.name, args, argsError: null };
    });
    const asParts = made.map(({ callId, name, args }): Part => ({ type: 'tool_call', callId, name, args }));
    const end = toEnd(made.length > 0 ? 'tool_calls' : 'stop', 0);
    const reply: PartialReply = { parts: [...text, ...asParts], calls: made, artifacts: [], end };
    return { type: 'replied', reply, ms };
  }

  async #run(call: { readonly callId: string; readonly name: string; readonly args: unknown }): Promise<TurnOutcome> {
    const { log, workspace } = this.#stage;
    const tool = findTool(call.name);
    if (tool === null) throw new Error(`no tool ${call.name}`);
    const { callId } = call;
    const signal = new AbortController().signal;
    const recallCapBytes = defaultSettings.tools.recall_cap_bytes;
    const result = await tool.run(call.args, { state: log.session, callId, workspace, recallCapBytes, signal });
    // Made up like every duration here, but not always the same.
    return { type: 'ran', callId, result, ms: 60 + ((this.#calls * 37) % 120) };
  }

  #turnScene(machine: TurnMachine | null): TurnScene {
    const { log, prompt } = this.#stage;
    this.#nameResults();
    const state = log.session;
    const model = WRITTEN_BY_HAND;
    const view = projectView({ state, prompt: state.keptPrompt ?? prompt, model, moment: machine?.moment ?? 'entry' });
    const untrimmedBytes = untrimmedConversationBytes({ state, model });
    return { state, view, numbers: numbersOn(this.#stage, view.floor), untrimmedBytes, nextId: log.nextId };
  }

  /** A label of a call means its result, as soon as there is one. */
  #nameResults(): void {
    const calls = new Map([...this.#labels].map(([label, id]) => [id, label]));
    for (const { id, event } of this.#stage.log.session.items) {
      const label = event.type === 'tool.result' ? calls.get(event.callId) : undefined;
      if (label !== undefined) this.#labels.set(label, id);
    }
  }

  #compact(asked: Omit<AskedCompaction, 'texts'>): Promise<CompactionDone> {
    const texts = this.#stage.summaries[this.#folds] ?? [];
    this.#folds += 1;
    return playCompaction(this.#stage, {
      ...asked,
      texts: texts.map((text) => putNumbers(text.trim(), this.#numberOf)),
    });
  }
}
