import { describe, expect, it } from 'vitest';
import type { Provider } from '@/server/contract/provider';
import { answeringModel, isPractice } from './answering-model';

type Held = Pick<Provider, 'id' | 'kind' | 'state' | 'models'>;
const practice: Held = { id: 'practice', kind: 'embedded', state: 'ready', models: [{ id: 'rules-1' }] };
const local: Held = { id: 'local', kind: 'openai-compatible', state: 'ready', models: [{ id: 'a' }, { id: 'b' }] };

describe('who will answer in a new conversation', () => {
  it('N2: a connected provider goes before the practice model, wherever it stands in the list', () => {
    expect(answeringModel({ model: null }, [practice, local])).toEqual({ provider: 'local', model: 'a' });
  });

  it('one that lacks its key or has named no model is passed over, one that is paused stays the choice (G4)', () => {
    const others: readonly Held[] = [
      { ...local, state: 'key_missing' },
      { ...local, models: [] },
    ];
    for (const other of others) {
      const model = answeringModel({ model: null }, [other, practice]);
      expect(model).toEqual({ provider: 'practice', model: 'rules-1' });
      expect(isPractice(model, [other, practice])).toBe(true);
    }
    expect(answeringModel({ model: null }, [{ ...local, state: 'paused' }, practice])?.provider).toBe('local');
  });

  it('the agent’s own model stands before all, and with nothing ready nobody answers', () => {
    const own = { provider: 'groq', model: 'x' };
    expect(answeringModel({ model: own }, [local])).toEqual(own);
    expect(answeringModel({ model: null }, [])).toBeNull();
  });
});
