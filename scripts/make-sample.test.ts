import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import type { EventType, LogEvent } from '@/server/contract/events/event';
import { checkLog } from '@/server/core/log/check-log';
import { finishScan, scanChunk, startScan } from '@/server/core/log/scan-log';
import { foldSession } from '@/server/core/projection/session-state';
import { SEED_IDS } from '@/server/session/seeds';
import { anApp, type TestApp } from '@/server/session/testing/an-app';
import { makeSample } from './make-sample';

const bundled = new Uint8Array(readFileSync(fileURLToPath(new URL('../samples/conversation.jsonl', import.meta.url))));

function readBundled() {
  const step = scanChunk(startScan(), bundled);
  const report = checkLog([...step.records, ...finishScan(step.state).records]);
  return { report, session: foldSession(report.log, report.log.logId) };
}

const eventsOf = <T extends EventType>(type: T) =>
  readBundled().session.path.filter((event): event is Extract<LogEvent, { readonly type: T }> => event.type === type);

describe('the bundled sample conversation', () => {
  it('N3: it is what `npx tsx scripts/make-sample.ts` makes of its story, byte for byte', async () => {
    expect(new TextDecoder().decode(bundled) === (await makeSample())).toBe(true);
  });

  it('N3: check-log finds nothing in it', () => {
    const { report } = readBundled();
    expect([report.violations, report.damage]).toEqual([[], []]);
  });

  it('N3: it has the 300 messages and two boundaries that the first page promises', () => {
    expect(readBundled().session.items).toHaveLength(300);
    expect(eventsOf('checkpoint.committed')).toHaveLength(2);
  });

  it('N3: it says at its start that it was written by hand and that no model took part', () => {
    const [note] = eventsOf('note');
    expect(note?.text).toMatch(/written by hand.*no AI model took part/);
    const models = eventsOf('message.assistant').map(({ model, simulated }) => [model.model, simulated]);
    expect(new Set(models.map(String))).toEqual(new Set(['written-by-hand,']));
  });

  it('X3: one summary was refused for a missing heading before it was accepted', () => {
    const attempts = readBundled().session.compactions.flatMap((event) =>
      event.type === 'compaction.attempt' ? [[event.n, event.outcome, event.reason]] : [],
    );
    expect(attempts).toEqual([
      [1, 'rejected', 'sections:Invalidated'],
      [2, 'accepted', null],
      [1, 'accepted', null],
    ]);
  });

  it('X2: every item a summary names was covered by it', () => {
    for (const { text, covers } of eventsOf('checkpoint.committed')) {
      const named = [...text.matchAll(/items? ((?:\d+(?:, )?)+)/g)].flatMap(([, list = '']) =>
        list.split(', ').map(Number),
      );
      expect(named.length).toBeGreaterThan(10);
      expect(Math.max(...named)).toBeLessThanOrEqual(covers.items);
    }
  });

  it('C14, K1: the constraint stated once stands word for word in both summaries, the first message is kept', () => {
    const [first] = readBundled().session.items;
    for (const { text, keep, carry } of eventsOf('checkpoint.committed')) {
      expect(text).toContain('rows in `payments` are never updated or deleted, not even to tidy up');
      expect(keep).toEqual([first?.id]);
      expect(carry.kept.length).toBeGreaterThan(0);
    }
  });

  it('M1, T3: it shows a mask, a failed call and a plan that changed', () => {
    expect(readBundled().session.masks.size).toBe(1);
    expect(eventsOf('tool.result').filter(({ isError }) => isError)).toHaveLength(1);
    expect(eventsOf('plan.set').length).toBeGreaterThan(3);
  });
});

describe('opening the sample', () => {
  const open: TestApp[] = [];
  afterEach(async () => {
    for (const app of open.splice(0)) await app.stop();
  });
  const openSample = async () => {
    const test = await anApp({ readSample: () => bundled });
    open.push(test);
    return { test, session: await test.app.imports.openSample('owner') };
  };

  it('P3, P4: the copy has ids of its own and is behind by exactly one skill', async () => {
    const { test, session } = await openSample();
    expect(session).toMatchObject({ summaries: 2, behind: true, agentId: SEED_IDS.guide });
    expect(new TextDecoder().decode(bundled)).not.toContain(session.id);
    const prompt = await test.app.sessions.prompt(session.id, 'owner');
    expect(prompt.skills).toEqual([{ id: SEED_IDS.reading, name: 'Careful reading', change: 'newer', from: 1, to: 2 }]);
    expect([prompt.instructionsChanged, prompt.toolsChanged, prompt.memoriesChanged]).toEqual([false, false, false]);
  });

  it('N2, N3: it goes on without a key, with the practice model, and nothing has to be folded first', async () => {
    const { test, session } = await openSample();
    const end = await test.say(session.id, 'read notes/budget.md');
    expect(end.state).toBe('finished');
    const { messages } = await test.app.sessions.messages(session.id, { limit: 3 });
    const last = messages.at(-1);
    expect(last?.role === 'assistant' && last.metadata.model.provider).toBe('practice');
    expect((await test.app.sessions.get(session.id)).summaries).toBe(2);
  });

  it('P5: compacting it catches up with the skill', async () => {
    const { test, session } = await openSample();
    const told = test.told.length;
    await test.app.compactions.request(session.id, {}, 'owner');
    const ended = await test.untilNew(told, 'chat.compacted');
    expect(ended.outcome).toBe('committed');
    expect((await test.app.sessions.prompt(session.id, 'owner')).current).toBe(true);
  });
});
