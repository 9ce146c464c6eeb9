import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aLog, type LogBuilder } from '@/server/core/projection/log-builder';
import type { SessionState } from '@/server/core/projection/state-shape';
import { cutPages } from './cut-pages';
import { maskToolResult } from './mask-tool-result';
import { recall } from './recall';
import type { Tool, ToolContext } from './tool';
import { updatePlan } from './update-plan';

function contextOf(state: SessionState, fields: Partial<ToolContext> = {}): ToolContext {
  return {
    state,
    callId: 'now',
    workspace: null,
    recallCapBytes: 16_384,
    signal: new AbortController().signal,
    ...fields,
  };
}

async function use(tool: Tool, args: unknown, state: SessionState, fields: Partial<ToolContext> = {}) {
  const outcome = await tool.run(args, contextOf(state, fields));
  const text = outcome.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  return { ...outcome, text };
}

/** The log with a call of `tool` just made, its id `now`. */
const calling = (log: LogBuilder, name: string) => log.batch([{ name, callId: 'now', result: null }]).state();

describe('mask_tool_result (M1, M2)', () => {
  const read = () =>
    aLog()
      .says('look')
      .calls('read_file', {}, 'old result')
      .batch([
        { name: 'read_file', result: 'a'.repeat(900) },
        { name: 'read_file', result: 'ünder' },
      ]);

  it('M1: masks a result of the newest batch with the note, and names its bytes of text', async () => {
    const state = calling(read(), 'mask_tool_result');
    const done = await use(maskToolResult, { item: 6, note: 'the port\nis 7443' }, state);
    expect(done).toMatchObject({ isError: false, text: 'Item 6 is masked.' });
    expect(done.events).toEqual([
      {
        type: 'view.masked',
        item: state.items[5]?.id,
        callId: 'call_3',
        note: 'the port is 7443',
        bytes: 6,
        byCall: 'now',
      },
    ]);
  });

  it.each([
    [1, /^Messages of the person cannot be masked/],
    [2, /^Your own replies cannot be masked/],
    [3, /^Only results of the newest batch can be masked \(items 5-6\)/],
    [7, /^Your own replies cannot be masked/],
    [99, /^There is no item 99/],
    ['plan', /^The plan cannot be masked/],
  ])('M2: item %s is refused with the reason', async (item, why) => {
    const refused = await use(maskToolResult, { item, note: 'x' }, calling(read(), 'mask_tool_result'));
    expect(refused).toMatchObject({ isError: true, events: [], text: expect.stringMatching(why) });
  });

  it('M2: twice is refused; before any tool there is nothing to mask; a note is needed', async () => {
    const twice = aLog().says('look').calls('read_file').masks();
    const state = calling(twice, 'mask_tool_result');
    expect((await use(maskToolResult, { item: 3, note: 'x' }, state)).text).toBe('Item 3 is masked already.');
    const noNote = await use(maskToolResult, { item: 5 }, state);
    expect(noNote).toMatchObject({ isError: true, why: 'invalid_arguments', text: expect.stringMatching(/note: /) });
  });

  it('M1: what it appends is a valid line', async () => {
    const log = read();
    const done = await use(maskToolResult, { item: '5', note: 'x' }, calling(log, 'mask_tool_result'));
    for (const { type, ...fields } of done.events) log.append(type, fields as never);
    log.answers('now', done.text);
    expect(log.log().violations).toEqual([]);
    expect(log.state().masks.size).toBe(1);
  });
});

