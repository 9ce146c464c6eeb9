import { describe, expect, it } from 'vitest';
import { beatMs, type Channel, electByBeats, leaseMs } from './leader-tab';

/** A browser of several tabs with one clock that the test moves. */
function browser() {
  let nowMs = 0;
  const listeners = new Map<string, (message: unknown) => void>();
  const ticks = new Map<string, () => void>();
  const log: string[] = [];
  const onItsWay: { from: string; message: unknown }[] = [];
  /** Words between tabs arrive after the tab that spoke has ended its turn. */
  const deliver = () => {
    for (const { from, message } of onItsWay.splice(0)) {
      for (const [other, listener] of [...listeners]) if (other !== from) listener(message);
    }
  };
  const open = (tabId: string) => {
    const channel: Channel = {
      post: (message) => {
        onItsWay.push({ from: tabId, message });
      },
      listen: (onMessage) => {
        listeners.set(tabId, onMessage);
        return () => listeners.delete(tabId);
      },
    };
    return electByBeats(channel, {
      tabId,
      onLead: () => log.push(`${tabId} leads`),
      onYield: () => log.push(`${tabId} yields`),
      now: () => nowMs,
      every: (run) => {
        ticks.set(tabId, run);
        return () => ticks.delete(tabId);
      },
    });
  };
  const pass = (ms: number) => {
    for (let passed = 0; passed < ms; passed += beatMs) {
      nowMs += beatMs;
      for (const tick of [...ticks.values()]) tick();
      deliver();
    }
  };
  /** A crash: no word, no more beats. */
  const crash = (tabId: string) => {
    ticks.delete(tabId);
    listeners.delete(tabId);
  };
  return { open, pass, crash, deliver, log };
}

describe('the leading tab where there are no locks', () => {
  it('contract 16: one leads after the lease, and a second tab only listens', () => {
    const { open, pass, log } = browser();
    open('a');
    pass(leaseMs);
    open('b');
    pass(10 * beatMs);
    expect(log).toEqual(['a leads']);
  });

  it('contract 16: a leader that crashed is replaced within its lease of three seconds', () => {
    const { open, pass, crash, log } = browser();
    open('a');
    pass(leaseMs);
    open('b');
    pass(beatMs);
    crash('a');
    pass(leaseMs - beatMs);
    expect(log).toEqual(['a leads']);
    pass(beatMs);
    expect(log).toEqual(['a leads', 'b leads']);
  });

  it('a leader that leaves says so, and the next one leads with the next beat', () => {
    const { open, pass, deliver, log } = browser();
    const first = open('a');
    pass(leaseMs);
    open('b');
    first.leave();
    deliver();
    pass(beatMs);
    expect(log).toEqual(['a leads', 'b leads']);
  });

  it('of two that lead at once the lower id keeps it', () => {
    const { open, pass, log } = browser();
    open('b');
    open('a');
    pass(leaseMs + beatMs);
    expect(log.filter((line) => line.endsWith('yields'))).toEqual(['b yields']);
  });
});
