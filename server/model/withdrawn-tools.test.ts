import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '@/server/ports/model';
import { userSays } from './testing/ask';
import { ask, KINDS, manageFakes, NATURAL_REASONS } from './testing/fakes';

const start = manageFakes();

const schema = { name: 'read_file', description: 'Reads a file.', inputSchema: { type: 'object' } };
const entries: ModelRequest['entries'] = [
  userSays('Read it.'),
  {
    role: 'assistant',
    parts: [{ type: 'tool_call', callId: 'call_1', name: 'read_file', args: { path: 'a.md' }, artifacts: [] }],
  },
  {
    role: 'tool',
    results: [{ callId: 'call_1', name: 'read_file', text: 'berths', isError: false }],
  },
];

describe.each(KINDS)('%s: the last reply after the step limit (contract 14)', (kind) => {
  it('T3, G3: it is answered, though no tool may be called any more', async () => {
    const server = await start(kind);
    server.push({ parts: [{ text: 'That is all.' }], end: { reason: NATURAL_REASONS[kind] } });
    const reply = await ask(server, { kind, request: { tools: [schema], entries, toolChoice: 'none' } });
    expect({ text: reply.text, trouble: reply.end.trouble }).toEqual({ text: 'That is all.', trouble: null });
    expect(server.requests.at(-1)?.text.includes('Reads a file.')).toBe(kind === 'anthropic');
  });
});

describe('anthropic', () => {
  it('G3: tools that an agent has no more are named, where the conversation holds calls of them', async () => {
    const server = await start('anthropic');
    server.push({ parts: [{ text: 'Still here.' }], end: { reason: 'end_turn' } });
    const reply = await ask(server, { kind: 'anthropic', request: { tools: [], entries } });
    expect({ text: reply.text, trouble: reply.end.trouble }).toEqual({ text: 'Still here.', trouble: null });
    expect(server.requests.at(-1)?.text).toContain('"name":"read_file","description":"No longer available."');
  });
});
