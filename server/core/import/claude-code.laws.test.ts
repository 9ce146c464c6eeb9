import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { messageSchema } from '@/server/contract/message';
import { checkLog } from '@/server/core/log/check-log';
import { foldSession } from '@/server/core/projection/session-state';
import { projectTranscript } from '@/server/core/projection/transcript';
import { importClaudeCode } from './claude-code';
import { importContext, storeDrafts } from './import-test-log';

/** Few ids, so that lines meet: parents, replies and calls repeat, point forward, or name nothing. */
const uuid = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', '', '__proto__');
const callId = fc.constantFrom('t1', 't2', 't3', '', 'x'.repeat(300));
const block = fc.oneof(
  fc.record({
    type: fc.constant('text'),
    text: fc.constantFrom('hi', '', '<command-name>/x', '[Request interrupted by user]'),
  }),
  fc.record({ type: fc.constant('thinking'), thinking: fc.string(), signature: fc.string() }),
  fc.record({
    type: fc.constant('tool_use'),
    id: callId,
    name: fc.constantFrom('Bash', 'Task', ''),
    input: fc.jsonValue(),
  }),
  fc.record({
    type: fc.constant('tool_result'),
    tool_use_id: callId,
    content: fc.oneof(fc.string(), fc.array(fc.jsonValue())),
    is_error: fc.boolean(),
  }),
  fc.record({
    type: fc.constant('image'),
    source: fc.record({ type: fc.constant('base64'), media_type: fc.constant('image/png'), data: fc.base64String() }),
  }),
  fc.record({ type: fc.string() }),
);
const message = fc.record({
  id: fc.constantFrom('m1', 'm2', 'm3', undefined),
  model: fc.constantFrom('claude', '', undefined),
  content: fc.oneof(fc.string(), fc.array(block, { maxLength: 4 })),
  stop_reason: fc.constantFrom('end_turn', 'max_tokens', null),
  usage: fc.option(fc.record({ input_tokens: fc.double(), output_tokens: fc.integer() })),
});
const line = fc.record(
  {
    type: fc.constantFrom('user', 'assistant', 'assistant', 'user', 'system', 'progress', 'summary', 'odd'),
    subtype: fc.constantFrom('compact_boundary', 'microcompact_boundary', 'other'),
    uuid,
    parentUuid: fc.oneof(uuid, fc.constant(null)),
    logicalParentUuid: uuid,
    isSidechain: fc.boolean(),
    isMeta: fc.boolean(),
    isCompactSummary: fc.constantFrom(true, false, false),
    timestamp: fc.constantFrom('2025-01-01T00:00:00Z', 'never', '2024-05-05T05:05:05.123Z'),
    message,
    summary: fc.string(),
    leafUuid: uuid,
    microcompactMetadata: fc.record({ compactedToolIds: fc.array(callId) }),
  },
  { requiredKeys: ['type'] },
);
const file = fc
  .array(
    fc.oneof(
      { weight: 9, arbitrary: line.map((value) => JSON.stringify(value)) },
      { weight: 1, arbitrary: fc.string() },
    ),
    { maxLength: 25 },
  )
  .chain((lines) => fc.constantFrom(lines.join('\n'), lines.join('\r\n'), `${lines.join('')}\n`));

describe('laws of import', () => {
  it('whatever a file holds, its import passes check-log and its transcript keeps the contract', () => {
    fc.assert(
      fc.property(file, (text) => {
        const imported = importClaudeCode(text, importContext({ resultCapBytes: 1024 }));
        if (!imported) return;
        const events = storeDrafts(imported.drafts);
        const records = events.map(
          (event, place) => ({ kind: 'event', event, from: place * 11, to: place * 11 + 10 }) as const,
        );
        const { violations, log } = checkLog(records);
        expect(violations).toEqual([]);
        for (const branch of log.branches.keys()) {
          for (const shown of projectTranscript(foldSession(log, branch), log)) messageSchema.parse(shown);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('the same file imports the same log', () => {
    fc.assert(
      fc.property(file, (text) => {
        expect(importClaudeCode(text, importContext())).toEqual(importClaudeCode(text, importContext()));
      }),
      { numRuns: 30 },
    );
  });
});
