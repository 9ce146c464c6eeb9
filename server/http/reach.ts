import { isIP } from 'node:net';

/** How callers prove who they are: the launch cookie, an account or token, or (tests, loopback only) not at all. */
export type AuthMode = 'local' | 'required' | 'none';

/** Where the server listens and under which names it may be asked (contract 20). */
export interface Reach {
  readonly host: string;
  readonly port: number;
  readonly auth: AuthMode;
  /** The address people use, without a trailing slash; null where it is the bind address. */
  readonly publicOrigin: string | null;
  /** Bound beyond this machine without https in front: the cookie goes without `Secure`, and Settings says so in red. */
  readonly insecureHttp: boolean;
}

export type ReachResult =
  | { readonly ok: true; readonly reach: Reach }
  | { readonly ok: false; readonly message: string };

type Env = Readonly<Record<string, string | undefined>>;

/** True for addresses only this machine can reach: 127.0.0.0/8, ::1 and `localhost`. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase();
  if (bare === 'localhost' || bare === '::1') return true;
  return isIP(bare) === 4 && bare.startsWith('127.');
}

const refuse = (message: string): ReachResult => ({ ok: false, message });

function parsePublicOrigin(text: string | undefined): string | null | 'bad' {
  if (text === undefined || text === '') return null;
  if (!URL.canParse(text)) return 'bad';
  const url = new URL(text);
  const plain =
    url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '' && url.password === '';
  return plain && (url.protocol === 'http:' || url.protocol === 'https:') ? url.origin : 'bad';
}

function parsePort(text: string | undefined): number | null {
  if (text === undefined || text === '') return 3000;
  const port = Number(text);
  return /^\d{1,5}$/.test(text) && port <= 65_535 ? port : null;
}

const isAuthMode = (text: string): text is AuthMode => text === 'local' || text === 'required' || text === 'none';

/**
 * Reads PORT, HOST, TIDEMARK_AUTH, TIDEMARK_PUBLIC_URL and TIDEMARK_INSECURE_HTTP. Refuses, with the remedy, what would
 * open the data to others by accident: no sign-in beyond loopback, and plain http beyond loopback unless it is typed.
 */
export function parseReach(env: Env): ReachResult {
  const host = env.HOST || '127.0.0.1';
  const port = parsePort(env.PORT);
  if (port === null) return refuse(`PORT is "${env.PORT}"; it must be a whole number from 0 to 65535.`);
  const publicOrigin = parsePublicOrigin(env.TIDEMARK_PUBLIC_URL);
  if (publicOrigin === 'bad') {
    return refuse(
      'TIDEMARK_PUBLIC_URL must be an http or https address without a path, such as https://chat.example.org.',
    );
  }
  const typedAuth = env.TIDEMARK_AUTH || 'local';
  if (!isAuthMode(typedAuth)) return refuse(`TIDEMARK_AUTH is "${typedAuth}"; it must be local, required or none.`);
  const isExposed = !isLoopback(host) || (publicOrigin !== null && !isLoopback(new URL(publicOrigin).hostname));
  if (isExposed && typedAuth === 'none') {
    return refuse('TIDEMARK_AUTH=none works on loopback only: unset it, or unset HOST and TIDEMARK_PUBLIC_URL.');
  }
  const isHttps = publicOrigin?.startsWith('https:') ?? false;
  const insecureHttp = !isLoopback(host) && !isHttps;
  if (insecureHttp && env.TIDEMARK_INSECURE_HTTP !== '1') {
    return refuse(
      `HOST=${host} can be reached from other machines, and without https anyone between can read along. ` +
        'Put an https proxy in front and set TIDEMARK_PUBLIC_URL, or set TIDEMARK_INSECURE_HTTP=1 to accept that.',
    );
  }
  return { ok: true, reach: { host, port, auth: isExposed ? 'required' : typedAuth, publicOrigin, insecureHttp } };
}

const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::' || host === '[::]';
const bracket = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host);

/** The `Host` values that are the server's own, in lower case; everything else is misdirected. */
export function ownHosts({ host, port, publicOrigin }: Reach): ReadonlySet<string> {
  const names = isWildcard(host) ? ['127.0.0.1', '[::1]', 'localhost'] : [bracket(host.toLowerCase())];
  if (isLoopback(host)) names.push('localhost');
  const own = new Set(names.map((name) => `${name}:${port}`));
  if (port === 80) for (const name of names) own.add(name);
  if (publicOrigin !== null) {
    const url = new URL(publicOrigin);
    own.add(url.host);
    if (url.port === '') own.add(`${url.hostname}:${url.protocol === 'https:' ? 443 : 80}`);
  }
  return own;
}

/** The origins whose pages may change something: the server's own, spelled as browsers spell them. */
export function ownOrigins(reach: Reach): ReadonlySet<string> {
  const publicHost = reach.publicOrigin === null ? null : new URL(reach.publicOrigin).hostname;
  const direct = [...ownHosts(reach)].filter((host) => new URL(`http://${host}`).hostname !== publicHost);
  const origins = new Set(direct.map((host) => new URL(`http://${host}`).origin));
  if (reach.publicOrigin !== null) origins.add(reach.publicOrigin);
  return origins;
}

/** The address to print: where a person on this machine opens the product. */
export function printedOrigin({ host, port, publicOrigin }: Reach): string {
  if (publicOrigin !== null) return publicOrigin;
  return new URL(`http://${isWildcard(host) ? '127.0.0.1' : bracket(host)}:${port}`).origin;
}

/** The cookie for a request to this `Host`: `__Host-` and `Secure` under the https address, else a name with the port. */
export function cookieFor(reach: Reach, requestHost: string): { readonly name: string; readonly attributes: string } {
  const url = reach.publicOrigin === null ? null : new URL(reach.publicOrigin);
  const isPublic = url !== null && (requestHost === url.host || requestHost === `${url.hostname}:443`);
  const base = 'Path=/; HttpOnly; SameSite=Strict';
  if (isPublic && url.protocol === 'https:') return { name: '__Host-tidemark', attributes: `${base}; Secure` };
  return { name: `tidemark_${reach.port}`, attributes: base };
}
