import { describe, expect, it } from 'vitest';
import { aLog } from './log-builder';
import { projectSessionRow } from './session-row';
import { foldSession } from './session-state';
import { projectTranscript } from './transcript';

const texts = (story: ReturnType<typeof aLog>) =>
  story
    .state()
    .items.map(({ event }) => event.parts.map((part) => (part.type === 'text' ? part.text : part.type)).join(' '));

describe('state of a session', () => {
  it('contract 2: items have numbers, points and turns; a queued message has none yet', () => {
    const story = aLog().says('one').calls('read_file', { path: 'a' }, 'text').queues('later').replies('1');
    expect(story.state().items.map(({ number, event }) => [number, event.type])).toEqual([
      [1, 'message.user'],
      [2, 'message.assistant'],
      [3, 'tool.result'],
      [4, 'message.assistant'],
    ]);
    const [first] = story.state().items;
    expect(story.log().bySeq.get(first?.point ?? 0)?.type).toBe('turn.started');
    expect(story.state().queue.map(({ parts }) => parts)).toEqual([[{ type: 'text', text: 'later' }]]);
    expect(story.startsQueued().state().queue).toEqual([]);
    expect(texts(story).at(-1)).toBe('later');
  });

  it('contract 14: queue.ordered changes the order, a withdrawn message waits no more', () => {
    const story = aLog().says('one').queues('a').queues('b').queues('c');
    const [a, b, c] = story.state().queue.map(({ id }) => id);
    story.append('queue.ordered', { messageIds: [c ?? '', a ?? ''] });
    expect(story.state().queue.map(({ id }) => id)).toEqual([c, a, b]);
    story.append('message.withdrawn', { messageId: a ?? '' });
    expect(story.state().queue.map(({ id }) => id)).toEqual([c, b]);
  });

  it('L5: a fork and a revert resolve the plan that applied at their item; a rollback brings the exact one back', () => {
    const story = aLog().says('one').plan(['[>] write']).replies('1').says('two').plan(['[x] write']).replies('2');
    expect(story.state().plan?.items[0]?.status).toBe('done');
    const state = story.state();
    story.reverts(2);
    expect(story.state().plan?.items[0]?.status).toBe('active');
    expect(story.rollsBack().state().plan).toEqual(state.plan);
    expect(story.forks(2).state().plan?.items[0]?.status).toBe('active');
  });

  it('L5: a plan that a tool sets before its result is not yet there at the item before it', () => {
    const story = aLog()
      .says('one')
      .calls('update_plan', {}, null)
      .plan(['[ ] a'])
      .answers('call_1', 'ok')
      .replies('1');
    const at = (number: number) => foldSession(story.log(), story.branch, { head: story.item(number).point }).plan;
    expect(at(2)).toBeNull();
    expect(at(3)?.items).toHaveLength(1);
    expect(story.log().violations).toEqual([]);
  });

  it('L5: an empty plan is a plan; a log without one has none', () => {
    expect(aLog().says('one').replies('1').state().plan).toBeNull();
    expect(aLog().says('one').plan(['[ ] a']).plan([]).replies('1').state().plan?.items).toEqual([]);
  });

  it('L5: a plan without a binding counts at its head and for no selection', () => {
    const story = aLog()
      .says('one')
      .replies('1')
      .append('plan.set', {
        items: [{ id: 'p1', text: 'old', status: 'active' }],
      });
    const withPlan = story.says('two').replies('2').state();
    expect(withPlan.plan?.items[0]?.text).toBe('old');
    expect(foldSession(story.log(), story.branch, { head: story.item(3).point }).plan).toBeNull();
    const branch = story.branch;
    expect(story.forks(4).state().plan).toBeNull();
    story.on(branch).reverts(4);
    expect(story.state().plan).toBeNull();
    expect(story.rollsBack().state().plan?.items[0]?.text).toBe('old');
  });

  it('contract 2: a checkpoint, a mask and a carry-over are in force if and only if their line is on the path', () => {
    const story = aLog()
      .says('one')
      .calls('read_file', {}, 'long text')
      .masks()
      .replies('1')
      .marks('keep this')
      .compacts();
    expect(story.state().checkpoint?.event.covers.items).toBe(6);
    expect(story.state().masks.size).toBe(1);
    expect(story.state().carryOvers).toHaveLength(1);
    story.reverts(2);
    expect(story.state().checkpoint).toBeNull();
    expect(story.state().masks.size).toBe(0);
    expect(story.state().carryOvers).toEqual([]);
    expect(story.log().violations).toEqual([]);
  });

  it('X5: undoing the newest checkpoint brings the one before it back; the kept prompt stays the newer one', () => {
    const story = aLog().says('one').replies('1').compacts().says('two').replies('2').compacts();
    const second = story.state().checkpoint?.event;
    story.says('three').replies('3').undoesCheckpoint();
    expect(story.state().checkpoint?.event.id).toBe(second?.previous);
    expect(story.state().items).toHaveLength(6);
    expect(story.undoesCheckpoint().state().checkpoint).toBeNull();
  });

  it('contract 2: an undo that names an older checkpoint undoes nothing, in the state, the row and the boundary', () => {
    const story = aLog().says('one').replies('1').says('two').replies('2').compacts();
    const older = story.state().checkpoint?.event.id ?? '';
    story.says('three').replies('3').says('four').replies('4').compacts();
    const newer = story.state().checkpoint?.event.id;
    story.append('checkpoint.reverted', { checkpointId: older, by: 'ada' });
    expect(story.state().checkpoint?.event.id).toBe(newer);
    const undone = projectTranscript(story.state(), story.log()).flatMap((message) =>
      message.role === 'summary' && message.metadata.reverted !== null ? [message.id] : [],
    );
    expect(undone).toEqual([]);
    const facts = { agentName: null, model: null, behind: false, practice: true };
    expect(projectSessionRow(story.state(), story.log(), facts).summaries).toBe(2);
  });

  it('X5: expanded parts are disjoint ranges in path order, and can be folded again', () => {
    const story = aLog().says('1').replies('2').says('3').replies('4').says('5').replies('6').compacts();
    story.expands(1, 2).expands(5, 6).expands(2, 4).folds(3, 3);
    expect(story.state().checkpoint?.expanded).toEqual([
      { from: story.itemId(1), through: story.itemId(2) },
      { from: story.itemId(4), through: story.itemId(6) },
    ]);
  });

  it('contract 12: trims in force are a union; a drop goes before any other, a lifted one is gone', () => {
    const story = aLog().says('one').calls('read', {}, 'a').calls('read', {}, 'b').replies('1');
    story.trims({ 3: 'stub' }).trims({ 3: 'drop', 5: 'stub' }).trims({ 3: 'stub' });
    expect(story.state().trimActions.get(story.itemId(3))?.do).toBe('drop');
    expect(story.state().trims).toHaveLength(3);
    story.untrims().untrims();
    expect([...story.state().trimActions]).toEqual([[story.itemId(3), { item: story.itemId(3), do: 'stub' }]]);
  });

  it('contract 12: a checkpoint ends the trims of what it covers; without it they apply again', () => {
    const story = aLog().says('one').calls('read', {}, 'a').replies('1').trims({ 3: 'stub' }).compacts();
    expect(story.state().trims).toEqual([]);
    expect(story.undoesCheckpoint().state().trims).toHaveLength(1);
  });

  it('K1: carry-overs stand with the newest on top, keep their place when edited, and can be ordered', () => {
    const story = aLog().says('one').replies('1').marks('a').marks('b').marks('c');
    const [c, b, a] = story.state().carryOvers.map(({ id }) => id);
    story
      .append('carry.edited', { carryId: b ?? '', text: 'B' })
      .append('carry.ordered', { carryIds: [a ?? '', c ?? '', b ?? ''] });
    expect(story.state().carryOvers.map(({ text }) => text)).toEqual(['a', 'c', 'B']);
    expect(
      story
        .append('carry.removed', { carryId: c ?? '' })
        .marks('d')
        .state()
        .carryOvers.map(({ text }) => text),
    ).toEqual(['d', 'a', 'B']);
  });

  it('contract 2: a fork has its own title and facts; state of the path is inherited', () => {
    const story = aLog().session({ title: 'Parent' }).says('one').replies('1').marks('keep');
    story.append('session.changed', { pinned: true, archived: true, title: 'Renamed' }).queues('waits');
    const parent = story.state();
    expect([parent.title, parent.pinned, parent.archived]).toEqual(['Renamed', true, true]);
    // The carry-over was marked after item 2, so a fork at item 2 does not have it.
    const fork = story.forks(2).state();
    expect([fork.title, fork.pinned, fork.archived, fork.queue, fork.carryOvers]).toEqual([null, false, false, [], []]);
    expect(fork.keptPrompt?.id).toBe(parent.keptPrompt?.id);
  });

  it('case-C06: a compaction whose end was never written is open, and the next one takes its place', () => {
    const story = aLog().says('one').replies('1').triesToCompact();
    expect(story.state().openCompaction).not.toBeNull();
    story.triesToCompact('failed');
    expect(story.state().openCompaction).toBeNull();
    expect(story.log().violations).toMatchObject([{ rule: 4, ignored: false }]);
  });

  it('case-C07: rewinding past a boundary takes it out of force; undoing the rewind restores exactly', () => {
    const story = aLog()
      .says('u1')
      .replies('a1')
      .says('u2')
      .replies('a2')
      .compacts({ covers: 2 })
      .says('u3')
      .replies('a3');
    const before = story.state();
    const branch = story.branch;

    story.reverts(1);
    expect(story.state().checkpoint).toBeNull();
    expect(texts(story)).toEqual(['u1']);

    story.rollsBack();
    expect(story.state()).toEqual({ ...before, compactions: story.state().compactions });

    story.forks(2);
    expect(texts(story)).toEqual(['u1', 'a1']);
    expect(story.state().checkpoint).toBeNull();

    story.on(branch).reverts(4);
    expect(story.state().checkpoint).toBeNull();
    expect(texts(story)).toEqual(['u1', 'a1', 'u2', 'a2']);
  });

  it('contract 2: an unknown branch is said to be none', () => {
    expect(() => foldSession(aLog().log(), 'nobody')).toThrow('no such conversation');
  });
});
