import { describe, expect, it } from 'vitest';
import { aLog } from '@/server/core/projection/log-builder';
import { SUMMARY_HEADINGS } from '@/server/core/prompt/wording';
import { collectReply, NO_REPLY } from '@/server/core/turn/collect-reply';
import type { StepRetry } from '@/server/core/turn/model-call';
import { startCompaction, stepCompaction } from './step';
import type { CompactionOutcome } from './step-job';
import {
  agent,
  breaks,
  end,
  jobOf,
  other,
  play,
  reasons,
  says,
  sceneOf,
  talk,
  textOfCall,
  trouble,
  types,
  usage,
  whole,
} from './step-play';

describe('a rejected text', () => {
  it('C8: the same model is asked once more with the reason named, then the next model', () => {
    const { calls, events, done } = play(jobOf({ chain: [agent, other] }), sceneOf(talk()), [
      says('## Objective\nonly this much, which is not enough'),
      says('x'.repeat(8_000)),
      says(whole),
    ]);
    expect(reasons(events)).toEqual([
      'rejected sections:Constraints, Decisions and evidence, Invalidated, Work, Next action, Files, Code anchors',
      `rejected sections:${SUMMARY_HEADINGS.join(', ')}`,
      'accepted',
    ]);
    expect(textOfCall(calls[1])).toContain(
      'these headings were missing, doubled or without a line under them: Constraints',
    );
    expect(textOfCall(calls[2])).not.toContain('was not accepted');
    expect(done?.outcome).toBe('committed');
  });

  it('C8: length, refusal and silence are rejected with their usage kept', () => {
    const { events, done } = play(jobOf({ chain: [agent, other] }), sceneOf(talk()), [
      says(whole, { end: 'length', rawEnd: 'length', natural: false }),
      says('', { natural: false, trouble: trouble('incomplete', { code: 'empty' }) }),
      says(whole, { end: 'refusal', rawEnd: 'refusal', natural: false, trouble: trouble('refusal') }),
      says(whole, {
        end: 'error',
        rawEnd: 'pause_turn',
        natural: false,
        trouble: trouble('incomplete', { code: 'pause_turn' }),
      }),
    ]);
    expect(reasons(events)).toEqual([
      'rejected incomplete:length',
      'rejected empty',
      'rejected incomplete:refusal',
      'rejected incomplete:pause_turn',
    ]);
    expect(events.filter((event) => event.type === 'compaction.attempt').every((event) => event.usage === usage)).toBe(
      true,
    );
    expect(done).toMatchObject({ outcome: 'rejected', reason: 'incomplete:pause_turn' });
    expect(types(events)).not.toContain('checkpoint.committed');
    expect(types(events)).not.toContain('prompt.kept');
  });

  it('C9: partial text is dropped before anything is asked again', () => {
    const { commands } = play(jobOf(), sceneOf(talk()), [breaks('network'), says('short'), says(whole)]);
    const order = commands.map((command) => command.do).filter((name) => name === 'call' || name === 'reset');
    expect(order).toEqual(['call', 'reset', 'call', 'reset', 'call']);
  });

  it('contract 11: after a tool call the retry carries no tools and is serialised', () => {
    const called: CompactionOutcome = {
      type: 'replied',
      ms: 5,
      reply: [
        { type: 'tool_call', part: 0, callId: 'c', name: 'recall', args: {}, argsError: null } as const,
        end({ end: 'tool_calls', rawEnd: 'tool_calls', natural: false }),
      ].reduce(collectReply, NO_REPLY),
    };
    const { calls, events } = play(jobOf(), sceneOf(talk()), [called, says(whole)]);
    expect(calls.map((command) => (command.do === 'call' ? command.request.form : ''))).toEqual([
      'prefix',
      'serialised',
    ]);
    expect(reasons(events)).toEqual(['rejected incomplete:tool_calls', 'accepted']);
  });

  it('C8: over the commit budget it is planned and asked anew with a shorter tail, never cut afterwards', () => {
    const log = aLog();
    for (let turn = 1; turn <= 12; turn += 1) log.says('q'.repeat(500)).replies('a'.repeat(500));
    log.says('now');
    const scene = sceneOf(log, 20_000);
    // A summariser that was promised more room than there is: the cap is wide, the budget is not.
    const tight = { ...scene, numbers: { ...scene.numbers, commitBytes: 10_200, carryBoundBytes: 0 } };
    const { calls, events, done } = play(jobOf({ trigger: 'auto', chain: [other] }), tight, [says(whole)]);
    expect(done?.outcome).toBe('committed');
    expect(calls).toHaveLength(1);
    const late = { ...tight, numbers: { ...tight.numbers, commitBytes: 4_100 } };
    const step = startCompaction(jobOf({ trigger: 'auto', chain: [other] }), tight);
    const planned = step.state.go;
    if (planned === null) throw new TypeError('not planned');
    const state = { ...step.state, go: { ...planned, numbers: late.numbers } };
    const next = stepCompaction(state, says(whole), tight);
    expect(next.state.replans).toBe(1);
    expect(next.state.go?.tailBytes).toBeLessThanOrEqual(planned.tailBytes / 2);
    expect(next.commands.map((command) => command.do)).toEqual(['append', 'reset', 'say', 'call']);
    const still = { ...planned, ...next.state.go, numbers: { ...late.numbers, commitBytes: 1 } };
    const last = stepCompaction({ ...next.state, go: still }, says(whole), tight);
    expect([last.state.replans, last.state.go?.tail]).toEqual([2, []]);
    expect(events.length).toBeGreaterThan(0);
  });
});

