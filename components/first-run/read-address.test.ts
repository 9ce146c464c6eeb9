import { describe, expect, it } from 'vitest';
import { completeAddress, judgeAddress, readAddress } from './read-address';

describe('the address of a server, as it is typed', () => {
  it('needs no protocol and no version', () => {
    expect(readAddress(' 127.0.0.1:11434/ ')).toEqual({ ok: true, baseUrl: 'http://127.0.0.1:11434/v1' });
    expect(readAddress('https://example.org/v1')).toEqual({ ok: true, baseUrl: 'https://example.org/v1' });
  });

  it('takes a host of any letters and of numbers alone', () => {
    for (const typed of ['http://[::1]:1234/v1', 'https://bücher.example/v1', 'http://my_host-1:80'])
      expect(judgeAddress(typed), typed).toBeNull();
  });

  it.each(['what%20is', 'a"b', 'not an address', 'ftp://example.org', '::::', ''])(
    '“%s” is told at its field, in plain words',
    (typed) => {
      expect(readAddress(typed)).toEqual({ ok: false, problem: expect.stringContaining('This is not an address') });
    },
  );

  it('a password in it is told apart, and an empty one is the provider’s own', () => {
    expect(judgeAddress('http://me:secret@example.org/v1')).toContain('name and password');
    expect(judgeAddress('')).toBeNull();
    expect(completeAddress(' ')).toBe('');
    expect(completeAddress('10.0.0.2:8080/api')).toBe('http://10.0.0.2:8080/api');
  });
});
