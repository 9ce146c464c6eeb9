import { afterEach, describe, expect, it } from 'vitest';
import { openMemorySqlite } from '@/db/sqlite/open';
import { createModelFactStore } from '@/db/sqlite/small-stores';
import { createModelLearning } from './model-learning';
import { MIGRATIONS } from './testing/an-app';

const model = { provider: 'fake', model: 'm' };
const open: ReturnType<typeof openMemorySqlite>[] = [];
afterEach(() => {
  for (const sqlite of open.splice(0)) sqlite.close();
});

/** A store as a restart finds it: another learning over the same one. */
function aStore() {
  const sqlite = openMemorySqlite(MIGRATIONS);
  open.push(sqlite);
  const store = createModelFactStore(sqlite.db);
  return { store, learn: () => createModelLearning(store) };
}

describe('what requests teach of a model (contract 7, B7)', () => {
  it('bytes a token: two until three usages were reported, then the mean less a twentieth, of that model alone', () => {
    const learning = aStore().learn();
    const usage = { measureBytes: 8_000, inputTokens: 2_000 };
    for (let count = 0; count < 2; count += 1) learning.measured(model, usage);
    expect(learning.bytesPerToken(model)).toBe(2);
    learning.measured(model, usage);
    expect(learning.bytesPerToken(model)).toBeCloseTo(3.8);
    expect(learning.bytesPerToken({ ...model, model: 'other' })).toBe(2);
  });

  it('case-D06: a count that no text could have is left out, however often it comes', () => {
    const learning = aStore().learn();
    for (let count = 0; count < 5; count += 1) learning.measured(model, { measureBytes: 8_000, inputTokens: 3 });
    for (let count = 0; count < 5; count += 1) learning.measured(model, { measureBytes: 8_000, inputTokens: 90_000 });
    expect(learning.bytesPerToken(model)).toBe(2);
  });

  it('the newest twenty count, so that it follows a model that changes its tokens', () => {
    const learning = aStore().learn();
    for (let count = 0; count < 30; count += 1) learning.measured(model, { measureBytes: 3_000, inputTokens: 1_000 });
    for (let count = 0; count < 20; count += 1) learning.measured(model, { measureBytes: 5_000, inputTokens: 1_000 });
    expect(learning.bytesPerToken(model)).toBeCloseTo(4.75);
  });

  it('a reported window and the measured ratio are there after a restart; one teaches nothing of the other', () => {
    const { learn } = aStore();
    const before = learn();
    before.learn(model, { window: 8_192 });
    for (let count = 0; count < 3; count += 1) before.measured(model, { measureBytes: 9_000, inputTokens: 3_000 });
    before.learn(model, { maxOutput: 4_096 });
    const after = learn();
    expect(after.read(model)).toEqual({ window: 8_192, maxOutput: 4_096 });
    expect(after.bytesPerToken(model)).toBeCloseTo(2.85);
  });

  it('a row that cannot be read teaches nothing', () => {
    const { store, learn } = aStore();
    store.write(model, { learnt: 'nonsense' });
    expect(learn().read(model)).toEqual({});
    expect(learn().bytesPerToken(model)).toBe(2);
  });
});
