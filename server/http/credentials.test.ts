import { describe, expect, it } from 'vitest';
import { COOKIE_SECONDS, createCredentials, type StoredCookie } from './credentials';

const DAY_MS = 24 * 60 * 60 * 1000;

function openDoor(stored: readonly StoredCookie[] = []) {
  const clock = { nowMs: 1_000_000 };
  const saved: StoredCookie[][] = [];
  let count = 0;
  const credentials = createCredentials({
    nowMs: () => clock.nowMs,
    newSecret: () => {
      count += 1;
      return `secret-${count}`;
    },
    stored,
    save: (cookies) => saved.push([...cookies]),
  });
  return { clock, saved, credentials };
}

describe('contract 20: the launch token', () => {
  it('lets one browser in, once', () => {
    const { credentials } = openDoor();
    const { token } = credentials.launchToken();
    const cookie = credentials.spend(token);
    expect(cookie).not.toBeNull();
    expect(credentials.knows(cookie ?? '')).toBe(true);
    expect(credentials.spend(token)).toBeNull();
  });

  it('is the same until it is spent, then a new one', () => {
    const { credentials } = openDoor();
    const first = credentials.launchToken();
    expect(first.isNew).toBe(true);
    expect(credentials.launchToken()).toEqual({ token: first.token, isNew: false });
    credentials.spend(first.token);
    expect(credentials.launchToken()).toEqual({ token: 'secret-3', isNew: true });
  });

  it('a wrong token, an empty one and a cookie’s value are no token', () => {
    const { credentials } = openDoor();
    expect(credentials.spend('secret-1')).toBeNull();
    const { token } = credentials.launchToken();
    expect(credentials.spend('')).toBeNull();
    expect(credentials.spend(`${token}x`)).toBeNull();
    const cookie = credentials.spend(token) ?? '';
    expect(credentials.spend(cookie)).toBeNull();
    expect(credentials.knows(token)).toBe(false);
  });
});

describe('cookies', () => {
  it('outlive a restart by their hash; the value itself is never stored', () => {
    const before = openDoor();
    const cookie = before.credentials.spend(before.credentials.launchToken().token) ?? '';
    const stored = before.saved.at(-1) ?? [];
    expect(JSON.stringify(stored)).not.toContain(cookie);
    const after = openDoor(stored);
    expect(after.credentials.knows(cookie)).toBe(true);
    expect(after.credentials.knows('another')).toBe(false);
  });

  it('stop counting after 90 days', () => {
    const { clock, credentials } = openDoor();
    const cookie = credentials.spend(credentials.launchToken().token) ?? '';
    expect(COOKIE_SECONDS * 1000).toBe(90 * DAY_MS);
    clock.nowMs += 90 * DAY_MS - 1;
    expect(credentials.knows(cookie)).toBe(true);
    clock.nowMs += 1;
    expect(credentials.knows(cookie)).toBe(false);
  });
});
