import { describe, expect, it } from 'vitest';
import { judgeAddress, readAddress } from './read-address';

describe('the address of a server, as it is typed', () => {
  it('needs no protocol and no version', () => {
    expect(readAddress(' 127.0.0.1:11434/ ')).toEqual({ ok: true, baseUrl: 'http://127.0.0.1:11434/v1' });
    expect(readAddress('https://example.org/v1')).toEqual({ ok: true, baseUrl: 'https://example.org/v1' });
  });

  it.each(['not an address', 'ftp://example.org', '::::', ''])('“%s” is told at its field, in plain words', (typed) => {
    expect(readAddress(typed)).toEqual({ ok: false, problem: expect.stringContaining('This is not an address') });
  });

  it('a password in it is told apart, and an empty one is the provider’s own', () => {
    expect(judgeAddress('http://me:secret@example.org/v1')).toContain('name and password');
    expect(judgeAddress('')).toBeNull();
  });
});
