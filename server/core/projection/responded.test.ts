import { describe, expect, it } from 'vitest';
import { aLog } from './log-builder';
import { legalCuts, newestBatch, respondedItems, toGroups } from './responded';

const numbersOf = (items: readonly { readonly number: number }[]) => items.map(({ number }) => number);

describe('responded history (contract 8)', () => {
  it('reaches to the end of the newest turn that ended with a reply', () => {
    const story = aLog().says('one').replies('1').says('two').calls('read', {}, 'a').replies('2');
    expect(respondedItems(story.state())).toHaveLength(6);
  });

  it('leaves out the running turn, and takes it in once it ended, however it ended', () => {
    const story = aLog().says('one').replies('1').says('two').calls('read', {}, 'a');
    expect(respondedItems(story.state())).toHaveLength(2);
    expect(respondedItems(story.fails().state())).toHaveLength(5);
  });

  it('leaves out a message whose turn failed before any reply, unless a later turn has one', () => {
    const story = aLog().says('one').replies('1').says('two').fails();
    expect(respondedItems(story.state())).toHaveLength(2);
    expect(respondedItems(story.says('three').replies('3').state())).toHaveLength(5);
  });

  it('counts a turn that a fork cut short as ended', () => {
    const story = aLog().says('one').calls('read', {}, 'a').calls('read', {}, 'b');
    expect(respondedItems(story.forks(3).state())).toHaveLength(3);
  });

  it('takes items outside any turn up to the last assistant item among them', () => {
    const story = aLog().session();
    const part = { type: 'text', text: 'hi' } as const;
    const user = { parts: [part], by: 'ada', place: 'here' as const, bytes: 170 };
    const model = { provider: 'other', model: 'm' };
    story.append('message.user', user);
    story.append('message.assistant', { step: 0, model, parts: [], end: 'stop', ms: 0, bytes: 0 });
    story.append('message.user', user);
    expect(respondedItems(story.state())).toHaveLength(2);
  });
});

describe('groups and cuts (contract 8)', () => {
  it('a group is a message, or a reply with all results of its calls', () => {
    const story = aLog()
      .says('one')
      .batch([{ name: 'a' }, { name: 'b' }])
      .replies('1');
    expect(toGroups(story.state().items).map(({ items }) => numbersOf(items))).toEqual([[1], [2, 3, 4], [5]]);
    expect(legalCuts(story.state())).toEqual([1, 4, 5]);
  });

  it('never cuts after a batch of the running turn that still waits for a result', () => {
    const story = aLog()
      .says('one')
      .batch([{ name: 'a' }, { name: 'b', result: null }]);
    expect(legalCuts(story.state())).toEqual([1]);
    expect(legalCuts(story.answers('call_2', 'done').state())).toEqual([1, 4]);
  });

  it('M1: the newest batch is that before the calling message', () => {
    const story = aLog()
      .says('one')
      .batch([{ name: 'a' }, { name: 'b' }])
      .calls('mask_tool_result', {}, null);
    expect(numbersOf(newestBatch(story.state(), 'call_3'))).toEqual([3, 4]);
    expect(newestBatch(story.state(), 'call_1')).toEqual([]);
    expect(newestBatch(story.state(), 'nobody')).toEqual([]);
    expect(numbersOf(newestBatch(story.answers('call_3', 'ok').state()))).toEqual([6]);
  });
});
