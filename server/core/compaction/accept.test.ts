import { describe, expect, it } from 'vitest';
import { SUMMARY_HEADINGS } from '@/server/core/prompt/wording';
import { type AcceptanceBounds, acceptSummary, type SummaryReply } from './accept';

const whole = SUMMARY_HEADINGS.map((heading) => `## ${heading}\n- the port is 7443 (item 3)`).join('\n\n');

function reply(text: string, fields: Partial<SummaryReply> = {}): SummaryReply {
  const natural = text.trim() !== '';
  return { text, natural, end: 'stop', rawEnd: 'stop', trouble: null, calledTool: false, ...fields };
}

function bounds(fields: Partial<AcceptanceBounds> = {}): AcceptanceBounds {
  return {
    sourceBytes: 20_000,
    capBytes: 3_000,
    commitBytes: 10_000,
    keepBytes: 500,
    tailBytes: 2_000,
    frame: (body) => body.length + 400,
    install: (body) => body.length + 600,
    fingerprint: 'a',
    fingerprintNow: 'a',
    ...fields,
  };
}

function reasonOf(text: string, fields: Partial<SummaryReply> = {}, held: Partial<AcceptanceBounds> = {}): string {
  const judged = acceptSummary(reply(text, fields), bounds(held));
  return judged.ok ? 'accepted' : judged.reason;
}

describe('acceptance of a summary (C8)', () => {
  it('C8: a whole, natural, short text passes every check in order', () => {
    const judged = acceptSummary(reply(`\n${whole}\n`), bounds());
    expect(judged).toMatchObject({ ok: true, body: whole });
    expect(judged.checks.map((check) => check.name)).toEqual([
      'end',
      'text',
      'sections',
      'tool_markup',
      'smaller',
      'cap',
      'commit',
      'source',
    ]);
    expect(judged.checks.every((check) => check.ok)).toBe(true);
  });

  it.each([
    ['length', { natural: false, end: 'length', rawEnd: 'max_tokens' }, 'incomplete:length'],
    ['a refusal (case-A04)', { natural: false, end: 'refusal', rawEnd: 'refusal' }, 'incomplete:refusal'],
    ['a paused turn called stop', { natural: false, rawEnd: 'pause_turn' }, 'incomplete:pause_turn'],
    ['an unknown reason', { natural: false, end: 'error', rawEnd: 'weird' }, 'incomplete:error'],
    ['no end at all', { natural: false, end: 'error', rawEnd: null, trouble: 'incomplete' }, 'incomplete:incomplete'],
    [
      'a tool call',
      { natural: false, end: 'tool_calls', rawEnd: 'tool_calls', calledTool: true },
      'incomplete:tool_calls',
    ],
  ])('C8: %s is incomplete, however good the text', (_what, fields, reason) => {
    expect(reasonOf(whole, fields)).toBe(reason);
  });

  it('case-A03: reasoning alone, blanks and next to nothing are empty', () => {
    expect(reasonOf('')).toBe('empty');
    expect(reasonOf('   \n\t')).toBe('empty');
    expect(reasonOf('## Objective\nnone')).toBe('empty');
  });

  it('case-A04: a long polite refusal that ends naturally fails on its shape', () => {
    const refusal = 'Sorry, but summarising this material is something I must decline. Give me a different job.';
    expect(reasonOf(refusal)).toBe(`sections:${SUMMARY_HEADINGS.join(', ')}`);
  });

  it('case-A04: a text about "I cannot do that" is no refusal', () => {
    expect(reasonOf(whole.replace('the port is 7443', 'users see "I cannot do that"'))).toBe('accepted');
  });

  it('contract 11: headings in any order, level 1-4, letter case and a trailing colon ignored', () => {
    const turned = [...SUMMARY_HEADINGS].reverse().map((heading) => `#### ${heading.toUpperCase()}:\nnone`);
    expect(reasonOf(turned.join('\n'))).toBe('accepted');
    expect(reasonOf(whole.replace('## Work', '##### Work'))).toBe('sections:Work');
    expect(reasonOf(whole.replace('## Work', '**Work**'))).toBe('sections:Work');
  });

  it('contract 11: a doubled heading, and one with nothing under it, are named', () => {
    expect(reasonOf(`${whole}\n## Files\nmore`)).toBe('sections:Files');
    expect(reasonOf(whole.replace('## Work\n- the port is 7443 (item 3)', '## Work\n'))).toBe('sections:Work');
  });

  it('contract 11: headings inside a code fence do not count, and an open fence swallows what follows', () => {
    const fenced = whole.replace('## Files', '```md\n## Files\n```\n## Files');
    expect(reasonOf(fenced)).toBe('accepted');
    expect(reasonOf(whole.replace('## Files', '```\n## Files'))).toBe('sections:Files, Code anchors');
  });

  it.each(['<tool_call', '<function_call', '<tool_use', '<invoke name="x"', '[TOOL_CALLS]', '<|im_start|>'])(
    'C8: %s outside a code fence is tool markup; inside one it is a quote',
    (mark) => {
      expect(reasonOf(`${whole}\n- ${mark}`)).toBe('tool_markup');
      expect(reasonOf(`${whole}\n~~~\n${mark}\n~~~`)).toBe('accepted');
    },
  );

  it('C8: not smaller than its source, frame counted', () => {
    const size = whole.length + 400;
    expect(reasonOf(whole, {}, { sourceBytes: size })).toBe('not_smaller');
    expect(reasonOf(whole, {}, { sourceBytes: size + 1 })).toBe('accepted');
  });

  it('case-A09: above the cap is too long, whatever it stands for', () => {
    const size = whole.length + 400;
    expect(reasonOf(whole, {}, { capBytes: size - 1 })).toBe('too_long');
    expect(reasonOf(whole, {}, { capBytes: size })).toBe('accepted');
  });

  it('C8: as installed, with keep and tail, it must fit the commit budget', () => {
    const size = whole.length + 600 + 500 + 2_000;
    expect(reasonOf(whole, {}, { commitBytes: size - 1 })).toBe('over_commit');
    expect(reasonOf(whole, {}, { commitBytes: size })).toBe('accepted');
  });

  it('R4: a source that changed meanwhile is not what was summarised', () => {
    expect(reasonOf(whole, {}, { fingerprintNow: 'b' })).toBe('source_changed');
  });

  it('contract 11: the first check that fails gives the reason', () => {
    expect(reasonOf('short', { natural: false, end: 'length' }, { capBytes: 1 })).toBe('incomplete:length');
    expect(reasonOf(`${whole}\n<tool_call>`, {}, { capBytes: 1, sourceBytes: 1 })).toBe('tool_markup');
    expect(reasonOf(whole, {}, { capBytes: 1, sourceBytes: 1 })).toBe('not_smaller');
  });
});
