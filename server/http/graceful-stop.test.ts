import { describe, expect, it } from 'vitest';
import { createGracefulStop, type StopParts } from './graceful-stop';

function setUp(more: Partial<StopParts> = {}) {
  const story: string[] = [];
  const stop = createGracefulStop({
    server: {
      close(done?: (error?: Error) => void) {
        story.push('no new connections');
        done?.();
        return this as never;
      },
      closeAllConnections: () => story.push('connections closed'),
    },
    stopWork: async () => void story.push('work stopped'),
    exit: (code) => story.push(`exit ${code}`),
    log: (line) => story.push(line),
    wait: () => new Promise(() => {}),
    ...more,
  });
  return { story, stop };
}

describe('rel-R11, rel-R12: stopping', () => {
  it('takes no new work, ends the old, closes what is open, leaves with 0', async () => {
    const { story, stop } = setUp();
    await stop('SIGTERM');
    expect(story).toEqual(['no new connections', 'work stopped', 'connections closed', 'exit 0']);
  });

  it('a second signal exits at once, though the first still waits', async () => {
    const { story, stop } = setUp({ stopWork: () => new Promise(() => {}) });
    void stop('SIGTERM');
    await stop('SIGINT');
    expect(story).toEqual(['no new connections', 'exit 1']);
  });

  it('work that does not end is left after its time', async () => {
    const waits: number[] = [];
    const wait = async (ms: number): Promise<void> => void waits.push(ms);
    const { story, stop } = setUp({ stopWork: () => new Promise(() => {}), wait });
    await stop('SIGTERM');
    expect(story.at(-1)).toBe('exit 0');
    expect(waits[0]).toBeLessThan(5_000);
  });

  it('work that fails to stop is said, and the exit comes all the same', async () => {
    const { story, stop } = setUp({ stopWork: () => Promise.reject(new Error('disk gone')) });
    await stop('SIGTERM');
    expect(story).toContain('stopping after SIGTERM: disk gone');
    expect(story.at(-1)).toBe('exit 0');
  });
});
