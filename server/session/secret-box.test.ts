import { describe, expect, it } from 'vitest';
import { createSecretBox } from './secret-box';

describe('keys at rest', () => {
  it('reliability 6.7: opens what it sealed, at its own place only', () => {
    const box = createSecretBox('one');
    const sealed = box.seal('sk-canary', 'providers|openai|key');
    expect(sealed).not.toContain('canary');
    expect(box.open(sealed, 'providers|openai|key')).toBe('sk-canary');
    expect(() => box.open(sealed, 'providers|other|key')).toThrow('cannot be read');
  });

  it('rel-X23: another secret gives a clear error, not a wrong key', () => {
    const sealed = createSecretBox('one').seal('sk-canary', 'p');
    expect(() => createSecretBox('two').open(sealed, 'p')).toThrow('Enter it again');
  });

  it('the same key never looks the same twice', () => {
    const box = createSecretBox('one');
    expect(box.seal('k', 'p')).not.toBe(box.seal('k', 'p'));
  });
});
