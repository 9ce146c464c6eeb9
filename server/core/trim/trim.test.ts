import { describe, expect, it } from 'vitest';
import { aLog, type LogBuilder } from '@/server/core/projection/log-builder';
import { builtModel, textPart } from '@/server/core/projection/log-builder-verbs';
import { NO_PROMPT, projectView, untrimmedConversationBytes } from '@/server/core/projection/model-view';
import { type TrimFields, trim } from './trim';

const bounds = (roomBytes: number) => ({
  roomBytes,
  lowMarkBytes: Math.floor(Math.floor(roomBytes * 0.85) * 0.6),
  firstMessageCapBytes: Math.max(400, Math.floor(roomBytes * 0.1)),
});
const trimTo = (log: LogBuilder, roomBytes: number) =>
  trim({ state: log.state(), model: builtModel, ...bounds(roomBytes) });
const view = (log: LogBuilder) =>
  projectView({ state: log.state(), prompt: NO_PROMPT, model: builtModel, moment: 'step' });
const size = (log: LogBuilder) => view(log).conversationBytes;
const apply = (log: LogBuilder, trimmed: TrimFields | null) =>
  trimmed === null ? log : log.append('view.trimmed', { ...trimmed, actions: [...trimmed.actions] });
/** `3 stub` and so on, in the order listed. */
const told = (log: LogBuilder, trimmed: TrimFields | null) =>
  trimmed?.actions.map((action) => `${action.item ? log.item(action.item).number : 'summary'} ${action.do}`) ?? [];
const big = (n: number) => 'word '.repeat(Math.ceil(n / 5));

