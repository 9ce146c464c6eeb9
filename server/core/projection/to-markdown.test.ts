import { describe, expect, it } from 'vitest';
import type { Message } from '@/server/contract/message';
import { toMarkdown } from './to-markdown';

const at = '2026-01-01T00:00:00.000Z';
const head = { title: 'Backfill', createdAt: at };

describe('a transcript as Markdown', () => {
  it('keeps what was said as it was said', () => {
    const said: Message = {
      id: '01J00000000000000000000001',
      seq: 3,
      at,
      role: 'user',
      parts: [{ type: 'text', text: '- a\n  - b' }],
      metadata: {
        number: 1,
        turnId: null,
        bytes: 10,
        clientMessageId: null,
        kind: 'person',
        by: 'owner',
        queued: false,
      },
    };
    expect(toMarkdown(head, [said])).toBe(`# Backfill\n\nBegun ${at}.\n\n## You · ${at}\n\n- a\n  - b\n`);
  });

  it('case-E03: a result that holds fences cannot break out of its own', () => {
    const result: Message = {
      id: '01J00000000000000000000002',
      seq: 4,
      at,
      role: 'tool',
      parts: [
        {
          type: 'tool_result',
          callId: 'c',
          name: 'read_file',
          output: '````\nx\n````',
          isError: false,
          bytes: 11,
          masked: false,
        },
      ],
      metadata: { number: 2, turnId: null, bytes: 11, callId: 'c', why: 'ran', ms: 1, cap: null, viewBytes: 11 },
    };
    expect(toMarkdown(head, [result])).toContain('`````\n````\nx\n````\n`````');
  });
});
