import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '@/server/contract/events/event';
import { aLog } from './log-builder';
import { textPart } from './log-builder-verbs';
import { foldEvents } from './log-state';
import { findSearchHome, projectAllSearchTexts, projectSearchTexts } from './search-texts';

const said = (texts: readonly { readonly text: string }[]) => texts.map(({ text }) => text);

/** A talk with a tool, a fold, a revert, a fork and a subagent. */
function aTravelledLog() {
  const log = aLog().session();
  const root = log.branch;
  log
    .says('Where is the anchor?')
    .calls('read_file', { path: 'chain.md' }, 'The anchor is aft.')
    .replies('Aft.')
    .ends();
  log.masks(3).compacts({ text: 'Summary of the anchor' });
  log.says('Left behind').replies('Gone too').ends().reverts(4);
  log.says('Instead').replies('Well').ends().forks(4);
  const fork = log.branch;
  log.says('Only in the fork').replies('Yes').ends();
  return { log, root, fork };
}

describe('what can be found of a log', () => {
  it('X9: messages, calls, masked results, covered ones, summaries, and what a revert left', () => {
    const { log, root } = aTravelledLog();
    expect(said(projectAllSearchTexts(log.log(), root))).toEqual([
      'Where is the anchor?',
      'read_file {"path":"chain.md"}',
      'The anchor is aft.',
      'Aft.',
      'mask_tool_result {"item":3,"note":"not needed"}',
      'Masked.',
      'Summary of the anchor',
      'Left behind',
      'Gone too',
      'Instead',
      'Well',
    ]);
  });

  it('X9: each says who speaks, and when it was said', () => {
    const { log, root } = aTravelledLog();
    const found = projectAllSearchTexts(log.log(), root);
    expect(found.slice(0, 7).map(({ kind }) => kind)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'assistant',
      'tool',
      'summary',
    ]);
    for (const { itemId, at } of found) expect(at).toBe(log.log().byId.get(itemId)?.at);
  });

  it('L3: a fork has what it inherited, by the same ids, and what it said itself', () => {
    const { log, root, fork } = aTravelledLog();
    const inherited = projectAllSearchTexts(log.log(), root).slice(0, 4);
    const all = projectAllSearchTexts(log.log(), fork);
    expect(all.slice(0, 4)).toEqual(inherited);
    expect(said(all.slice(4))).toEqual(['Only in the fork', 'Yes']);
  });

  it('X9: a waiting message is found once a turn takes it, a withdrawn one never', () => {
    const log = aLog().session();
    log.queues('Waits');
    expect(projectAllSearchTexts(log.log(), log.branch)).toEqual([]);
    log.startsQueued().replies('Taken').ends();
    expect(said(projectAllSearchTexts(log.log(), log.branch))).toEqual(['Waits', 'Taken']);
  });

  it('X9: what a subagent says is shown at the call of the conversation it works for', () => {
    const log = aLog().session();
    const root = log.branch;
    log.says('Go').calls('delegate', {}, null);
    const call = log.itemId(2);
    log.delegates('call_1').says('Deep words');
    const [, , deep] = projectAllSearchTexts(log.log(), root);
    expect(deep).toMatchObject({ text: 'Deep words', shownId: call });
    expect(findSearchHome(log.log(), log.branch)).toEqual({ sessionId: root, under: call });
  });

  it('X9: of a very long item head and tail are found, whole characters', () => {
    const log = aLog()
      .session()
      .says(`first ${'é'.repeat(400_000)} last`);
    const [found] = said(projectAllSearchTexts(log.log(), log.branch));
    expect(Buffer.byteLength(found ?? '')).toBeLessThanOrEqual(262_145);
    expect(found).toMatch(/^first é+\né+ last$/);
  });

  it('replay: the lines of each append as they come yield what the whole log does', () => {
    const { log, root, fork } = aTravelledLog();
    const events = log.events();
    for (const branch of [root, fork]) {
      const grown = events.flatMap((event: StoredEvent, at) =>
        event.branch === branch ? projectSearchTexts(foldEvents(events.slice(0, at + 1)), [event], null) : [],
      );
      const whole = projectAllSearchTexts(log.log(), branch);
      expect(whole.slice(whole.length - grown.length)).toEqual(grown);
    }
  });

  it('reasoning is not looked into', () => {
    const log = aLog().session().says('Hm');
    log.thinks([{ type: 'reasoning', text: 'secret thought' }, textPart('Said')]);
    expect(said(projectAllSearchTexts(log.log(), log.branch))).toEqual(['Hm', 'Said']);
  });
});