describe('a broken request', () => {
  it('case-A06: waits as the provider asked, tries three times, then the next model; nothing is committed before', () => {
    const limited = breaks('rate_limit', { status: 429, retryAfterMs: 2_000 });
    const { commands, events, done } = play(jobOf({ chain: [agent, other] }), sceneOf(talk()), [
      limited,
      breaks('network'),
      breaks('network'),
      breaks('auth', { status: 401 }),
    ]);
    expect(commands.flatMap((command) => (command.do === 'wait' ? [command.ms] : []))).toEqual([2_000, 1_000]);
    expect(reasons(events)).toEqual(['failed rate_limit', 'failed network', 'failed network', 'failed auth']);
    expect(done).toMatchObject({ outcome: 'failed', reason: 'auth', detail: { status: 401 } });
    expect(types(events).at(-1)).toBe('compaction.ended');
  });

  it('S2: only the models of the list are asked, in order, each named', () => {
    const { commands } = play(jobOf({ chain: [agent, other] }), sceneOf(talk()), [breaks('quota'), breaks('quota')]);
    const said = commands.flatMap((command) => (command.do === 'say' ? [command] : []));
    expect(said.map(({ model, attempt }) => [model.model, attempt])).toEqual([
      ['rules-1', { n: 1, of: 2, after: null }],
      ['big-2', { n: 2, of: 2, after: 'quota' }],
    ]);
  });

  it('case-A14: after an overflow the same request is never sent again, whatever the retry policy would do', () => {
    const retry: StepRetry = (position) => ({ state: position, command: { do: 'wait', model: agent, waitMs: 1 } });
    const job = jobOf({ chain: [agent, other], retry });
    const overflows = Array.from({ length: 60 }, () => breaks('context'));
    const { calls, done } = play(job, sceneOf(talk()), overflows);
    const bodies = calls.map((command) =>
      command.do === 'call' ? JSON.stringify([command.model, command.request]) : '',
    );
    expect(new Set(bodies).size).toBe(bodies.length);
    expect(calls.length).toBeLessThan(60);
    expect(done).toMatchObject({ outcome: 'failed' });
  });

  it('R0: a model whose window takes the source in one request is asked so, a smaller one in segments', () => {
    const factsOf = ({ model }: { model: string }) => ({
      windowTokens: model === 'rules-1' ? 3_000 : 100_000,
      bytesPerToken: 2,
      ceilingTokens: () => null,
      prices: null,
    });
    const big = play(jobOf({ chain: [other], factsOf }), sceneOf(talk()), [says(whole)]);
    expect(big.calls.map(textOfCall)[0]).toMatch(/^TASK summary 1/);
    const small = play(jobOf({ chain: [agent, other], factsOf }), sceneOf(talk()), []);
    expect(small.calls.length).toBeGreaterThan(1);
    for (const call of small.calls) expect(textOfCall(call)).toMatch(/^TASK map 1/);
  });

  it('R0, R3: a window that takes not even one item is left for the next model, and the item is named', () => {
    const factsOf = ({ model }: { model: string }) => ({
      windowTokens: model === 'rules-1' ? 1_000 : 100_000,
      bytesPerToken: 2,
      ceilingTokens: () => null,
      prices: null,
    });
    const { calls, events } = play(jobOf({ chain: [agent, other], factsOf }), sceneOf(talk()), [says(whole)]);
    expect(calls.map((command) => (command.do === 'call' ? command.model.model : ''))).toEqual(['big-2']);
    expect(reasons(events)).toEqual(['accepted']);
    const none = play(jobOf({ factsOf }), sceneOf(talk()), []);
    expect(none.done).toMatchObject({ outcome: 'failed', reason: 'item_too_large:1' });
  });

  it('R0: without a known window the agent budget is the estimate', () => {
    expect(textOfCall(play(jobOf(), sceneOf(talk(), 9_000), []).calls[0])).toMatch(/^TASK map 1/);
    expect(textOfCall(play(jobOf(), sceneOf(talk(), 40_000), []).calls[0])).toMatch(/^TASK summary 1/);
  });

  it('C8: a stream that broke off before its end is named so', () => {
    const { events } = play(jobOf(), sceneOf(talk()), [breaks('network', { code: 'cut_off' }), says(whole)]);
    expect(reasons(events)).toEqual(['failed incomplete:cut_off', 'accepted']);
  });
});
