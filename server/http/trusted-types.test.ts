import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHeadInserter, TRUSTED_TYPES_SCRIPT } from './trusted-types';

const PAGE = '<!DOCTYPE html><html lang="en"><head><script src="/a.js" async></script></head><body>ü</body></html>';
const WANTED = PAGE.replace(
  '<head>',
  `<head><script nonce="n">${TRUSTED_TYPES_SCRIPT}window.__zod_globalConfig={jitless:true};</script>`,
);

describe('rel-X11: the policy stands first in the head', () => {
  it('however the page is cut into pieces', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(Buffer.byteLength(PAGE))), (cuts) => {
        const bytes = Buffer.from(PAGE);
        const points = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        const inserter = createHeadInserter('n');
        const sent = points.slice(1).map((to, index) => inserter.push(bytes.subarray(points[index], to)));
        expect(Buffer.concat([...sent, inserter.end()]).toString()).toBe(WANTED);
      }),
    );
  });

  it('a page without a head passes as it is', () => {
    const inserter = createHeadInserter('n');
    expect(Buffer.concat([inserter.push(Buffer.from('<p>short')), inserter.end()]).toString()).toBe('<p>short');
    const long = createHeadInserter('n');
    expect(long.push(Buffer.from('x'.repeat(70_000))).length).toBe(70_000);
  });
});

describe('the policy itself', () => {
  interface Rules {
    readonly createScriptURL: (url: string) => string | null;
    readonly createHTML?: unknown;
    readonly createScript?: unknown;
  }
  const loadPolicy = (): Rules => {
    const made: Rules[] = [];
    const trustedTypes = { createPolicy: (_name: string, rules: Rules) => made.push(rules) };
    const location = { href: 'http://127.0.0.1:3000/c/1', origin: 'http://127.0.0.1:3000' };
    new Function('window', 'trustedTypes', 'location', TRUSTED_TYPES_SCRIPT)({ trustedTypes }, trustedTypes, location);
    const [rules] = made;
    if (rules === undefined) throw new Error('no policy was made');
    return rules;
  };

  it('loads scripts of this build and makes neither HTML nor script text', () => {
    const rules = loadPolicy();
    expect(rules.createScriptURL('/_next/static/chunks/a.js')).toBe('/_next/static/chunks/a.js');
    expect(rules.createScriptURL('http://127.0.0.1:3000/_next/static/a.js')).toBe(
      'http://127.0.0.1:3000/_next/static/a.js',
    );
    expect(rules.createHTML).toBeUndefined();
    expect(rules.createScript).toBeUndefined();
  });

  it.each([
    'https://attacker.test/_next/static/a.js',
    '//attacker.test/_next/static/a.js',
    '/_next/static/../../v1/attachments/x',
    '/v1/agent-sessions/x/export',
    'data:text/javascript,alert(1)',
    'blob:http://127.0.0.1:3000/x',
    'javascript:alert(1)',
    'http://127.0.0.1:3001/_next/static/a.js',
  ])('refuses %s', (url) => {
    expect(loadPolicy().createScriptURL(url)).toBeNull();
  });
});
