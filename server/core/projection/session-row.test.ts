import { describe, expect, it } from 'vitest';
import { sessionSummarySchema } from '@/server/contract/session';
import { aLog } from './log-builder';
import { projectSessionRow, sumUsage } from './session-row';

const facts = { agentName: null, model: null, behind: false, practice: true };

function rowOf(story: ReturnType<typeof aLog>) {
  return sessionSummarySchema.parse(projectSessionRow(story.state(), story.log(), facts));
}

describe('the row of a session', () => {
  it('contract 4: a session nobody named takes the first line of its first message', () => {
    expect(rowOf(aLog().session()).title).toBe('');
    expect(rowOf(aLog().says('\n  Fix the build \nand the rest').replies('ok'))).toMatchObject({
      title: 'Fix the build',
      titleBy: 'derived',
    });
    expect(rowOf(aLog().queues('Waiting'))).toMatchObject({ title: 'Waiting', queued: 1 });
    expect(rowOf(aLog().session({ title: 'Mine' }).says('hi'))).toMatchObject({ title: 'Mine', titleBy: 'person' });
  });

  it('contract 4: a derived title has at most 60 characters and cuts none in half', () => {
    const { title } = rowOf(aLog().says('🌊'.repeat(80)));
    expect(Array.from(title)).toHaveLength(60);
    expect(title.isWellFormed()).toBe(true);
    expect(title.endsWith('…')).toBe(true);
  });

  it('says what runs: turn, approval, compaction', () => {
    const story = aLog().says('go').calls('write_file', {}, null);
    expect(rowOf(story)).toMatchObject({ status: 'running', running: true });
    expect(rowOf(story.parks(['call_1']))).toMatchObject({ status: 'waiting_approval', running: false });
    expect(rowOf(story.triesToCompact())).toMatchObject({ status: 'compacting', running: true });
    const compactionId = story.state().openCompaction?.compactionId ?? '';
    expect(rowOf(story.append('compaction.previewed', { compactionId, text: 'S' }))).toMatchObject({
      status: 'waiting_approval',
    });
    expect(rowOf(aLog().says('hi').replies('ho'))).toMatchObject({
      status: 'idle',
      running: false,
      lastTurn: { outcome: 'finished' },
    });
  });

  it('counts summaries that stand, and says when the head was moved', () => {
    const story = aLog().says('one').replies('1').compacts().says('two').replies('2').compacts();
    expect(rowOf(story)).toMatchObject({ summaries: 2, headMovedSeq: 0 });
    story.undoesCheckpoint();
    expect(rowOf(story).summaries).toBe(1);
    story.reverts(1);
    expect(rowOf(story)).toMatchObject({ summaries: 0, headMovedSeq: story.events().at(-1)?.seq });
    expect(rowOf(story).updatedAt).toBe(story.events().at(-1)?.at);
  });

  it('a fork names its parent', () => {
    const story = aLog().says('one').replies('1');
    const parent = story.branch;
    const itemId = story.itemId(1);
    expect(rowOf(story.forks(1)).parent).toEqual({ sessionId: parent, itemId });
  });

  it('usage is summed over all that was paid for, unknown numbers stay unknown', () => {
    const story = aLog().says('one').replies('1').says('two').replies('2').reverts(2);
    expect(sumUsage(story.state(), story.log())).toEqual({
      input: 200,
      output: 20,
      cachedRead: null,
      cachedWrite: null,
      reasoning: null,
    });
  });
});
