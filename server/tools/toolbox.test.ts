import { describe, expect, it } from 'vitest';
import { composePrompt } from '@/server/core/prompt/compose';
import { APPLICATION_TEXT } from '@/server/core/prompt/wording';
import { BUILT_IN_TOOLS, pickTools, toSchemas } from './toolbox';

describe('the toolbox', () => {
  it('contract 7: prompt and schemas of the practice agent stay well under its floor of 8,000 bytes', () => {
    const prompt = composePrompt({
      application: APPLICATION_TEXT,
      agent: { id: '01J00000000000000000000000', version: 1, instructions: 'x'.repeat(600) },
      skills: [],
      memories: [],
      tools: toSchemas(BUILT_IN_TOOLS),
    });
    expect(prompt.bytes).toBeLessThan(2_600);
    expect(prompt.toolsBytes).toBeLessThan(4_900);
  });

  it('P1: an agent gets the tools it names, always in the same order', () => {
    const names = pickTools(['recall', 'read_file', 'no_such_tool']).map((tool) => tool.schema.name);
    expect(names).toEqual(['read_file', 'recall']);
  });

  it('M3: every schema is an object schema that takes nothing it does not name', () => {
    for (const { schema } of BUILT_IN_TOOLS) {
      expect(schema.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    }
  });
});
