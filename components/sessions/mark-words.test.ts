import { describe, expect, it } from 'vitest';
import { markWords } from './mark-words';

const marked = (snippet: string, query: string) =>
  markWords(snippet, query).map(({ from, to }) => snippet.slice(from, to));

describe('the words of a query in a snippet', () => {
  it('X9: are marked in any letter case, the last one also where a word only begins with it', () => {
    expect(marked('The Anchor, the anchors and Chains', 'anchor chain')).toEqual(['Anchor', 'Chain']);
    expect(marked('The Anchor, the anchors', 'ANCHOR')).toEqual(['Anchor', 'anchor']);
  });

  it('X9: signs of a query are nothing to mark, nor a pattern', () => {
    expect(marked('a.b (c)* [d]', '(.* [')).toEqual([]);
    expect(marked('run_turn.ts', 'run_turn')).toEqual(['run', 'turn']);
    expect(marked('run turn.ts', 'turn.ts')).toEqual(['turn', 'ts']);
  });
});
