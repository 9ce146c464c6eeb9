import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { openMemorySqlite } from './open';
import { createProviderStore } from './small-stores';

const migrations = fileURLToPath(new URL('../migrations', import.meta.url));

it('G1: providers keep the order they were added in, also after one was removed', () => {
  const opened = openMemorySqlite(migrations);
  const store = createProviderStore(opened.db);
  const add = (id: string) => store.save({ id, document: { id }, keyCipher: null });
  for (const id of ['c', 'b', 'a']) add(id);
  for (const id of ['c', 'b']) store.remove(id);
  add('0');
  add('a');
  expect(store.list().map(({ id }) => id)).toEqual(['a', '0']);
  opened.close();
});
