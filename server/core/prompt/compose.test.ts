import { describe, expect, it } from 'vitest';
import { jsonStringBytes } from '@/server/core/budget/json-bytes';
import { composePrompt, type PromptSources, readSection } from './compose';
import { APPLICATION_TEXT } from './wording';

const agentId = '01J00000000000000000000001';
const skillId = '01J00000000000000000000002';

function sources(fields: Partial<PromptSources> = {}): PromptSources {
  return {
    application: APPLICATION_TEXT,
    agent: { id: agentId, version: 4, instructions: 'Help with "invoices".\nBe brief.' },
    skills: [{ id: skillId, name: 'Ledger', version: 2, instructions: 'Accounts are numbered.' }],
    memories: [{ id: '01J00000000000000000000003', text: 'Never set a pay date on a Thursday.' }],
    tools: [{ name: 'read_file', description: 'Reads.', inputSchema: { type: 'object' } }],
    ...fields,
  };
}

describe('composing the prompt (P1)', () => {
  it('contract 15: application, agent, skills in order, memories', () => {
    const prompt = composePrompt(sources());
    expect(prompt.sections.map((section) => section.name)).toEqual([
      'Application',
      'Instructions',
      'Skill: Ledger',
      'Standing instructions of the person',
    ]);
    expect(prompt.text.slice(APPLICATION_TEXT.length)).toBe(
      [
        '',
        '# Instructions\n\nHelp with "invoices".\nBe brief.',
        '# Skill: Ledger\n\nAccounts are numbered.',
        '# Standing instructions of the person\n\nDeclared by the person for every conversation. They hold whatever a skill says.\n- Never set a pay date on a Thursday.',
      ].join('\n\n'),
    );
    expect(prompt).toMatchObject({
      agentVersion: 4,
      skills: [{ id: skillId, name: 'Ledger', version: 2 }],
      wording: 1,
    });
  });

  it('contract 7: the sections add up to the measure of the whole text', () => {
    const prompt = composePrompt(sources());
    expect(prompt.bytes).toBe(jsonStringBytes(prompt.text) - 2);
    expect(prompt.sections.reduce((sum, section) => sum + section.bytes, 0)).toBe(prompt.bytes);
  });

  it('P1: the same sources give the same prompt, byte for byte', () => {
    expect(composePrompt(sources())).toEqual(composePrompt(sources()));
  });

  it('P1: without agent, skills and memories only the application speaks', () => {
    const prompt = composePrompt(sources({ agent: null, skills: [], memories: [], tools: [] }));
    expect(prompt.text).toBe(APPLICATION_TEXT);
    expect(prompt).toMatchObject({ agentVersion: null, memoryHash: null, toolsBytes: 0 });
  });

  it('contract 15: the application text names no model and no date', () => {
    expect(APPLICATION_TEXT).not.toMatch(/20\d\d|gpt|claude|gemini/i);
  });

  it('P4: a section is read back from the kept text by its size', () => {
    const prompt = composePrompt(sources());
    expect(readSection(prompt, 'agent')).toBe('# Instructions\n\nHelp with "invoices".\nBe brief.');
    expect(readSection(prompt, 'memory')).toMatch(/Thursday\.$/);
    expect(readSection(composePrompt(sources({ agent: null })), 'agent')).toBe('');
  });
});
