import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { aLog } from '@/server/core/projection/log-builder';
import { findStale, observedPaths } from './stale';

const h = (text: string) => createHash('sha256').update(text).digest('hex');
const read = (path: string, text: string) => ({ observed: [{ path, sha256: h(text), how: 'read' as const }] });
const wrote = (path: string, text: string) => ({ observed: [{ path, sha256: h(text), how: 'write' as const }] });
const deleted = (path: string) => ({ observed: [{ path, sha256: h(''), how: 'delete' as const }] });

describe('stale readings (C6)', () => {
  it('C6: a reading that nothing contradicts is not stale, on disk or on the path', () => {
    const state = aLog().says('x').calls('read_file', {}, 'v1', read('a.ts', 'v1')).state();
    expect(findStale(state, 99, new Map())).toEqual({ items: new Map(), files: [] });
    expect(findStale(state, 99, new Map([['a.ts', h('v1')]])).files).toEqual([]);
  });

  it('C6: changed on disk, or gone from it', () => {
    const log = aLog().says('x').calls('read_file', {}, 'v1', read('a.ts', 'v1'));
    const changed = findStale(log.state(), 99, new Map([['a.ts', h('v2')]]));
    expect(changed.files).toEqual([{ path: 'a.ts', readAs: h('v1'), nowAs: h('v2') }]);
    expect(changed.items.get(log.itemId(3))).toEqual(['a.ts']);
    expect(findStale(log.state(), 99, new Map([['a.ts', null]])).files).toMatchObject([{ nowAs: null }]);
  });

  it('C6: written or deleted later on the path, also behind the cut', () => {
    const log = aLog()
      .says('x')
      .calls('read_file', {}, 'v1', read('a.ts', 'v1'))
      .calls('read_file', {}, 'b', read('b.ts', 'b'));
    log.calls('edit_file', {}, 'ok', wrote('a.ts', 'v2')).calls('edit_file', {}, 'ok', deleted('b.ts'));
    const { files } = findStale(log.state(), 5, new Map());
    expect(files).toEqual([
      { path: 'a.ts', readAs: h('v1'), nowAs: h('v2') },
      { path: 'b.ts', readAs: h('b'), nowAs: null },
    ]);
  });

  it('C6: read again, only the older reading is marked and the file is not listed', () => {
    const log = aLog()
      .says('x')
      .calls('read_file', {}, 'v1', read('a.ts', 'v1'))
      .calls('read_file', {}, 'v2', read('a.ts', 'v2'));
    const stale = findStale(log.state(), 99, new Map());
    expect([...stale.items.keys()]).toEqual([log.itemId(3)]);
    expect(stale.files).toEqual([]);
    expect(observedPaths(log.state())).toEqual(['a.ts']);
  });
});
