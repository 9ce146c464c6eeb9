/** Everything that tells a browser how little these answers may be used for (rel-X11, rel-X12, reliability 6.8). */

const REPORT_PATH = '/csp-report';

/** The policy of a page. Next reads the nonce from it and stamps its own scripts. */
export function pagePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
    `report-uri ${REPORT_PATH}`,
  ].join('; ');
}

/** The policy of everything that is no page: opened as a document, it can load and run nothing. */
export const DATA_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** On every answer, whatever it is. */
export const FIXED_HEADERS: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
};

/** No shared or private cache keeps a page or an answer (CVE-2026-44576, -44581). */
export const NO_STORE = 'private, no-store';

/** A cache rule as it may leave the server: built files keep theirs, all else is never stored. */
export function cacheRule(wanted: string, isStatic: boolean): string {
  if ((isStatic && wanted !== '') || /\bno-store\b/.test(wanted)) return wanted;
  return NO_STORE;
}

/** Where browsers report a breach of the page policy. */
export const isReportPath = (path: string): boolean => path === REPORT_PATH;
