import { describe, expect, it } from 'vitest';
import { cacheRule, pagePolicy } from './security-headers';

describe('rel-X11: the page policy', () => {
  it('is the one of reliability 6.8, with the place where breaches are reported', () => {
    expect(pagePolicy('abc')).toBe(
      "default-src 'none'; script-src 'nonce-abc' 'strict-dynamic'; style-src 'self' 'nonce-abc'; img-src 'self' data: blob:; " +
        "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; " +
        "require-trusted-types-for 'script'; trusted-types default; report-uri /csp-report",
    );
  });
});

describe('rel-X12: caches', () => {
  it('nothing but built files may be kept', () => {
    expect(cacheRule('public, max-age=60', false)).toBe('private, no-store');
    expect(cacheRule('', false)).toBe('private, no-store');
    expect(cacheRule('private, no-store, no-transform', false)).toBe('private, no-store, no-transform');
    expect(cacheRule('public, max-age=31536000, immutable', true)).toBe('public, max-age=31536000, immutable');
  });
});
