import { describe, expect, it } from 'vitest';
import { cookieFor, isLoopback, ownHosts, ownOrigins, parseReach, printedOrigin, type Reach } from './reach';

const reachOf = (env: Readonly<Record<string, string>>): Reach => {
  const result = parseReach(env);
  if (!result.ok) throw new Error(result.message);
  return result.reach;
};
const refusalOf = (env: Readonly<Record<string, string>>): string => {
  const result = parseReach(env);
  return result.ok ? 'started' : result.message;
};

describe('contract 20: where the server may be reached', () => {
  it('without any setting it is 127.0.0.1:3000 for whoever holds the launch cookie', () => {
    const reach = reachOf({});
    expect(reach).toEqual({ host: '127.0.0.1', port: 3000, auth: 'local', publicOrigin: null, insecureHttp: false });
    expect([...ownHosts(reach)]).toEqual(['127.0.0.1:3000', 'localhost:3000']);
    expect(printedOrigin(reach)).toBe('http://127.0.0.1:3000');
  });

  it('beyond loopback without https it starts only when that is typed', () => {
    expect(refusalOf({ HOST: '0.0.0.0' })).toContain('TIDEMARK_INSECURE_HTTP=1');
    expect(refusalOf({ HOST: '192.168.1.5', TIDEMARK_PUBLIC_URL: 'http://chat.test' })).toContain(
      'TIDEMARK_INSECURE_HTTP=1',
    );
    expect(reachOf({ HOST: '0.0.0.0', TIDEMARK_INSECURE_HTTP: '1' })).toMatchObject({
      auth: 'required',
      insecureHttp: true,
    });
    expect(reachOf({ HOST: '0.0.0.0', TIDEMARK_PUBLIC_URL: 'https://chat.test' })).toMatchObject({
      auth: 'required',
      insecureHttp: false,
    });
  });

  it('no sign-in at all is for loopback alone', () => {
    expect(reachOf({ TIDEMARK_AUTH: 'none' }).auth).toBe('none');
    expect(reachOf({ TIDEMARK_AUTH: 'none', HOST: '::1' }).auth).toBe('none');
    expect(refusalOf({ TIDEMARK_AUTH: 'none', HOST: '0.0.0.0', TIDEMARK_INSECURE_HTTP: '1' })).toContain(
      'loopback only',
    );
    expect(refusalOf({ TIDEMARK_AUTH: 'none', TIDEMARK_PUBLIC_URL: 'https://chat.test' })).toContain('loopback only');
  });

  it.each([
    [{ PORT: '65536' }, 'PORT is'],
    [{ PORT: '-1' }, 'PORT is'],
    [{ PORT: '3e3' }, 'PORT is'],
    [{ TIDEMARK_AUTH: 'None' }, 'TIDEMARK_AUTH is'],
    [{ TIDEMARK_PUBLIC_URL: 'chat.test' }, 'TIDEMARK_PUBLIC_URL must'],
    [{ TIDEMARK_PUBLIC_URL: 'https://chat.test/app' }, 'TIDEMARK_PUBLIC_URL must'],
    [{ TIDEMARK_PUBLIC_URL: 'https://a:b@chat.test' }, 'TIDEMARK_PUBLIC_URL must'],
    [{ TIDEMARK_PUBLIC_URL: 'ftp://chat.test' }, 'TIDEMARK_PUBLIC_URL must'],
  ])('what cannot be meant is refused: %o', (env, message) => {
    expect(refusalOf(env)).toContain(message);
  });

  it('loopback is told from what only looks like it', () => {
    for (const host of ['127.0.0.1', '127.9.9.9', '::1', '[::1]', 'localhost', 'LOCALHOST'])
      expect(isLoopback(host)).toBe(true);
    for (const host of ['127.0.0.1.evil.test', '0.0.0.0', '::', '10.0.0.1', 'localhost.evil.test', '128.0.0.1']) {
      expect(isLoopback(host)).toBe(false);
    }
  });
});

describe('names, origins and cookies', () => {
  const https = reachOf({ TIDEMARK_PUBLIC_URL: 'https://chat.test', HOST: '0.0.0.0', PORT: '8080' });

  it('the public host joins the list, with and without its default port', () => {
    expect(ownHosts(https)).toEqual(
      new Set(['127.0.0.1:8080', '[::1]:8080', 'localhost:8080', 'chat.test', 'chat.test:443']),
    );
    expect(ownOrigins(https)).toEqual(
      new Set(['http://127.0.0.1:8080', 'http://[::1]:8080', 'http://localhost:8080', 'https://chat.test']),
    );
    expect(printedOrigin(https)).toBe('https://chat.test');
  });

  it('port 80 may be left out of the name', () => {
    expect(ownHosts(reachOf({ PORT: '80' })).has('localhost')).toBe(true);
    expect(ownHosts(reachOf({})).has('localhost')).toBe(false);
  });

  it('the cookie is __Host- and Secure under https, and carries the port on loopback', () => {
    expect(cookieFor(https, 'chat.test')).toEqual({
      name: '__Host-tidemark',
      attributes: 'Path=/; HttpOnly; SameSite=Strict; Secure',
    });
    expect(cookieFor(https, 'localhost:8080')).toEqual({
      name: 'tidemark_8080',
      attributes: 'Path=/; HttpOnly; SameSite=Strict',
    });
  });
});