describe('the trim (B3, B4, B5)', () => {
  it('does nothing while the conversation is within the room', () => {
    const log = aLog().says('hi').calls('ls', {}, big(3_000)).replies('ok');
    expect(trimTo(log, size(log))).toBeNull();
  });

  it('B3: takes results first, oldest first, and stops at the low mark', () => {
    const log = aLog().says('go');
    for (let n = 0; n < 6; n += 1) log.calls('read', {}, big(2_000));
    log.replies('done').says('next');
    const trimmed = trimTo(log, 12_000);
    expect(told(log, trimmed)).toEqual(['3 stub', '5 stub', '7 stub', '9 stub', '11 stub']);
    expect(trimmed?.kinds.results.count).toBe(5);
    expect(trimmed?.after).toBeLessThanOrEqual(bounds(12_000).lowMarkBytes);
    expect(size(apply(log, trimmed))).toBe(trimmed?.after);
  });

  it('B3: then whole round trips, then replies, then messages; never the first or the newest of a person', () => {
    const log = aLog().says(`first ${big(300)}`);
    for (let n = 0; n < 4; n += 1) log.calls('x', { text: big(600) }, 'ok');
    log
      .replies(big(900))
      .says(big(900))
      .replies(big(900))
      .says(`newest ${big(300)}`);
    const trips = ['2 drop', '4 drop', '6 drop', '8 drop'];
    expect(told(log, trimTo(log, 8_000))).toEqual([...trips, '10 drop']);
    expect(told(log, trimTo(log, 6_000))).toEqual([...trips, '10 drop', '12 drop']);
    const smallest = trimTo(log, 2_500);
    expect(told(log, smallest)).toEqual([...trips, '10 drop', '11 drop', '12 drop']);
    expect(smallest?.kinds).toMatchObject({ trips: { count: 4 }, replies: { count: 2 }, messages: { count: 1 } });
    expect(JSON.stringify(view(apply(log, smallest)).entries)).toContain('newest');
  });

  it('B3, case-A15: a long message of a person is shortened and says so; a tool stub never stands for it', () => {
    const log = aLog()
      .says(`REQ-START ${big(9_000)} REQ-END`)
      .replies(big(3_000))
      .says('go on');
    const trimmed = trimTo(log, 8_000);
    expect(trimmed?.actions[0]).toMatchObject({ item: log.itemId(1), do: 'shorten', headBytes: 533, tailBytes: 266 });
    const [first] = view(apply(log, trimmed)).entries;
    expect(first?.accounts[0]?.text).toMatch(
      /^\[Shortened to fit: first 533 and last 266 of \d+ bytes.*REQ-START.*REQ-END$/s,
    );
  });

  it('B3: an injected message and a command are no first message of a person', () => {
    const log = aLog()
      .says(big(2_000), { kind: 'injected' })
      .replies('a')
      .says(big(2_000), { kind: 'command' })
      .replies('b');
    log.says('the wish').replies(big(2_000)).says('newest');
    expect(told(log, trimTo(log, 1_200)).filter((action) => action.startsWith('5'))).toEqual([]);
  });

  it('B4: a new trim starts from the one in force and lists only what it adds', () => {
    const log = aLog().says('go');
    for (let n = 0; n < 12; n += 1) log.calls('read', {}, big(2_000));
    log.replies('done').says('next');
    const first = trimTo(log, 24_000);
    apply(log, first);
    expect(trimTo(log, 24_000)).toBeNull();
    for (let n = 0; n < 6; n += 1) log.calls('read', {}, big(2_000));
    log.replies('done').says('more');
    const again = trimTo(log, 24_000);
    expect(told(log, first).at(-1)).toBe('21 stub');
    expect(told(log, again)[0]).toBe('23 stub');
    expect(size(apply(log, again))).toBe(again?.after);
  });

  it('B4: a stub of before goes with its trip and is not listed again', () => {
    const log = aLog().says('go').calls('read', {}, big(3_000)).replies(big(500)).says('next');
    apply(log, trimTo(log, 3_600));
    expect([...log.state().trimActions.keys()]).toEqual([log.itemId(3)]);
    const again = trimTo(log, 1_000);
    expect(told(log, again)).toContain('2 drop');
    expect(told(log, again)).not.toContain('3 stub');
  });

  it('masked results stay what they are', () => {
    const log = aLog()
      .says('go')
      .calls('read', {}, big(6_000))
      .masks(3, 'n'.repeat(300))
      .calls('read', {}, big(4_000))
      .replies('ok')
      .says('more');
    expect(told(log, trimTo(log, 6_000))).toEqual(['7 stub']);
  });

  it('a stub that would be longer than the result is not made', () => {
    const log = aLog().says('go').calls('ls', {}, 'short').calls('read', {}, big(6_000)).replies('ok').says('more');
    expect(told(log, trimTo(log, 4_000))).toEqual(['5 stub']);
  });

  it('B5: the batch that no model has read yet is shortened rather than dropped, head and tail kept', () => {
    const log = aLog()
      .says('go')
      .calls('read', {}, `HEAD ${big(90_000)} TAIL`);
    const trimmed = trimTo(log, 8_000);
    expect(told(log, trimmed)).toEqual(['3 shorten']);
    const shown = view(apply(log, trimmed));
    expect(shown.conversationBytes).toBeLessThanOrEqual(bounds(8_000).lowMarkBytes);
    expect(shown.conversationBytes).toBeGreaterThan(bounds(8_000).lowMarkBytes - 10);
    expect(shown.entries.at(-1)?.accounts[0]?.text).toMatch(/state="shortened">\nShown: first .*HEAD .* TAIL/s);
  });

  it('B5, case-B10: huge arguments of an unread call stay a JSON object with their keys', () => {
    const log = aLog()
      .says('go')
      .calls('write_file', { path: 'a.txt', content: 'line "quoted" \\ \n'.repeat(4_000) }, 'ok');
    const trimmed = trimTo(log, 8_000);
    expect(trimmed?.actions).toEqual([{ item: log.itemId(2), do: 'shorten', args: 'strings' }]);
    const { message } = view(apply(log, trimmed)).entries[1] ?? {};
    expect(message?.role === 'assistant' && message.parts[0]).toMatchObject({
      args: { path: 'a.txt', content: '[68000 bytes left out]' },
    });
  });

  it('B5: more calls than fit go, results and all, as the last resort but the newest message', () => {
    const calls = Array.from({ length: 60 }, (_, n) => ({ name: 'read', callId: `c${n}`, result: 'ok' }));
    const log = aLog().says('go').batch(calls);
    const trimmed = trimTo(log, 4_000);
    expect(told(log, trimmed)).toEqual(['2 drop']);
    expect(view(apply(log, trimmed)).entries.map((entry) => entry.message.role)).toEqual(['user', 'user']);
  });

  it('B5: the newest message is shortened when nothing else is left', () => {
    const log = aLog()
      .says('hello')
      .replies('yes')
      .says(`BEGIN ${big(60_000)} END`);
    const trimmed = trimTo(log, 4_000);
    expect(told(log, trimmed)).toContain('3 shorten');
    expect(size(apply(log, trimmed))).toBeLessThanOrEqual(4_000);
    expect(view(log).entries.at(-1)?.accounts[0]?.text).toMatch(/BEGIN .* END$/s);
  });

  it('B5: images of a message count, and go by name when it must shrink', () => {
    const image = {
      type: 'image' as const,
      sha256: '0'.repeat(64),
      mediaType: 'image/png',
      bytes: 81_000,
      width: 640,
      height: 480,
      name: 'a.png',
    };
    const log = aLog().says('', { parts: [textPart('look'), image, image, image] });
    const shown = view(apply(log, trimTo(log, 3_000)));
    expect(shown.conversationBytes).toBeLessThanOrEqual(3_000);
    expect(shown.entries[0]?.accounts[0]?.text).toContain('[Image left out: a.png, 640×480, 81 kB, item 1]');
  });

  it('sections of the summary go last heading first, Constraints and Next action last', () => {
    const headings = [
      'Objective',
      'Constraints',
      'Decisions and evidence',
      'Invalidated',
      'Work',
      'Next action',
      'Files',
      'Code anchors',
    ];
    const text = headings.map((heading) => `## ${heading}\n${heading.toLowerCase()} ${big(1_000)}`).join('\n\n');
    const log = aLog().says('a').replies('b').compacts({ text, keep: [] }).says('c');
    const trimmed = trimTo(log, 6_000);
    expect(trimmed?.actions).toEqual([
      {
        checkpoint: log.state().checkpoint?.event.id,
        do: 'shorten',
        sections: ['Code anchors', 'Files', 'Work', 'Invalidated', 'Decisions and evidence', 'Objective'],
      },
    ]);
    expect(size(apply(log, trimmed))).toBe(trimmed?.after);
    expect(trimTo(log, 2_500)?.actions[0]?.sections?.slice(-2)).toEqual(['Next action', 'Constraints']);
  });

  it('a summary without headings is cut by bytes', () => {
    const log = aLog()
      .says('a')
      .replies('b')
      .compacts({ text: `A ${big(20_000)} Z`, keep: [] })
      .says('c');
    const shown = view(apply(log, trimTo(log, 6_000)));
    expect(shown.conversationBytes).toBeLessThanOrEqual(6_000);
    expect(shown.entries[0]?.accounts[0]?.text).toMatch(
      /\[Shortened to fit: first \d+ and last \d+ of \d+ bytes\. recall .*A word.* Z\n<\/summary>/s,
    );
  });

  it('B5: with 1,000 bytes of room a summary, keep and a newest message still make a view that fits', () => {
    const carry = { kept: [{ id: '01K00000000000000000000000', text: 'never push' }], dropped: [] };
    const log = aLog().says(big(5_000)).replies(big(5_000));
    log
      .compacts({ text: big(9_000), checkpoint: { carry } })
      .says(big(5_000))
      .calls('read', { a: big(3_000) }, big(5_000));
    const shown = view(apply(log, trimTo(log, 10)));
    expect(shown.conversationBytes).toBeLessThanOrEqual(1_000);
    expect(JSON.stringify(shown.entries)).toContain('never push');
  });

  it('a checkpoint that covers trimmed items ends the trim for them', () => {
    const log = aLog().says('a').calls('ls', {}, big(3_000)).replies('b').says('c').replies('d').trims({ 3: 'stub' });
    log.compacts({ covers: 4 }).expands(2, 4);
    expect(JSON.stringify(view(log).entries)).not.toContain('state=\\"dropped\\"');
  });

  it('C1: what a trim left out still counts against the trigger', () => {
    const log = aLog().says('go').calls('read', {}, big(30_000)).replies(big(3_000)).says('next');
    const before = size(log);
    apply(log, trimTo(log, 4_000));
    expect(untrimmedConversationBytes({ state: log.state(), model: builtModel })).toBe(before);
  });
});
