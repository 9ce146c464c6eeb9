import { describe, expect, it } from 'vitest';
import { aLog } from './log-builder';
import { foldEvents } from './log-state';
import { pathOf } from './log-state-path';

const typesOf = (log: ReturnType<typeof foldEvents>, branch: string) => pathOf(log, branch).map((event) => event.type);

describe('replay of a log', () => {
  it('contract 2: the head is the newest P line, or where the newest head line points', () => {
    const story = aLog().says('one').replies('1').says('two').replies('2');
    const before = story.state().head;

    story.reverts(2);
    expect(story.state().items.map(({ number }) => number)).toEqual([1, 2]);
    expect(story.state().head).toBe(story.item(2).point);

    story.rollsBack();
    expect(story.state().head).toBe(before);
    expect(story.log().violations).toEqual([]);
  });

  it('contract 2: after a revert the next line follows the item reverted to', () => {
    const story = aLog().says('one').replies('1').says('two').replies('2').reverts(2).says('three').replies('3');
    expect(story.state().items.map(({ event }) => event.parts)).toEqual([
      [{ type: 'text', text: 'one' }],
      [{ type: 'text', text: '1' }],
      [{ type: 'text', text: 'three' }],
      [{ type: 'text', text: '3' }],
    ]);
  });

  it('L3: a fork sees the path of its parent up to the fork and nothing the parent appends later', () => {
    const story = aLog().says('one').replies('1').says('two').replies('2');
    const parent = story.branch;
    story.forks(2).on(parent).says('three').replies('3');
    const fork = [...story.log().branches.keys()].find((id) => id !== parent) ?? '';
    expect(story.on(fork).state().items).toHaveLength(2);
    expect(story.on(parent).state().items).toHaveLength(6);
    expect(story.log().violations).toEqual([]);
  });

  it('contract 2: a damaged line is stood in for by the head before it, and it is reported', () => {
    const story = aLog().says('one').replies('1').says('two').replies('2');
    const lost = story.events().findLast((event) => event.type === 'message.assistant');
    const log = foldEvents(story.events().filter((event) => event !== lost));
    expect(typesOf(log, story.branch).slice(-2)).toEqual(['turn.started', 'turn.ended']);
    expect(log.violations).toMatchObject([{ rule: 3, name: 'dangling_reference', ignored: false }]);
  });

  it('contract 2: the stand-in of a lost line is never an abandoned line', () => {
    const story = aLog().says('one').replies('1').says('two').replies('2').reverts(2).says('three').replies('3');
    const lost = story.events().findLast((event) => event.type === 'prompt.kept' || event.type === 'turn.started');
    const log = foldEvents(story.events().filter((event) => event !== lost));
    const path = pathOf(log, story.branch);
    expect(path.filter((event) => event.type === 'message.assistant')).toHaveLength(2);
    expect(path.some((event) => event.type === 'turn.started' && event.seq > story.item(2).point)).toBe(false);
  });

  it('section 5, 2: a lost branch.opened costs the session nothing but what only that line knew', () => {
    const story = aLog().session({ title: 'Gone' }).says('one').replies('1');
    const log = foldEvents(story.events().filter((event) => event.type !== 'branch.opened'));
    expect(log.branches.get(story.branch)?.opened).toMatchObject({ kind: 'root', title: null });
    expect(typesOf(log, story.branch)).toContain('message.assistant');
  });

  it('section 5, 3: a fork of a fork keeps its path when the opening line of the fork between is lost', () => {
    const story = aLog().says('one').replies('1').says('two').replies('2').forks(4);
    const between = story.branch;
    const inner = story.forks(2).branch;
    const log = foldEvents(story.events().filter(({ type, branch }) => type !== 'branch.opened' || branch !== between));
    expect(pathOf(log, inner)).toEqual(pathOf(story.log(), inner));
    expect(log.violations).toEqual([]);
  });

  it('contract 1: of two lines with one id the first counts, and a reference to the second means the first', () => {
    const story = aLog().says('one').replies('1');
    const [newest] = story.events().slice(-1);
    if (!newest) throw new TypeError('empty');
    const again = { ...newest, seq: newest.seq + 1 };
    const log = foldEvents([...story.events(), again]);
    expect(log.branches.get(story.branch)?.head).toBe(newest.seq);
    expect(log.repeats.get(again.seq)).toBe(newest.seq);
    expect(log.violations).toEqual([]);
    const next = { ...newest, id: story.itemId(1).replace(/.$/, 'Z'), seq: again.seq + 1, prev: again.seq };
    expect(pathOf(foldEvents([...story.events(), again, next]), story.branch).at(-2)?.seq).toBe(newest.seq);
  });

  it('contract 1: a line of a newer version on the path stops appends until it is left behind', () => {
    const story = aLog().says('one').replies('1').says('two').replies('2');
    story.appendsNewer({ prev: story.state().head });
    expect(story.log().branches.get(story.branch)?.fromNewerVersion).toBe(true);
    expect(story.state().fromNewerVersion).toBe(true);

    story.reverts(2);
    expect(story.log().branches.get(story.branch)?.fromNewerVersion).toBe(false);

    story.appendsNewer();
    expect(story.log().branches.get(story.branch)?.fromNewerVersion).toBe(true);
    expect(story.reverts(1).log().branches.get(story.branch)?.fromNewerVersion).toBe(true);
  });

  it('contract 2: open is a fact of the branch in file order, whatever its head is', () => {
    const story = aLog().says('one').replies('1').says('two');
    expect(story.log().branches.get(story.branch)?.openTurn?.type).toBe('turn.started');
    const turn = story.log().branches.get(story.branch)?.openTurn;
    story.reverts(1);
    expect(story.log().branches.get(story.branch)?.openTurn).toBe(turn);
    expect(story.forks(1).state().openTurn).toBeNull();
  });

  it('contract 14: a turn that waits for approval is parked until it goes on', () => {
    const story = aLog().says('write it').calls('write_file', {}, null).parks(['call_1']);
    expect(story.state().parked?.waiting).toEqual(['call_1']);
    const turn = story.state().openTurn;
    if (!turn) throw new TypeError('no turn');
    story.append('turn.started', {
      turnId: turn.turnId,
      messageId: null,
      why: 'approval',
      model: turn.model,
      promptId: turn.promptId,
    });
    expect(story.state().parked).toBeNull();
    story.answers('call_1', 'written').replies('done');
    expect(story.state().openTurn).toBeNull();
    expect(story.state().turns).toHaveLength(1);
    expect(story.log().violations).toEqual([]);
  });
});
