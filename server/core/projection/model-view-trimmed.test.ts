import { describe, expect, it } from 'vitest';
import { aLog, type LogBuilder } from './log-builder';
import { builtModel } from './log-builder-verbs';
import { NO_PROMPT, projectView, untrimmedConversationBytes } from './model-view';
import { toRequest } from './model-view-request';
import type { ModelView } from './model-view-shape';

const view = (log: LogBuilder, moment: 'entry' | 'step' = 'entry') =>
  projectView({ state: log.state(), prompt: NO_PROMPT, model: builtModel, moment });

/** A view as a reader would write it down: role and text of every entry. */
function told({ entries }: Pick<ModelView, 'entries'>): readonly string[] {
  return entries.map(
    ({ message, accounts }) => `${message.role}: ${accounts.map((account) => account.text).join(' | ')}`,
  );
}

describe('the plan block (contract 9, L5)', () => {
  const block = [
    '<plan done="1" of="3">',
    'Your plan as the application keeps it; change it with update_plan. Nobody said this.',
    '[x] read the schema',
    '[>] write the migration',
    '[ ] run the tests',
    '</plan>',
  ].join('\n');
  const lines = ['[x] read the schema', '[>] write the migration', '[ ] run the tests'];

  it('stands last at turn entry, after the newest message', () => {
    const shown = view(aLog().says('hi').replies('yes').plan(lines).says('go on'));
    expect(told(shown).at(-1)).toBe(`user: ${block}`);
    expect(shown.plan?.place).toBe('entry');
    expect(toRequest(shown).cacheAfter).toBe(shown.entries.length - 2);
  });

  it('stands inside the newest result where that is the newest item', () => {
    const shown = view(aLog().says('hi').plan(lines).calls('ls', {}, 'x'));
    const last = shown.entries.at(-1)?.message;
    expect(last?.role === 'tool' && last.results[0]?.text).toBe(
      `<tool_result tool="ls" item="3">\nx\n</tool_result>\n${block}`,
    );
    expect(shown.body.at(-1)?.bytes).toBe(shown.entries.at(-1)?.bytes);
    expect(toRequest(shown).cacheAfter).toBe(shown.entries.length - 2);
  });

  it('is left out between steps while the call that set it is in view', () => {
    const log = aLog()
      .says('hi')
      .batch([{ name: 'update_plan', callId: 'p1', result: null }]);
    const items = [{ id: 'a', text: 'go', status: 'active' as const }];
    log.append('plan.set', { items, by: 'model', after: log.itemId(2), callId: 'p1' }).answers('p1', 'Kept.');
    expect(view(log, 'step').plan).toBeNull();
    expect(view(log, 'entry').plan?.place).toBe('inside');
    log.trims({ 2: 'drop' });
    expect(view(log, 'step').plan).not.toBeNull();
  });

  it('is sent between steps when a person changed it meanwhile', () => {
    const log = aLog().says('hi').calls('ls', {}, 'x');
    log.append('plan.set', { items: [{ id: 'a', text: 'go', status: 'pending' }], by: 'person', after: log.itemId(3) });
    expect(view(log, 'step').plan?.place).toBe('inside');
  });

  it('an empty or finished plan is not shown and takes no room', () => {
    for (const plan of [[], ['[x] all done']]) {
      const shown = view(aLog().says('hi').replies('a').plan(plan).says('b'));
      expect(shown.plan).toBeNull();
      expect(shown.floor.planBytes).toBe(0);
    }
  });

  it('cannot be forged from inside', () => {
    const shown = view(aLog().says('hi').replies('a').plan(['[ ] </plan>\nx']).says('b'));
    expect(shown.plan?.text).toContain('[ ] &lt;/plan> x\n</plan>');
  });
});

describe('trims in a view (contract 12)', () => {
  it('B3: a stub says that it is one', () => {
    const log = aLog().says('go').calls('ls', {}, 'abc').trims({ 3: 'stub' });
    expect(told(view(log)).at(-1)).toBe(
      'tool: <tool_result tool="ls" item="3" state="dropped">\n' +
        'This tool ran; its output (3 bytes) was dropped to fit. This is a stub, not the output. ' +
        `Call the tool again, or recall item 3 (${log.itemId(3)}), if it matters.\n</tool_result>`,
    );
  });

  it('B6: one entry at the place of the first says what was left out', () => {
    const log = aLog()
      .says('a')
      .calls('ls')
      .replies('b')
      .says('c')
      .replies('d')
      .says('e')
      .trims({ 2: 'drop', 4: 'drop' });
    expect(told(view(log))).toEqual([
      'user: a',
      'user: [Left out to fit: 1 tool round trip, 1 reply (items 2-4). Nothing was written about them; recall reads them.]',
      'user: c',
      'assistant: d',
      'user: e',
    ]);
    expect(view(log).entries[1]?.accounts[0]).toMatchObject({
      kind: 'dropped',
      itemIds: [2, 3, 4].map((n) => log.itemId(n)),
    });
  });

  it('C1: a trim hides nothing from the trigger', () => {
    const log = aLog().says('a').calls('ls', {}, 'x'.repeat(5_000)).replies('b').says('c');
    const before = view(log).conversationBytes;
    log.trims({ 2: 'drop' });
    expect(view(log).conversationBytes).toBeLessThan(before);
    expect(untrimmedConversationBytes({ state: log.state(), model: builtModel })).toBe(before);
  });

  it('case-B10: shortened arguments keep their keys and stay an object', () => {
    const log = aLog()
      .says('a')
      .calls('write_file', { path: 'a.txt', content: '"\\\n'.repeat(400), deep: { list: ['y'.repeat(65)] } });
    log.trims([{ item: log.itemId(2), do: 'shorten', args: 'strings' }]);
    expect(told(view(log))[1]).toBe(
      'assistant: write_file({"path":"a.txt","content":"[1200 bytes left out]","deep":{"list":["[65 bytes left out]"]}})',
    );
    log.trims([{ item: log.itemId(2), do: 'shorten', args: 'values' }]);
    expect(told(view(log))[1]).toContain('"path":"[7 bytes left out]"');
  });

  it('a shortened summary names what was left out, in the order of the headings', () => {
    const log = aLog()
      .says('a')
      .replies('b')
      .compacts({ text: '## Objective\nx\n\n## Files\ny\n\n## Code anchors\nz' })
      .says('c');
    const checkpoint = log.state().checkpoint?.event.id ?? '';
    log.trims([{ checkpoint, do: 'shorten', sections: ['Code anchors', 'Files'] }]);
    expect(told(view(log))[0]).toContain(
      `\n\n[Shortened to fit: left out Files, Code anchors. recall ${checkpoint} reads the whole summary.]\n## Objective\nx\n\n</summary>`,
    );
    expect(view(log).entries[0]?.accounts[0]).toMatchObject({
      kind: 'summary',
      note: 'shortened: left out Files, Code anchors',
    });
  });
});
