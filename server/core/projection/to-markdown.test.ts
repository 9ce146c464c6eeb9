import { describe, expect, it } from 'vitest';
import type { Message } from '@/server/contract/message';
import { aLog } from './log-builder';
import { toMarkdown } from './to-markdown';
import { projectTranscript } from './transcript';

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

  it('L3, L4: says where the conversation went back and where others begin', () => {
    const story = aLog().says('one').replies('two').says('three').replies('four');
    const [four, root] = [story.itemId(4), story.branch];
    const fork = story.forks(2).branch;
    story.on(root).reverts(2).says('other');
    const text = toMarkdown(head, projectTranscript(story.state(), story.log()));
    const [said = '', after = ''] = text.split('## You · 2026-01-01T00:00:1');
    expect(said).toContain(
      `\n*Went back to here · 2026-01-01T00:00:13.000Z. 2 messages are kept, the newest of them ${four}.*\n`,
    );
    expect(said).toContain(`*Another conversation branches from here: ${fork}.*`);
    expect(after).not.toContain('Went back');
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
