import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { encodeLine } from '@/server/core/log/encode-line';
import { aLog } from '@/server/core/projection/log-builder';
import { readConversation } from './read-conversation';
import { reportView } from './view-report';

const read = (bytes: Uint8Array) => readConversation(bytes, { file: 'a.jsonl', resultCapBytes: 16_384 });
const story = () =>
  aLog()
    .says('list the files')
    .calls('ls', {}, 'row '.repeat(2_000))
    .replies('many')
    .compacts({ covers: 1 })
    .says('go on');
const bytesOf = (log = story()) =>
  Buffer.from(
    log
      .events()
      .map((event) => `${encodeLine(event)}\n`)
      .join(''),
  );

function report(bytes: Uint8Array, budgetBytes: number): string {
  const conversation = read(bytes);
  const session = conversation?.sessions[0];
  if (!conversation || !session) throw new TypeError('no conversation');
  return reportView({ log: conversation.log, session, budgetBytes, full: false }).join('\n');
}

describe('npm run view', () => {
  it('says of a Tidemark log what a model would read, from which items, and what it takes', () => {
    const text = report(bytesOf(), 400_000);
    expect(text).toContain('items 5 · summary of 1 items · trims in force 0 · masks 0');
    expect(text).toMatch(/^0 +user +summary +– +\d+ +<summary items="1-1"/m);
    expect(text).toMatch(/^1 +user +raw +1 +\d+ +list the files \[kept\]$/m);
    expect(text).toMatch(/^3 +tool +raw +3 +8,\d+ +<tool_result tool="ls" item="3"> row/m);
    expect(text).toMatch(/^the request +6 entries +[\d,]+$/m);
    expect(text).not.toContain('Trimmed');
  });

  it('B6: says what a trim would leave out where the budget is small', () => {
    const text = report(bytesOf(), 4_000);
    expect(text).toContain('Over the trigger: a turn would compact first.');
    expect(text).toMatch(/Trimmed to fit, [\d,]+ to [\d,]+: 1 results/);
    expect(text).toMatch(/^3 +tool +stub +3/m);
  });

  it('X10: reads a session of Claude Code the same way', () => {
    const file = fileURLToPath(new URL('../server/core/import/fixtures/ccviewer-1af7fc5e.jsonl', import.meta.url));
    const bytes = readFileSync(file);
    expect(read(bytes)?.format).toBe('claude-code');
    expect(report(bytes, 16_000)).toMatch(/^the request/m);
  });

  it('is silent about a file that is neither', () => {
    expect(read(Buffer.from('{"hello":"world"}\n'))).toBeNull();
  });
});
