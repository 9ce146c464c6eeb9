import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EventDraft, StoredEvent } from '@/server/contract/events/event';
import { encodeLine } from './encode-line';
import { allTypes, anyEventOf } from './encode-line-arbitraries';
import { prepareDraft } from './encode-line-draft';
import { parseLine } from './parse-line';

const id = '01K0000000000000000000000A';
const branch = '01K0000000000000000000000B';
const at = '2026-01-02T03:04:05.678Z';
const model = { provider: 'practice', model: 'rules-1' };

const message: StoredEvent<'message.user'> = {
  v: 1,
  seq: 7,
  id,
  branch,
  at,
  type: 'message.user',
  clientMessageId: 'tab-1',
  turnId: null,
  parts: [{ type: 'text', text: 'hi' }],
  by: 'me',
  place: 'turn',
  kind: 'person',
  bytes: 2,
};

const result: StoredEvent<'tool.result'> = {
  v: 1,
  seq: 9,
  id,
  branch,
  at,
  type: 'tool.result',
  prev: 8,
  callId: 'call-1',
  name: 'read_file',
  parts: [],
  isError: false,
  why: 'ran',
  observed: [],
  cap: null,
  ms: 3,
  bytes: 40,
  viewBytes: 40,
};

const started: StoredEvent<'turn.started'> = {
  v: 1,
  seq: 4,
  id,
  branch,
  at,
  type: 'turn.started',
  prev: null,
  turnId: id,
  messageId: null,
  why: 'message',
  model,
  chain: [model],
  promptId: id,
};

const bytesOf = (line: string) => Buffer.from(line.slice(0, -1));
const readBack = (event: StoredEvent) => parseLine(bytesOf(encodeLine(event)), 1);

describe('encodeLine', () => {
  it('contract-1, contract-3: writes the envelope, then the fields in schema order, without defaults, then the checksum', () => {
    const line = encodeLine(message);
    const before = `{"v":1,"seq":7,"id":"${id}","branch":"${branch}","at":"${at}","type":"message.user","clientMessageId":"tab-1","parts":[{"type":"text","text":"hi"}],"by":"me","bytes":2`;
    expect(line).toBe(`${before},"c":"${crc32(before).toString(16).padStart(8, '0')}"}\n`);
  });

  it('contract-1: prev stands after type, null too', () => {
    expect(encodeLine(started)).toContain(`"type":"turn.started","prev":null,"turnId"`);
    expect(encodeLine(result)).toContain(`"type":"tool.result","prev":8,"callId"`);
  });

  it('contract-3: viewBytes equal to bytes and a chain of the model alone are not written, and come back', () => {
    expect(encodeLine(result)).not.toContain('viewBytes');
    expect(encodeLine(started)).not.toContain('chain');
    expect(readBack(result)).toEqual({ kind: 'event', event: result });
    expect(readBack(started)).toEqual({ kind: 'event', event: started });
    expect(encodeLine({ ...result, viewBytes: 12 })).toContain('"viewBytes":12');
    expect(encodeLine({ ...started, chain: [model, model] })).toContain('"chain":[');
  });

  it('L5: plan.set.after is written when it is null', () => {
    const plan: StoredEvent<'plan.set'> = {
      v: 1,
      seq: 1,
      id,
      branch,
      at,
      type: 'plan.set',
      prev: 3,
      items: [],
      by: 'model',
      after: null,
    };
    expect(encodeLine(plan)).toContain('"items":[],"after":null,"c"');
    expect(readBack(plan)).toEqual({ kind: 'event', event: plan });
  });

  it.each(allTypes)('L6: any %s comes back from its line as it went in', (type) => {
    fc.assert(
      fc.property(anyEventOf(type), (event) => {
        const line = encodeLine(event);
        expect(line.indexOf('\n')).toBe(line.length - 1);
        expect(readBack(event)).toEqual({ kind: 'event', event });
      }),
      { numRuns: 60 },
    );
  });
});

describe('prepareDraft', () => {
  const draft = (fields: Partial<EventDraft<'tool.result'>>): EventDraft => ({
    id,
    branch,
    at,
    type: 'tool.result',
    prev: 8,
    callId: 'call-1',
    name: 'read_file',
    parts: [],
    ms: 3,
    bytes: 40,
    ...fields,
  });

  it('fills the defaults in and yields what a reader will read', () => {
    const prepared = prepareDraft(draft({}));
    const placed = prepared.kind === 'ready' ? prepared.draft.place({ seq: 9, prev: 8 }) : null;
    expect(placed).toEqual({ event: result, line: encodeLine(result) });
  });

  it('refuses what is not valid, before anything is written', () => {
    expect(prepareDraft(draft({ ms: -1 }))).toEqual({ kind: 'refused', why: 'not_valid' });
    expect(prepareDraft(draft({ id: 'mine' }))).toEqual({ kind: 'refused', why: 'not_valid' });
    expect(prepareDraft(draft({ at: '2026-01-02' }))).toEqual({ kind: 'refused', why: 'not_valid' });
  });

  it('rel-S22: refuses a line that its own reader would call damage', () => {
    const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);
    const call = (depth: number) =>
      prepareDraft(draft({ parts: [{ type: 'tool_call', callId: 'c', name: 'n', args: nested(depth) }] }));
    expect(call(61).kind).toBe('ready');
    expect(call(62)).toEqual({ kind: 'refused', why: 'too_deep' });
    let bottomless: unknown = 1;
    for (let depth = 0; depth < 200_000; depth += 1) bottomless = [bottomless];
    expect(prepareDraft(draft({ parts: [{ type: 'tool_call', callId: 'c', name: 'n', args: bottomless }] }))).toEqual({
      kind: 'refused',
      why: 'too_deep',
    });
    const text = 'x'.repeat(64 * 1024 * 1024);
    expect(prepareDraft(draft({ parts: [{ type: 'text', text }] }))).toEqual({ kind: 'refused', why: 'too_long' });
  });
});
