import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { TrimAction } from '@/server/contract/events/view-events';
import { importClaudeCode } from '@/server/core/import/claude-code';
import { importContext, storeDrafts } from '@/server/core/import/import-test-log';
import { checkLog } from '@/server/core/log/check-log';
import { NO_PROMPT, projectView } from '@/server/core/projection/model-view';
import { findUnpaired } from '@/server/core/projection/model-view-pairing';
import { foldSession } from '@/server/core/projection/session-state';
import type { LogState, SessionState } from '@/server/core/projection/state-shape';
import { type TrimFields, trim } from './trim';

/** The recorded sessions are no part of the repository: `TIDEMARK_TRACES`, else beside the checkout. */
const traces = process.env.TIDEMARK_TRACES ?? fileURLToPath(new URL('../../../../shared/traces', import.meta.url));
const folder = `${traces}/claude-code`;
const isPresent = existsSync(folder);
const files = isPresent ? readdirSync(folder).filter((name) => name.endsWith('.jsonl')) : [];
const PARTS = [1, 0.25, 0.1, 0.05, 0.01];

function readLog(name: string): LogState {
  const imported = importClaudeCode(readFileSync(`${folder}/${name}`, 'utf8'), importContext({ file: name }));
  if (!imported) throw new TypeError(`${name} holds no message`);
  return checkLog(storeDrafts(imported.drafts).map((event) => ({ kind: 'event', event, from: 0, to: 0 }))).log;
}

type Actions = ReadonlyMap<string, TrimAction>;

/** Trims in force and those of a trim, as the fold would join them. */
function join(state: SessionState, { actions }: TrimFields): Actions {
  return new Map([
    ...state.trimActions,
    ...actions.map((action) => [action.item ?? action.checkpoint ?? '', action] as const),
  ]);
}

const view = (state: SessionState, actions: Actions = state.trimActions) =>
  projectView({ state, prompt: NO_PROMPT, model: null, moment: 'step', actions });

function boundsOf(roomBytes: number) {
  const lowMarkBytes = Math.floor(Math.floor(Math.max(1_000, roomBytes) * 0.85) * 0.6);
  return { model: null, roomBytes, lowMarkBytes, firstMessageCapBytes: Math.max(400, Math.floor(roomBytes * 0.1)) };
}

const firstOf = (state: SessionState) =>
  state.items.find(({ event }) => event.type === 'message.user' && event.kind === 'person')?.id;

describe.runIf(isPresent)('laws of view and trim on recorded sessions', () => {
  it.each(files)('%s: fits a tenth and a hundredth of its size, paired, its first message kept', (name) => {
    const log = readLog(name);
    for (const branch of log.branches.keys()) {
      const state = foldSession(log, branch);
      const whole = view(state);
      expect(findUnpaired(whole)).toEqual([]);
      for (const part of PARTS) {
        const roomBytes = Math.floor(whole.conversationBytes * part);
        const trimmed = trim({ state, ...boundsOf(roomBytes) });
        if (trimmed === null) continue;
        const shown = view(state, join(state, trimmed));
        expect(shown.conversationBytes).toBe(trimmed.after);
        expect(shown.conversationBytes).toBeLessThanOrEqual(Math.max(1_000, roomBytes));
        expect(findUnpaired(shown)).toEqual([]);
        const again = { ...state, trimActions: join(state, trimmed) };
        expect(trim({ state: again, ...boundsOf(roomBytes) })).toBeNull();
        expectFirstKept(state, shown);
      }
    }
  });

  it.each(files)('%s: grows only at its end between trims (perf-B4), and trims seldom (B4)', (name) => {
    const log = readLog(name);
    const [branch] = log.branches.keys();
    const newest = foldSession(log, branch ?? '');
    const { path, items } = newest;
    const grown = view({ ...newest, checkpoint: null }, new Map()).conversationBytes;
    const roomBytes = Math.floor(grown / 8);
    const every = Math.max(1, Math.floor(items.length / 40));
    const heads = items.filter((_, at) => at % every === 0 && isBeforeReply(items, at)).map((item) => item.point);
    let actions: Actions = new Map();
    let sent: readonly string[] = [];
    let from = 0;
    let trims = 0;
    for (const head of heads) {
      const folded = foldSession(log, branch ?? '', { head });
      const isCut = path.some(({ seq, type }) => seq > from && seq <= head && /^(checkpoint|view)\./.test(type));
      const state = { ...folded, trimActions: new Map([...folded.trimActions, ...actions]) };
      const trimmed = trim({ state, ...boundsOf(roomBytes) });
      if (trimmed !== null) actions = join(state, trimmed);
      const shown = view({ ...state, trimActions: new Map([...folded.trimActions, ...actions]) });
      const now = shown.body.map(({ message }) => JSON.stringify(message));
      if (trimmed === null && !isCut) expect(now.slice(0, sent.length)).toEqual(sent);
      expect(shown.conversationBytes).toBeLessThanOrEqual(Math.max(1_000, roomBytes));
      trims += trimmed === null ? 0 : 1;
      sent = now;
      from = head;
    }
    // Each trim frees about half of the room, so a conversation of eight rooms needs about sixteen; more is churn.
    expect(trims).toBeLessThanOrEqual(18);
  });
});

/** A call is made where the next item is a reply, or there is none. */
function isBeforeReply(items: SessionState['items'], at: number): boolean {
  const next = items[at + 1];
  return next === undefined || next.event.type === 'message.assistant';
}

/** Unless a summary made elsewhere covers it: such a checkpoint lists only what its own tool kept (contract 8). */
function expectFirstKept(state: SessionState, shown: ReturnType<typeof view>): void {
  const first = firstOf(state);
  const covered = state.items.findLastIndex(({ id }) => id === state.checkpoint?.event.covers.through);
  if (first === undefined || state.items.findIndex(({ id }) => id === first) <= covered) return;
  const raw = shown.entries.flatMap(({ accounts }) => accounts.filter(({ kind }) => kind === 'raw'));
  expect(raw.some(({ itemIds }) => itemIds.includes(first))).toBe(true);
}

describe.skipIf(isPresent)('laws of view and trim on recorded sessions', () => {
  it.skip('not run: traces not present', () => {});
});
