import { describe, expect, it } from 'vitest';
import { aSession } from '../sync/testing/a-session';
import { aSummary } from '../sync/testing/a-summary';
import { sayReturned, sayRevert, wordOlder } from './revert-words';
import { wordUndo, wordUndone } from './use-travel-commands';
import { wordBlocked } from './use-travel-scope';

const { context } = aSession();
const { metadata } = aSummary(5, 4);

describe('the question before a summary is taken back (ux 6.2)', () => {
  it('X5: sizes before and after as the server measured them', () => {
    const words = sayRevert(metadata, context, { auto: true, sizes: { beforeBytes: 62_000, afterBytes: 308_000 } });
    expect(`${words.question} ${words.sizes}`).toBe(
      'Put 48 messages back into context? 62\u00a0kB to 308\u00a0kB of 400\u00a0kB (77\u00a0%). The summary is kept in history.',
    );
    expect(words.warning).toBeNull();
  });

  it('X5: until they are measured they are guessed from the card, and called so', () => {
    expect(sayRevert(metadata, context, { auto: true, sizes: null }).sizes).toMatch(/^About 62.* to 268/);
  });

  it('X5: above the trigger it is allowed, and says what the next message does', () => {
    const sizes = { beforeBytes: 62_000, afterBytes: 430_000 };
    expect(sayRevert(metadata, context, { auto: true, sizes }).warning).toMatch(/the next message compacts again/);
    expect(sayRevert(metadata, context, { auto: false, sizes }).warning).toMatch(/about 30.* will be left out to fit/);
  });

  it('X5: more than the whole budget is not called nearly full', () => {
    const said = (afterBytes: number) =>
      sayRevert(metadata, context, { auto: true, sizes: { beforeBytes: 62_000, afterBytes } }).warning;
    expect(said(390_000)).toBe('That is nearly full: the next message compacts again.');
    expect(said(430_000)).toBe('That is more than fits: the next message compacts again.');
  });

  it('X5: what an older summary covers stays covered, and is not counted among what comes back', () => {
    const over = { ...metadata, returns: 12 };
    expect(sayRevert(over, context, { auto: true, sizes: null }).question).toBe(
      'Put 12 messages back into context? The summary before it applies again, to 36 messages.',
    );
    expect(sayReturned(over)).toBe('12 messages are back. The summary before it applies again, to 36 messages.');
    expect(sayReturned({ ...metadata, returns: 48 })).toBe('48 messages are back.');
  });

  it('X5: an older summary says how many stand before it', () => {
    expect(wordOlder(1)).toBe('Revert newer summaries first (1)');
    expect(wordOlder(0)).toBeNull();
  });
});

describe('why nothing can be moved now', () => {
  it('L4: a reply, a tool that waits, a compaction; else nothing', () => {
    const idle = { turn: null, compaction: null };
    const turn = { turnId: 't', state: 'started', model: null, error: undefined, stopping: false } as const;
    expect(wordBlocked(idle, { status: 'idle' })).toBeNull();
    expect(wordBlocked({ ...idle, turn }, { status: 'running' })).toMatch(/^A reply runs/);
    expect(wordBlocked({ ...idle, turn }, { status: 'waiting_approval' })).toMatch(/^A tool waits/);
    expect(wordBlocked(idle, { status: 'compacting' })).toMatch(/^A compaction runs/);
  });

  it('L4: /undo says when there is nothing to undo', () => {
    const { undoable, readOnly } = aSession();
    expect(wordUndo({ undoable, readOnly }, null)).toBe('Nothing to undo');
    expect(wordUndo({ undoable, readOnly }, 'A reply runs.')).toBe('A reply runs.');
    const revert = { what: 'revert', itemId: null, items: 1, at: '2026-11-20T08:00:00.000Z' } as const;
    expect(wordUndo({ undoable: revert, readOnly }, null)).toBeNull();
    const wentOn = wordUndo({ undoable: { ...revert, wentOn: true }, readOnly }, null);
    expect(wentOn).toMatch(/^You said or changed something since you went back/);
  });

  it('L4: /undo says what it did and how much came back', () => {
    const at = '2026-11-20T08:00:00.000Z';
    expect(wordUndone({ what: 'revert', itemId: null, items: 1, at })).toMatch(
      /^You are back where you were at .*: 1 message is back\.$/,
    );
    expect(wordUndone({ what: 'revert', itemId: null, items: 0, at })).toMatch(
      /^You are back where you were at [^,]*\.$/,
    );
    expect(wordUndone({ what: 'compaction', itemId: null, items: 12, at })).toBe(
      'The newest summary was reverted: 12 messages are back.',
    );
  });
});
