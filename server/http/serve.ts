import { randomBytes } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createCredentials, type StoredCookie } from './credentials';
import { createCspReports } from './csp-reports';
import { createGracefulStop } from './graceful-stop';
import { printedOrigin, type Reach } from './reach';
import { createThinServer } from './thin-server';

export interface ServeParts {
  readonly reach: Reach;
  readonly handle: (req: IncomingMessage, res: ServerResponse) => Promise<void>;
  readonly cookies: {
    readonly stored: readonly StoredCookie[];
    readonly save: (cookies: readonly StoredCookie[]) => void;
  };
  readonly stopWork: () => Promise<void>;
  readonly print: (line: string) => void;
  readonly log: (line: string) => void;
  readonly exit: (code: number) => void;
  readonly dev: boolean;
}

/** A server that listens, the line to print once the product is ready, and the stop to call for each signal. */
export interface Serving {
  readonly server: Server;
  readonly readyLine: () => string;
  readonly stop: (signal: string) => Promise<void>;
}

const newSecret = (): string => randomBytes(32).toString('base64url');
const newNonce = (): string => randomBytes(18).toString('base64');
const wait = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

const listen = (server: Server, { port, host }: Reach): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host.replace(/^\[|\]$/g, ''), () => {
      server.off('error', reject);
      resolve();
    });
  });

/** Puts the thin server together and listens. Rejects with Node's own error when the port is taken or the address unknown. */
export async function serve(parts: ServeParts): Promise<Serving> {
  const { reach, print, log } = parts;
  const credentials = createCredentials({ nowMs: Date.now, newSecret, ...parts.cookies });
  const addressOf = (token: string): string => `${printedOrigin(reach)}/?launch=${token}`;
  const server = createThinServer({
    ...parts,
    credentials,
    reports: createCspReports(),
    newNonce,
    onStranger() {
      const launch = credentials.launchToken();
      // The last address was spent, and somebody stands before the door: whoever reads this terminal may let them in.
      if (launch.isNew) print(`To sign in another browser: ${addressOf(launch.token)}`);
    },
  });
  await listen(server, reach);
  const readyLine = (): string => {
    const address = reach.auth === 'none' ? `${printedOrigin(reach)}/` : addressOf(credentials.launchToken().token);
    return `Tidemark is ready: ${address}`;
  };
  const stop = createGracefulStop({ server, stopWork: parts.stopWork, exit: parts.exit, log, wait });
  return { server, readyLine, stop };
}