describe('recall (M5, X9)', () => {
  const talk = () =>
    aLog()
      .says('The port is 7443.')
      .replies('Noted.')
      .says('read')
      .calls('read_file', { path: 'a.ts' }, `head ${'x'.repeat(3_000)} tail`)
      .masks()
      .replies('Read.')
      .compacts({ text: 'The summary.' });

  it('M5: by number, range and id, whole, whatever the view shows of it', async () => {
    const log = talk();
    const state = calling(log.says('?'), 'recall');
    expect((await use(recall, { what: 1 }, state)).text).toBe(
      'Item 1 (message of the person), 17 bytes:\nThe port is 7443.',
    );
    expect((await use(recall, { what: 'item 5' }, state)).text).toContain('tail');
    expect((await use(recall, { what: '1-2' }, state)).text).toContain('Item 2 (reply), 6 bytes:\nNoted.');
    expect((await use(recall, { what: log.itemId(4) }, state)).text).toContain(
      '[calls read_file with {"path":"a.ts"}]',
    );
    const checkpoint = state.checkpoint?.event.id ?? '';
    expect((await use(recall, { what: checkpoint }, state)).text).toContain('The summary.');
  });

  it('M5: answers in pages within the cap that joined give all of it', async () => {
    const state = calling(talk().says('?'), 'recall');
    const first = await use(recall, { what: 5 }, state, { recallCapBytes: 1_024 });
    const [, pages] = /^Page 1 of (\d+)\./.exec(first.text) ?? [];
    let whole = '';
    for (let page = 1; page <= Number(pages); page += 1) {
      const { text } = await use(recall, { what: 5, page }, state, { recallCapBytes: 1_024 });
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_024);
      whole += text.slice(text.indexOf('\n') + 1);
    }
    expect(whole).toBe((await use(recall, { what: 5 }, state)).text);
    expect((await use(recall, { what: 5, page: 99 }, state)).text).toMatch(/There is no page 99/);
  });

  it('M5: by words over the whole session, the items that hold most of them first', async () => {
    const state = calling(talk().says('Which PORT was it?'), 'recall');
    const found = await use(recall, { text: 'port 7443' }, state);
    expect(found.text).toMatch(/^1 item\. /);
    // The question that is being answered holds its own words, and is not what is looked for.
    expect((await use(recall, { text: 'port' }, state)).text).toMatch(/^1 item\. /);
    expect(found.text).toContain('Item 1 (message of the person): The port is 7443.');
    expect((await use(recall, { text: 'zebra' }, state)).text).toMatch(/^No item/);
  });

  it.each([
    [{ what: '9-3' }, /upwards/],
    [{ what: '0' }, /Items of this conversation are 1-/],
    [{ what: '1-9999' }, /Items of this conversation are 1-/],
    [{ what: 'nonsense' }, /There is no item or summary nonsense/],
    [{}, /Name what to read/],
    [{ what: 1, path: 'x' }, /arguments it does not take/],
  ])('M5: %j is refused with the reason', async (args, why) => {
    const refused = await use(recall, args, calling(talk().says('?'), 'recall'));
    expect(refused).toMatchObject({ isError: true, text: expect.stringMatching(why) });
  });

  it('pages are whole characters and joined give the text (law)', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', 'ü', '€', '😀', '\n'), maxLength: 400 });
    fc.assert(
      fc.property(texts, fc.integer({ min: 4, max: 60 }), (text, bytes) => {
        const pages = cutPages(text, bytes);
        expect(pages.join('')).toBe(text);
        for (const page of pages) expect(Buffer.byteLength(page)).toBeLessThanOrEqual(bytes);
      }),
    );
  });
});

describe('update_plan (L5)', () => {
  it('L5: replaces the plan; what stays keeps its id', async () => {
    const state = aLog().says('go').plan(['[x] read', '[ ] write']).state();
    const items = [
      { text: 'write', status: 'active' },
      { text: 'test', status: 'pending' },
    ];
    const done = await use(updatePlan, { items }, state);
    expect(done.text).toBe('The plan has 2 items, 0 done.');
    expect(done.events).toEqual([
      {
        type: 'plan.set',
        items: [
          { id: 'p2', text: 'write', status: 'active' },
          { id: '1', text: 'test', status: 'pending' },
        ],
        by: 'model',
        callId: 'now',
      },
    ]);
  });

  it('L5: an empty plan is a plan; a wrong status is named', async () => {
    const state = aLog().says('go').state();
    expect((await use(updatePlan, { items: [] }, state)).events).toMatchObject([{ items: [] }]);
    const wrong = await use(updatePlan, { items: [{ text: 'a', status: 'doing' }] }, state);
    expect(wrong).toMatchObject({ isError: true, why: 'invalid_arguments', events: [] });
    expect(wrong.text).toContain('items.0.status');
  });
});
