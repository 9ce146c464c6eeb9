import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '@/server/contract/error';
import { sayConnected, sayRefused, sayTested } from './say-test';

const refused = (code: ErrorCode, message: string) => ({ ok: false, ms: 12, models: null, error: { code, message } });

describe('what is said of a provider that was tested', () => {
  it('N4: names it and counts its models, where it has a list', () => {
    expect(sayConnected({ name: 'Local server', models: 2 })).toBe('Connected: Local server, 2 models.');
    expect(sayConnected({ name: 'Local server', models: 1 })).toBe('Connected: Local server, 1 model.');
    expect(sayConnected({ name: 'Groq', models: null })).toBe('Connected: Groq.');
  });

  it('speaks of the address and the key beside their fields, not of messages or of the settings', () => {
    const broke = refused('provider_network', 'The connection to Local server broke. What came so far is kept.');
    const key = refused('provider_auth', 'The key for Groq was refused. Check it in Settings, or use another model.');
    const busy = refused('provider_overloaded', 'Groq is overloaded. Your message is kept; try again in a moment.');
    expect(sayRefused(broke, 'Local server')).toMatch(/^Local server did not answer at this address\./);
    expect(sayRefused(key, 'Groq')).toMatch(/^Groq refused the key\./);
    expect(sayRefused(busy, 'Groq')).toBe('Groq is overloaded.');
    for (const test of [broke, key, busy]) expect(sayTested(test, 'X', '1 s')).not.toMatch(/kept|Settings/);
  });

  it('says how long an answer took', () => {
    expect(sayTested({ ok: true, ms: 80, models: 1, error: null }, 'Groq', '80 ms')).toBe(
      'Answered in 80 ms, 1 model.',
    );
  });
});
