/** Exactly one tab of a browser holds the stream; the others hear it from that tab. */

export interface Channel {
  readonly post: (message: unknown) => void;
  readonly listen: (onMessage: (message: unknown) => void) => () => void;
}

export interface Election {
  /** Resolves once this tab leads, which may be never; the others learn of a leader by its beats. */
  readonly leave: () => void;
}

export interface ElectionOptions {
  /** Orders tabs that claim at the same moment; the lowest wins. */
  readonly tabId: string;
  readonly onLead: () => void;
  /** Only without Web Locks: another tab claimed with a lower id while this one led. */
  readonly onYield: () => void;
}

const lockName = 'tidemark-stream';

/** Where the browser has locks, it elects: the lock passes on by itself when the leading tab goes, even by a crash. */
export function electByLock(locks: LockManager, options: ElectionOptions): Election {
  const gone = new AbortController();
  const hold = () =>
    new Promise<void>((resolve) => {
      gone.signal.addEventListener('abort', () => resolve(), { once: true });
      if (gone.signal.aborted) resolve();
      else options.onLead();
    });
  locks.request(lockName, { signal: gone.signal }, hold).catch(() => undefined);
  return { leave: () => gone.abort() };
}

export const beatMs = 1_000;
export const leaseMs = 3_000;

export interface Beats {
  readonly now: () => number;
  /** Calls back each `beatMs` until told to stop. */
  readonly every: (run: () => void) => () => void;
}

interface Beat {
  readonly kind: 'beat' | 'gone';
  readonly tabId: string;
}

function toBeat(message: unknown): Beat | null {
  if (typeof message !== 'object' || message === null || !('kind' in message) || !('tabId' in message)) return null;
  const { kind, tabId } = message;
  return (kind === 'beat' || kind === 'gone') && typeof tabId === 'string' ? { kind, tabId } : null;
}

/**
 * Without Web Locks (plain http beyond loopback): the leader beats each second, and a tab that heard none for the lease of
 * three leads. Of two that claim at once the lower id keeps it, so there may be two for a second and never for longer.
 */
export function electByBeats(channel: Channel, options: ElectionOptions & Beats): Election {
  const { tabId, onLead, onYield, now, every } = options;
  let heardAt = now();
  let leads = false;
  const stopListening = channel.listen((message) => {
    const beat = toBeat(message);
    if (beat === null || beat.tabId === tabId) return;
    if (beat.kind === 'gone') heardAt = now() - leaseMs;
    else if (!leads) heardAt = now();
    else if (beat.tabId < tabId) {
      leads = false;
      heardAt = now();
      onYield();
    }
  });
  const stopBeating = every(() => {
    if (!leads && now() - heardAt >= leaseMs) {
      leads = true;
      onLead();
    }
    if (leads) channel.post({ kind: 'beat', tabId });
  });
  return {
    leave() {
      stopBeating();
      stopListening();
      if (leads) channel.post({ kind: 'gone', tabId });
    },
  };
}
