import { describe, expect, it } from 'vitest';
import { aLog, type LogBuilder } from '@/server/core/projection/log-builder';
import { recoverBranch, type SavedReply } from './recover';

function recover(log: LogBuilder, saved: SavedReply | null = null): readonly string[] {
  const events = recoverBranch({ log: log.log(), state: log.state(), saved });
  for (const { type, ...fields } of events) log.append(type, fields as never);
  expect(log.log().violations).toEqual([]);
  return events.map((event) => event.type);
}

const messageId = '01M00000000000000000000001';

describe('recovery at start (T4)', () => {
  it('T4: what streamed before the kill becomes a reply, marked interrupted, and the turn ends', () => {
    const log = aLog().says('hi');
    const saved: SavedReply = { messageId, parts: [{ type: 'text', text: 'I was about' }] };
    expect(recover(log, saved)).toEqual(['message.assistant', 'turn.ended']);
    expect(log.events().at(-2)).toMatchObject({ id: messageId, end: 'interrupted', parts: [{ text: 'I was about' }] });
    expect(log.events().at(-1)).toMatchObject({ outcome: 'interrupted', code: 'interrupted', steps: 1 });
  });

  it('contract 4: open calls get results; after tool.started the tool may have run', () => {
    const log = aLog().says('write');
    log.batch([
      { name: 'read_file', result: 'one', callId: 'a' },
      { name: 'read_file', result: null, callId: 'b' },
      { name: 'write_file', result: null, callId: 'c' },
    ]);
    log.append('tool.started', { callId: 'c', name: 'write_file' });
    expect(recover(log)).toEqual(['tool.result', 'tool.result', 'turn.ended']);
    const texts = log.events().flatMap((event) => (event.type === 'tool.result' ? [event.parts[0]] : []));
    expect(texts[1]).toMatchObject({ text: expect.stringMatching(/It brought no result\.$/) });
    expect(texts[2]).toMatchObject({ text: expect.stringMatching(/It may have run/) });
  });

  it('T3: an open call of a turn that an error ended does not say that the server stopped', () => {
    const log = aLog().says('read').calls('read_file', {}, null);
    const because = { code: 'storage_full', text: 'The disk is full.' };
    const [result, ended] = recoverBranch({ log: log.log(), state: log.state(), saved: null, because });
    expect(result).toMatchObject({
      why: 'interrupted',
      parts: [{ text: 'read_file was interrupted: the turn ended with an error. It brought no result.' }],
    });
    expect(ended).toMatchObject({ outcome: 'failed', ...because });
  });

  it('contract 14: a parked turn waits on', () => {
    expect(recover(aLog().says('write').calls('write_file', {}, null).parks(['call_1']))).toEqual([]);
  });

  it('T4: blank text is no reply, one that was appended is not said twice, and a second recovery does nothing', () => {
    const log = aLog().says('hi');
    expect(recover(log, { messageId, parts: [{ type: 'reasoning', text: 'hm' }] })).toEqual(['turn.ended']);
    expect(recover(log)).toEqual([]);
    const said = aLog().says('hi').calls('read_file');
    const own = said.item(2).id;
    expect(recover(said, { messageId: own, parts: [{ type: 'text', text: 'x' }] })).toEqual(['turn.ended']);
  });

  it('contract 4: a compaction under way failed, unless its checkpoint is in the log or a preview waits', () => {
    const open = aLog().says('hi').replies('hello');
    open.triesToCompact();
    expect(recover(open)).toEqual(['compaction.ended']);
    expect(open.events().at(-1)).toMatchObject({ outcome: 'failed', reason: 'interrupted' });

    const previewed = aLog().says('hi').replies('hello');
    previewed.triesToCompact();
    const { openCompaction } = previewed.state();
    previewed.append('compaction.previewed', { compactionId: openCompaction?.compactionId ?? '', text: 'x' });
    expect(recover(previewed)).toEqual([]);
  });

  it('contract 1: after any prefix of the commit batch the compaction is what the log says it is', () => {
    const log = aLog().says('hi').replies('hello').says('more').replies('yes').compacts();
    const events = log.events().filter((event) => event.type !== 'compaction.ended');
    const again = aLog().says('hi').replies('hello').says('more').replies('yes');
    const seen = new Set(again.events().map((event) => event.id));
    for (const event of events) {
      if (seen.has(event.id)) continue;
      const {
        v: _v,
        seq: _seq,
        branch: _branch,
        at: _at,
        prev: _prev,
        type,
        ...fields
      } = event as never as Record<string, never>;
      again.append(type as never, fields as never);
    }
    expect(recover(again)).toEqual(['compaction.ended']);
    expect(again.events().at(-1)).toMatchObject({ outcome: 'committed' });
  });
});
