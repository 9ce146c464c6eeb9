import { describe, expect, it } from 'vitest';
import { rankCommands, readCommand, readSlash, type SlashCommand } from './slash-commands';

const command = (name: string, group: SlashCommand['group'] = 'Conversation'): SlashCommand => ({
  name,
  group,
  argument: '',
  needsArgument: false,
  description: '',
  reason: null,
  run: () => undefined,
});
const commands = [command('compact'), command('rename'), command('context', 'Context'), command('model', 'Agent')];

describe('the first sign of a text', () => {
  it('case-E04: a slash at the very start opens the menu, one in mid-text is text', () => {
    expect(readSlash('/comp')).toEqual({ kind: 'typing', query: 'comp' });
    expect(readSlash('send it to /ops-team now').kind).toBe('text');
    expect(readSlash('').kind).toBe('text');
  });

  it('case-E04: a path and a pasted text of several lines are text', () => {
    expect(readSlash('/usr/bin').kind).toBe('text');
    expect(readSlash('/compact\nmore text').kind).toBe('text');
  });

  it('ux-10: two slashes send one', () => {
    expect(readSlash('//compact')).toEqual({ kind: 'text', text: '/compact' });
  });

  it('case-E04: the full-width slash of an input method is one', () => {
    expect(readSlash('\uff0fcompact')).toEqual({ kind: 'typing', query: 'compact' });
    expect(readCommand('\uff0fcompact', commands)?.command.name).toBe('compact');
  });

  it('case-E04: leading blanks are no reason to miss a command, and its words go with it', () => {
    expect(readCommand(' /compact keep the API names', commands)).toMatchObject({
      command: { name: 'compact' },
      argument: 'keep the API names',
    });
  });

  it('case-E04: words that name no command are no command', () => {
    expect(readCommand('/zzz', commands)).toBeNull();
  });
});

describe('the rows of the menu', () => {
  const names = (query: string, recent: readonly string[] = []) =>
    rankCommands(commands, query, recent).map(({ item }) => item.name);

  it('ux-10: prefix first, then word start, then letters in order', () => {
    expect(names('co')).toEqual(['compact', 'context']);
    expect(names('m')).toEqual(['model', 'compact', 'rename']);
  });

  it('ux-10: recent ones first on ties', () => {
    expect(names('', ['rename']).slice(0, 2)).toEqual(['rename', 'compact']);
  });

  it('the order shown is the order of the keyboard: groups stay together', () => {
    const rows = rankCommands(commands, '', []).map(({ item }) => item.group);
    expect(rows).toEqual(['Conversation', 'Conversation', 'Context', 'Agent']);
  });
});
