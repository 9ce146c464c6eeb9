import { createHash, timingSafeEqual } from 'node:crypto';

/** A cookie that was given out: the SHA-256 of its value (never the value) and when it stops counting. */
export interface StoredCookie {
  readonly sha256: string;
  readonly expiresAtMs: number;
}

export interface CredentialSeams {
  readonly nowMs: () => number;
  /** 256 random bits, spelled for URLs and cookies. */
  readonly newSecret: () => string;
  readonly stored: readonly StoredCookie[];
  readonly save: (cookies: readonly StoredCookie[]) => void;
}

/** Who may come in: one launch token at a time, spent by its first use, and the cookies it was spent for. */
export interface Credentials {
  /** The launch token to print; a new one when the last was spent. */
  readonly launchToken: () => { readonly token: string; readonly isNew: boolean };
  /** Spends the launch token for a cookie value; null when it is not the one that counts. */
  readonly spend: (token: string) => string | null;
  readonly knows: (cookie: string) => boolean;
}

export const COOKIE_SECONDS = 90 * 24 * 60 * 60;
/** Browsers signed in at once; the oldest leaves. */
const MAX_COOKIES = 100;

const hash = (value: string): Buffer => createHash('sha256').update(value).digest();

/** Credentials of one running server. Cookies outlive a restart through `stored` and `save`; launch tokens do not. */
export function createCredentials(seams: CredentialSeams): Credentials {
  let cookies = seams.stored;
  let launch: string | null = null;
  const living = (): readonly StoredCookie[] => cookies.filter((cookie) => cookie.expiresAtMs > seams.nowMs());
  return {
    launchToken() {
      if (launch !== null) return { token: launch, isNew: false };
      launch = seams.newSecret();
      return { token: launch, isNew: true };
    },
    spend(token) {
      if (launch === null || !timingSafeEqual(hash(token), hash(launch))) return null;
      launch = null;
      const value = seams.newSecret();
      const expiresAtMs = seams.nowMs() + COOKIE_SECONDS * 1000;
      cookies = [...living(), { sha256: hash(value).toString('hex'), expiresAtMs }].slice(-MAX_COOKIES);
      seams.save(cookies);
      return value;
    },
    knows(cookie) {
      const wanted = hash(cookie);
      return living().some(({ sha256 }) => timingSafeEqual(Buffer.from(sha256, 'hex'), wanted));
    },
  };
}
