import { describe, expect, it } from 'vitest';
import { diffContent } from './diff-content';

describe('the difference of two versions', () => {
  it('shows instructions line by line', () => {
    const fields = diffContent({ instructions: 'a\nb\nc' }, { instructions: 'a\nB\nc' }, ['instructions']);
    expect(fields).toEqual([
      {
        kind: 'text',
        field: 'instructions',
        lines: [
          { kind: 'same', text: 'a' },
          { kind: 'removed', text: 'b' },
          { kind: 'added', text: 'B' },
          { kind: 'same', text: 'c' },
        ],
      },
    ]);
  });

  it('P4: a changed skill version is a difference even when every text is the same', () => {
    const before = { instructions: 'x', skills: [{ id: 'A', version: 1 }] };
    const after = { instructions: 'x', skills: [{ id: 'A', version: 2 }] };
    expect(diffContent(before, after, ['instructions'])).toEqual([
      {
        kind: 'list',
        field: 'skills',
        removed: ['{"id":"A","version":1}'],
        added: ['{"id":"A","version":2}'],
        reordered: false,
      },
    ]);
  });

  it('names a list whose order alone changed', () => {
    expect(diffContent({ tools: ['a', 'b'] }, { tools: ['b', 'a'] }, [])).toEqual([
      { kind: 'list', field: 'tools', removed: [], added: [], reordered: true },
    ]);
  });

  it('says nothing of equal contents', () => {
    expect(diffContent({ name: 'a', tools: [] }, { name: 'a', tools: [] }, [])).toEqual([]);
  });
});
