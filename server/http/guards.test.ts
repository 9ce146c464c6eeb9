import { describe, expect, it } from 'vitest';
import { routeTable } from '@/server/contract/route-table';
import * as guards from './guards';
import { ownHosts, ownOrigins, type Reach } from './reach';

const reach: Reach = { host: '127.0.0.1', port: 3000, auth: 'local', publicOrigin: null, insecureHttp: false };
const hosts = ownHosts(reach);
const origins = ownOrigins(reach);
const codeOf = (verdict: guards.Verdict): string => (verdict.ok ? 'ok' : verdict.code);

describe('rel-X5: judgeHost', () => {
  it.each(['127.0.0.1:3000', 'localhost:3000', 'LocalHost:3000'])('%s is our own', (host) => {
    expect(codeOf(guards.judgeHost([host], hosts))).toBe('ok');
  });

  it.each([
    'attacker.test',
    'attacker.test:3000',
    'localhost',
    'localhost:3001',
    'localhost.:3000',
    'localhost:3000.attacker.test',
    '127.0.0.1',
    '127.0.0.1.attacker.test:3000',
    '127.1:3000',
    '2130706433:3000',
    '0x7f.0.0.1:3000',
    '[::1]:3000',
    '[::ffff:127.0.0.1]:3000',
    'user@localhost:3000',
    'localhost:3000@attacker.test',
    ' localhost:3000',
    '',
  ])('"%s" is misdirected', (host) => {
    expect(codeOf(guards.judgeHost([host], hosts))).toBe('misdirected');
  });

  it('none and two are misdirected', () => {
    expect(codeOf(guards.judgeHost([], hosts))).toBe('misdirected');
    expect(codeOf(guards.judgeHost(['localhost:3000', 'attacker.test'], hosts))).toBe('misdirected');
  });

  it('an absolute address, a doubled slash and a backslash are no path of ours', () => {
    for (const target of [
      'http://localhost:3000/',
      'http://169.254.169.254/x',
      '//attacker.test/',
      '*',
      '/\\attacker.test',
      '',
    ]) {
      expect(codeOf(guards.judgeTarget(target))).toBe('misdirected');
    }
    for (const target of ['/', '/c/01H?x=//y', '/v1/events']) expect(codeOf(guards.judgeTarget(target))).toBe('ok');
  });
});

describe('rel-X6: judgeOrigin', () => {
  const facts = { method: 'POST', origin: undefined, secFetchSite: undefined, hasBearer: false, hasCookie: true };
  const judge = (more: Partial<guards.OriginFacts>): string =>
    codeOf(guards.judgeOrigin({ ...facts, ...more }, origins));

  it('reading is nobody’s forgery', () => {
    for (const method of ['GET', 'HEAD', 'OPTIONS']) {
      expect(judge({ method, origin: 'http://attacker.test', secFetchSite: 'cross-site' })).toBe('ok');
    }
  });

  it('our own pages may change things', () => {
    expect(judge({ secFetchSite: 'same-origin', origin: 'http://127.0.0.1:3000' })).toBe('ok');
    expect(judge({ secFetchSite: 'none' })).toBe('ok');
    expect(judge({ origin: 'http://localhost:3000' })).toBe('ok');
  });

  it.each([
    { secFetchSite: 'cross-site' },
    { secFetchSite: 'same-site' },
    { secFetchSite: 'cross-site', origin: 'http://127.0.0.1:3000' },
    { secFetchSite: 'same-origin', origin: 'http://attacker.test' },
    { secFetchSite: 'same-origin', origin: 'null' },
    { secFetchSite: '' },
    { origin: 'null' },
    { origin: 'null', hasCookie: false },
    { origin: 'http://attacker.test' },
    { origin: 'http://attacker.test', hasCookie: false },
    { origin: 'http://127.0.0.1:3001' },
    { origin: 'https://127.0.0.1:3000' },
    { origin: 'http://127.0.0.1:3000.attacker.test' },
    { origin: '' },
    {},
  ])('%o is foreign', (more) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'post'])
      expect(judge({ ...more, method })).toBe('forbidden');
  });

  it('without a cookie and without a browser’s headers there is nothing to ride on', () => {
    expect(judge({ hasCookie: false })).toBe('ok');
  });

  it('a bearer token is its own proof', () => {
    expect(judge({ hasBearer: true })).toBe('ok');
  });
});

describe('rel-X4: judgeCookie', () => {
  const knows = (value: string): boolean => value === 'good';
  const judge = (cookies: readonly string[], hasAuthorization = false): string =>
    codeOf(guards.judgeCookie({ cookies, hasAuthorization, knows }));

  it('a known cookie comes in, also beside one that a page of another port planted', () => {
    expect(judge(['good'])).toBe('ok');
    expect(judge(['planted', 'good'])).toBe('ok');
  });

  it('no cookie, an unknown one, or one beside an Authorization header does not', () => {
    expect(judge([])).toBe('unauthenticated');
    expect(judge(['bad'])).toBe('unauthenticated');
    expect(judge(['good'], true)).toBe('unauthenticated');
  });

  it('cookies are found by their whole name', () => {
    const header = 'a=1; tidemark_3000=x; xtidemark_3000=y; tidemark_3000=z; tidemark_30001=q';
    expect(guards.findCookies(header, 'tidemark_3000')).toEqual(['x', 'z']);
    expect(guards.findCookies(undefined, 'tidemark_3000')).toEqual([]);
  });
});

describe('rel-X21: sizes', () => {
  it('a declared length is taken to the byte', () => {
    expect(codeOf(guards.judgeLength(undefined, 100))).toBe('ok');
    expect(codeOf(guards.judgeLength('99', 100))).toBe('ok');
    expect(codeOf(guards.judgeLength('100', 100))).toBe('ok');
    expect(codeOf(guards.judgeLength('101', 100))).toBe('payload_too_large');
    expect(codeOf(guards.judgeLength('nonsense', 100))).toBe('payload_too_large');
  });

  it('compressed bodies are not taken', () => {
    expect(codeOf(guards.judgeEncoding(undefined))).toBe('ok');
    expect(codeOf(guards.judgeEncoding('identity'))).toBe('ok');
    for (const encoding of ['gzip', 'br', 'identity, gzip', '']) {
      expect(codeOf(guards.judgeEncoding(encoding))).toBe('unsupported_media_type');
    }
  });

  it('the streamed routes and their limits are those of the route table', () => {
    for (const route of routeTable.values()) {
      const limit = guards.bodyLimitOf(`/v1${route.path}`, 1_000_000);
      expect(limit, route.path).toEqual(
        route.streamedBody
          ? { maxBytes: route.streamedBody.maxBytes, streamed: true }
          : { maxBytes: 1_000_000, streamed: false },
      );
    }
  });
});

describe('what is open', () => {
  it('exactly the routes that need no authority, built files and the icon', () => {
    for (const route of routeTable.values()) {
      expect(guards.isOpenPath(`/v1${route.path}`), route.path).toBe(route.built && route.authorities.length === 0);
    }
    expect(guards.isOpenPath('/_next/static/chunks/a.js')).toBe(true);
    expect(guards.isOpenPath('/_next/static/../data')).toBe(false);
    expect(guards.isOpenPath('/_next/image')).toBe(false);
    expect(guards.isOpenPath('/')).toBe(false);
  });
});
