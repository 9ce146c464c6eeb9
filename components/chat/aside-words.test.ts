import { describe, expect, it } from 'vitest';
import { userMessage } from '../sync/fold-stream-arbitraries';
import { wordAside } from './aside-words';
import { toTicks } from './turn-navigator';

const command =
  '<command-name>/review</command-name>\n<command-message>review</command-message>\n<command-args>src/a.ts</command-args>';

describe('what another tool put in a person’s place', () => {
  it('a command is named as it was typed, without its tags', () => {
    expect(wordAside('command', command)).toEqual({
      label: 'command',
      line: '/review src/a.ts',
      text: '/review src/a.ts',
    });
    expect(wordAside('command', '<bash-input>ls -la</bash-input>')?.line).toBe('! ls -la');
  });

  it('what the tool added loses its tags and its terminal colours, and keeps its words', () => {
    const text = '<local-command-stdout>Set model to \u001b[1mopus\u001b[22m</local-command-stdout>';
    expect(wordAside('injected', text)).toMatchObject({ label: 'added by the tool', text: 'Set model to opus' });
    expect(wordAside('injected', '<local-command-caveat>Caveat: as it is.</local-command-caveat>')?.text).toBe(
      'Caveat: as it is.',
    );
  });

  it('what a person typed is nobody else’s, whatever it holds', () => {
    expect(wordAside('person', command)).toBeNull();
  });

  it('ux 5: a command is a tick by its name, what was added is none', () => {
    const said = userMessage(1);
    const typed = { ...userMessage(2, { kind: 'command' }), parts: [{ type: 'text' as const, text: command }] };
    const ticks = toTicks([said, typed, userMessage(3, { kind: 'injected' })]);
    expect(ticks.map(({ label }) => label)).toEqual(['question 1', '/review src/a.ts']);
  });
});
