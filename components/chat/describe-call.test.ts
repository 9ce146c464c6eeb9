import { describe, expect, it } from 'vitest';
import type { ToolMessage } from '@/server/contract/message';
import { idOf } from '../sync/fold-stream-arbitraries';
import type { Step } from './build-turns';
import { describeCall, describeResult, sumUpSteps } from './describe-call';

function step(
  name: string,
  args: unknown,
  told: { output?: string; isError?: boolean; why?: ToolMessage['metadata']['why'] } = {},
): Step {
  const { output = 'one\ntwo\n', isError = false, why = 'ran' } = told;
  const state = isError ? 'failed' : 'done';
  return {
    key: name,
    live: false,
    call: { type: 'tool_call', callId: 'c', name, args, state },
    result: {
      id: idOf(1),
      seq: 1,
      at: '2026-01-02T03:04:05.678Z',
      role: 'tool',
      parts: [{ type: 'tool_result', callId: 'c', name, output, isError, bytes: output.length, masked: false }],
      metadata: { number: 1, turnId: null, bytes: 8, callId: 'c', why, ms: 400, cap: null, viewBytes: 8 },
    },
  };
}

describe('a call in words', () => {
  it.each([
    ['read_file', { path: 'docs/runbook.md' }, 'Read docs/runbook.md'],
    ['search_files', { text: 'customer_json', path: 'app' }, 'Searched customer_json in app'],
    ['list_files', {}, 'Listed the workspace'],
    ['update_plan', { items: [] }, 'Updated plan'],
    ['Read', { file_path: 'src/a.ts' }, 'Read src/a.ts'],
    ['weather', { query: 'Oslo\nnow' }, 'weather Oslo now'],
    ['broken', '{"half', 'broken '],
  ])('%s', (name, args, words) => {
    const { verb, object } = describeCall(step(name, args));
    expect(`${verb} ${object}`).toBe(words);
  });

  it('what still runs is told as it happens', () => {
    const running: Step = { ...step('read_file', { path: 'a' }), result: null, live: true };
    expect(describeCall(running).verb).toBe('Reading');
  });

  it('design: a box sums up its steps in the order they first came', () => {
    const steps = [
      step('read_file', { path: 'a' }),
      step('search_files', { text: 'x' }),
      step('read_file', { path: 'b' }),
      step('edit_file', { path: 'b' }),
    ];
    expect(sumUpSteps(steps)).toBe('read 2 files, searched, edited 1 file');
  });
});

describe('what came of it', () => {
  it('counts what can be counted', () => {
    expect(describeResult(step('read_file', { path: 'a' })).text).toBe('2 lines');
    expect(describeResult(step('search_files', { text: 'x' })).text).toBe('2 matches');
    expect(describeResult(step('update_plan', { items: [{ status: 'done' }, { status: 'pending' }] })).text).toBe(
      '1 of 2 done',
    );
  });

  it('T3: a failure is one; what a person stopped or did not allow is none', () => {
    expect(describeResult(step('read_file', {}, { isError: true }))).toEqual({ text: 'failed', failed: true });
    expect(describeResult(step('read_file', {}, { isError: true, why: 'cancelled' }))).toEqual({
      text: 'stopped',
      failed: false,
    });
    expect(describeResult(step('read_file', {}, { isError: true, why: 'denied' })).failed).toBe(false);
  });
});
