import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '@/server/contract/events/event';
import { aLog } from '@/server/core/projection/log-builder';
import { type CheckedRecord, checkLog } from './check-log';

type Story = ReturnType<typeof aLog>;

/** Records as a reader yields them, every line ten bytes long. */
function recordsOf(events: readonly StoredEvent[]): CheckedRecord[] {
  return events.map((event, place) => ({ kind: 'event', event, from: place * 11, to: place * 11 + 10 }));
}

const check = (story: Story) =>
  checkLog(recordsOf(story.events())).violations.map(({ rule, name, ignored }) => [rule, name, ignored]);

const strangerId = aLog().says('x').says('y').says('z').says('w').says('v').says('u').itemId(6);
const hash = 'a'.repeat(64);

function commit(story: Story, fields: Record<string, unknown>): Story {
  const { items } = story.state();
  const last = items.at(-1);
  const covers = { from: items[0]?.id ?? '', through: last?.id ?? '', items: items.length, bytes: 10 };
  return story.compacts({ checkpoint: { covers: { ...covers, ...fields } } });
}

describe('check-log (contract 5)', () => {
  it('finds nothing in an ordinary log', () => {
    const story = aLog()
      .says('one')
      .batch([{ name: 'a' }, { name: 'b' }])
      .plan(['[>] x'])
      .masks()
      .replies('1')
      .compacts();
    story
      .says('two')
      .replies('2')
      .trims({ 9: 'drop' })
      .reverts(2)
      .rollsBack()
      .marks('keep')
      .forks(3)
      .says('three')
      .fails();
    expect(check(story)).toEqual([]);
  });

  it('rule 1: seq equals the line number, empty lines counted, as long as nothing is damaged', () => {
    const records = recordsOf(aLog().says('one').events());
    const renumbered = records.map((record) =>
      record.kind === 'event' && record.event.seq > 3
        ? { ...record, event: { ...record.event, seq: record.event.seq + 1 } }
        : record,
    );
    expect(checkLog(renumbered).violations[0]).toMatchObject({ rule: 1, name: 'seq_order', seq: 5, ignored: false });

    const afterEmptyLine = renumbered.map((record) =>
      record.kind === 'event' && record.event.seq > 3
        ? { ...record, from: record.from + 1, to: record.to + 1 }
        : record,
    );
    expect(checkLog(afterEmptyLine).violations.filter(({ rule }) => rule === 1)).toEqual([]);

    const damaged: CheckedRecord = { kind: 'damage', range: { from: 33, to: 43, why: 'checksum' } };
    const report = checkLog([...renumbered.slice(0, 3), damaged, ...renumbered.slice(3)]);
    expect(report.violations.filter(({ rule }) => rule === 1)).toEqual([]);
    expect(report.damage).toHaveLength(1);
  });

  it('rule 1: a line whose seq does not grow is ignored', () => {
    const events = aLog().says('one').replies('1').events();
    const again = events.at(-1);
    const late = again ? [{ ...again, id: strangerId, seq: 4 }] : [];
    expect(checkLog(recordsOf([...events, ...late])).log.violations).toMatchObject([{ rule: 1, ignored: true }]);
  });

  it('rule 2: the first lines open the log and its root; only reported', () => {
    const events = aLog().says('one').replies('1').events();
    const found = (kept: readonly StoredEvent[]) =>
      checkLog(recordsOf(kept)).violations.filter(({ rule }) => rule === 2);
    expect(found(events)).toEqual([]);
    expect(found(events.slice(1))).toMatchObject([{ name: 'opening_lines', ignored: false }]);
    expect(found(events.filter(({ type }) => type !== 'branch.opened'))).toMatchObject([{ ignored: false }]);
  });

  it('rule 3: a head that points off the branch is ignored, and the head stays', () => {
    const story = aLog().says('one').replies('1');
    const head = story.state().head;
    story.append('head.reverted', { to: 1, item: null, from: head, by: 'ada' });
    expect(check(story)).toEqual([[3, 'dangling_reference', true]]);
    expect(story.state().head).toBe(head);
  });

  it('rule 3: a fork may not point to what its parent appended on another branch', () => {
    const story = aLog().says('one').replies('1');
    const parent = story.branch;
    story.forks(2).says('two').replies('2');
    const foreign = story.state().head;
    story.on(parent).append('head.reverted', { to: foreign, item: null, from: story.state().head, by: 'ada' });
    expect(check(story)).toEqual([[3, 'dangling_reference', true]]);
  });

  it('rule 3: a subagent hangs under a line of its parent; only reported', () => {
    const fine = aLog().says('go').calls('delegate', {}, null).delegates('call_1').says('x').replies('y');
    expect(check(fine)).toEqual([]);
    const lost = fine.events().filter(({ type, branch }) => type !== 'message.assistant' || branch === fine.branch);
    expect(checkLog(recordsOf(lost)).violations).toContainEqual(expect.objectContaining({ rule: 3, ignored: false }));
  });

  it('rule 4: a second open turn or compaction is only reported; the older one counts as ended', () => {
    const story = aLog().says('one').continues();
    expect(check(story)).toEqual([[4, 'open_twice', false]]);
    expect(check(aLog().says('one').replies('1').triesToCompact().triesToCompact())).toEqual([
      [4, 'open_twice', false],
    ]);
  });

  it('rule 5: a message is placed once, by its own branch; nothing is placed again', () => {
    const story = aLog().says('one').replies('1');
    const [message] = story.events().filter((event) => event.type === 'message.user');
    const turn = story.events().find((event) => event.type === 'turn.started');
    if (!message || turn?.type !== 'turn.started') throw new TypeError('no turn');
    story.append('turn.started', {
      turnId: strangerId,
      messageId: message.id,
      model: turn.model,
      promptId: turn.promptId,
    });
    expect(check(story)).toEqual([[5, 'placed_twice', false]]);
    expect(story.state().items).toHaveLength(2);
    expect(story.state().openTurn?.turnId).toBe(strangerId);
  });

  it('rule 6: a result answers a call of the newest assistant message of its turn, once', () => {
    const twice = aLog().says('one').calls('a').answers('call_1', 'again').replies('1');
    expect(check(twice)).toEqual([[6, 'result_without_call', true]]);
    expect(twice.state().items).toHaveLength(4);
    expect(check(aLog().says('one').answers('call_9', 'what').fails())).toEqual([[6, 'result_without_call', true]]);
    const older = aLog().says('one').calls('a', {}, null).calls('b').answers('call_1', 'late');
    expect(check(older)).toEqual([[6, 'result_without_call', true]]);
    expect(check(aLog().says('one').calls('a', {}, null).says('two').answers('call_1', 'late'))).toContainEqual([
      6,
      'result_without_call',
      true,
    ]);
  });

  it('rule 7: a turn that ends with an open call is only reported', () => {
    expect(check(aLog().says('one').calls('a', {}, null).ends('failed'))).toEqual([
      [7, 'open_call_at_turn_end', false],
    ]);
    expect(check(aLog().says('one').calls('a', {}, null).calls('b').replies('1'))).toEqual([
      [7, 'open_call_at_turn_end', false],
    ]);
  });

  it('rule 8: a mask names a result of the newest batch before the calling message', () => {
    const story = aLog().says('one').calls('read', {}, 'old').calls('read', {}, 'new');
    expect(check(story.masks(3))).toEqual([[8, 'mask_outside_newest_batch', true]]);
    expect(story.state().masks.size).toBe(0);
    expect(check(aLog().says('one').calls('read', {}, 'old').calls('read', {}, 'new').masks(5).replies('1'))).toEqual(
      [],
    );
  });

  it('rule 9: covers begins at the first item, counts right and ends at a legal cut', () => {
    const base = () =>
      aLog()
        .says('one')
        .batch([{ name: 'a' }, { name: 'b' }])
        .replies('1');
    const at = (number: number) => base().itemId(number);
    expect(check(commit(base(), {}))).toEqual([]);
    expect(check(commit(base(), { from: at(2) }))).toEqual([[9, 'covers', true]]);
    expect(check(commit(base(), { items: 4 }))).toEqual([[9, 'covers', true]]);
    expect(check(commit(base(), { through: at(3), items: 3 }))).toEqual([[9, 'covers', true]]);
    expect(check(commit(base(), { through: strangerId }))).toEqual([[9, 'covers', true]]);
    expect(commit(base(), { items: 4 }).state().checkpoint).toBeNull();
  });

  it('rule 9: a cut inside the running batch is none', () => {
    expect(
      check(
        aLog()
          .says('one')
          .batch([{ name: 'a' }, { name: 'b', result: null }])
          .compacts(),
      ),
    ).toEqual([[9, 'covers', true]]);
  });

  it('rules 9 and 10: where a covered line is lost, the count is only reported and the summary stays in force', () => {
    const story = aLog().says('one').replies('1').says('two').replies('2').compacts();
    const lost = story.events().find((event) => event.type === 'message.assistant');
    const damage: CheckedRecord = { kind: 'damage', range: { from: 0, to: 5, why: 'checksum' } };
    const report = checkLog([damage, ...recordsOf(story.events().filter((event) => event !== lost))]);
    expect(report.violations.filter(({ rule }) => rule === 9)).toMatchObject([{ ignored: false }]);
    expect([...report.log.ignored]).toEqual([]);
  });

  it('rule 10: keep holds covered user messages, the first of a person among them', () => {
    const base = () => aLog().says('one').replies('1').says('two').replies('2');
    expect(check(base().compacts({ keep: [1, 2] }))).toEqual([[10, 'keep', true]]);
    expect(check(base().compacts({ covers: 2, keep: [1, 3] }))).toEqual([[10, 'keep', true]]);
    expect(check(base().compacts({ keep: [] }))).toEqual([[10, 'keep', false]]);
    expect(check(base().compacts({ keep: [], checkpoint: { imported: true } }))).toEqual([]);
  });

  it('rule 11: a plan is bound to the newest item at its line', () => {
    const story = aLog().says('one').replies('1');
    story.append('plan.set', { items: [], after: story.itemId(1) });
    expect(check(story)).toEqual([[11, 'plan_binding', true]]);
    expect(story.state().plan).toBeNull();
    expect(check(aLog().says('one').replies('1').append('plan.set', { items: [] }))).toEqual([]);
  });

  it('rule 12: staging belongs to the open compaction of its branch; older formats are left as they are', () => {
    const staged = { compactionId: strangerId, mode: 'sequential', reason: 'slow' } as const;
    expect(check(aLog().says('one').append('staging.mode', staged))).toEqual([
      [12, 'staging_without_compaction', true],
    ]);
    const old = { compactionId: strangerId, version: 1, segments: [{ from: 0, to: 9 }] };
    expect(check(aLog().says('one').append('staging.planned', old))).toEqual([]);
    expect(check(aLog().says('one').append('staging.buffer', { text: 'old' }))).toEqual([]);
  });

  it('rule 13: a checkpoint has an accepted attempt of its own compaction, or is imported', () => {
    const story = aLog().says('one').replies('1');
    const made = aLog().says('one').replies('1').compacts();
    const committed = made.events().findLast((event) => event.type === 'checkpoint.committed');
    if (committed?.type !== 'checkpoint.committed') throw new TypeError('no checkpoint');
    const { v: _v, seq: _seq, id: _id, branch: _branch, at: _at, type: _type, prev: _prev, ...fields } = committed;
    expect(check(story.append('checkpoint.committed', fields))).toEqual([[13, 'checkpoint_without_attempt', true]]);
    expect(story.state().checkpoint).toBeNull();
  });

  it('rule 14: a decision follows its question with the same arguments, once', () => {
    const base = () =>
      aLog()
        .says('go')
        .calls('write_file', {}, null)
        .append('approval.asked', { callId: 'call_1', name: 'write_file', argsHash: hash, preview: null });
    const decide = (story: Story, argsHash: string) =>
      story.append('approval.decided', { callId: 'call_1', argsHash, decision: 'approve', by: 'ada' });
    expect(check(decide(base(), hash))).toEqual([]);
    expect(check(decide(base(), 'b'.repeat(64)))).toEqual([[14, 'decision_without_question', true]]);
    expect(check(decide(decide(base(), hash), hash))).toEqual([[14, 'decision_without_question', true]]);
    expect(check(decide(aLog().says('go').calls('write_file', {}, null), hash))).toEqual([
      [14, 'decision_without_question', true],
    ]);
  });
});
