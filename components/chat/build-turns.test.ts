import { describe, expect, it } from 'vitest';
import type { AssistantMessage, Message, NoteMessage } from '@/server/contract/message';
import { idOf, reply, userMessage } from '../sync/fold-stream-arbitraries';
import { aSummary } from '../sync/testing/a-summary';
import { buildBlocks, cutSegments, withRunning } from './build-turns';
import { aToolResult } from './testing/a-tool-result';

const at = '2026-01-02T03:04:05.678Z';

function calls(n: number, turnId: string, names: readonly string[]): AssistantMessage {
  const base = reply(n, '', turnId);
  return {
    ...base,
    parts: names.map((name) => ({ type: 'tool_call', callId: name, name, args: {}, state: 'done' })),
  };
}

function ended(n: number, turnId: string): NoteMessage {
  return {
    id: idOf(n),
    seq: n,
    at,
    role: 'note',
    parts: [],
    metadata: {
      kind: 'turn_ended',
      turnId,
      data: null,
      turn: { outcome: 'failed', code: 'provider_auth', detail: null, steps: 1 },
    },
  };
}

const outline = (messages: readonly Message[]) =>
  buildBlocks(messages).map((block) =>
    block.kind === 'reply'
      ? block.pieces.map((piece) => (piece.kind === 'steps' ? piece.steps.length : piece.kind))
      : block.kind,
  );

describe('the blocks of a transcript', () => {
  it('ux-5: consecutive calls are one box, across the steps of a turn; a text between them parts it', () => {
    const messages = [
      userMessage(1),
      calls(2, 'T', ['a', 'b']),
      aToolResult(3, 'T', 'a'),
      aToolResult(4, 'T', 'b'),
      calls(5, 'T', ['c']),
      aToolResult(6, 'T', 'c'),
      reply(7, 'words', 'T'),
      calls(8, 'T', ['d']),
      aToolResult(9, 'T', 'd'),
    ];
    expect(outline(messages)).toEqual(['user', [3, 'text', 1]]);
  });

  it('a call id that comes again in a later reply keeps its own result', () => {
    const messages = [
      calls(1, 'T', ['read']),
      aToolResult(2, 'T', 'read'),
      calls(3, 'T', ['read']),
      aToolResult(4, 'T', 'read'),
    ];
    const [block] = buildBlocks(messages);
    const steps = block?.kind === 'reply' && block.pieces[0]?.kind === 'steps' ? block.pieces[0].steps : [];
    expect(steps.map((step) => step.result?.id)).toEqual([idOf(2), idOf(4)]);
  });

  it('T3: how a turn ended stands under its reply, and alone where there was none', () => {
    const [, told] = buildBlocks([userMessage(1), reply(2, 'half', 'T'), ended(3, 'T')]);
    expect(told).toMatchObject({ kind: 'reply', ends: [{ id: idOf(3) }] });
    expect(outline([userMessage(1), ended(2, 'T')])).toEqual(['user', 'note']);
  });

  it('messages that wait are not in it', () => {
    expect(outline([userMessage(1), userMessage(2, { queued: true })])).toEqual(['user']);
  });

  it('ux-5: while a reply streams every finished block is the same object', () => {
    const settled = buildBlocks([userMessage(1), reply(2, 'done', 'T1'), userMessage(3), calls(4, 'T2', ['a'])]);
    const running = {
      turnId: 'T2',
      messageId: idOf(9),
      parts: [{ kind: 'text', text: 'so', call: undefined }],
    } as const;
    const blocks = withRunning(settled, running);
    expect(blocks).toHaveLength(4);
    expect(blocks.slice(0, 3)).toEqual(settled.slice(0, 3));
    for (const [index, block] of blocks.slice(0, 3).entries()) expect(block).toBe(settled[index]);
    expect(blocks.at(-1)).toMatchObject({ live: true, pieces: [{ kind: 'steps' }, { kind: 'text', live: true }] });
    expect(settled.at(-1)).toMatchObject({ live: false });
  });

  it('a running reply of another turn is a block of its own', () => {
    const settled = buildBlocks([reply(2, 'done', 'T1')]);
    const running = { turnId: 'T2', messageId: idOf(9), parts: [] };
    expect(withRunning(settled, running)).toHaveLength(2);
  });

  it('half-written arguments of a call are shown as they are', () => {
    const call = { callId: 'c', name: 'read_file' };
    const running = { turnId: 'T', messageId: idOf(9), parts: [{ kind: 'tool_call', text: '{"pa', call }] } as const;
    const [block] = withRunning([], running);
    expect(block).toMatchObject({ pieces: [{ kind: 'steps', steps: [{ call: { args: '{"pa' }, live: true }] }] });
  });

  it('C16: a transcript is cut at its summaries, and one that was taken back cuts nothing', () => {
    expect(cutSegments([userMessage(1), reply(2, 'x')])).toHaveLength(1);
  });

  it('T3: how a covered turn ended is covered with it; the end of a turn that goes on below stays there', () => {
    const covered = [userMessage(1, { turnId: 'T1' }), reply(2, 'so far', 'T1')];
    const stopped = ended(3, 'T1');
    const below = [stopped, userMessage(6, { turnId: 'T2' })];
    const ids = (messages: readonly Message[]) =>
      cutSegments(messages).map((segment) => segment.messages.map(({ seq }) => seq));
    expect(ids([...covered, aSummary(5, 2), ...below])).toEqual([[1, 2, 3], [6]]);
    // What is covered is not held: nothing is drawn of it either.
    expect(ids([aSummary(5, 2), ...below])).toEqual([[3], [6]]);
    expect(ids([...covered, aSummary(5, 2), reply(4, 'tail', 'T1'), stopped])).toEqual([
      [1, 2],
      [4, 3],
    ]);
    // A turn that began after it and failed at once says so.
    expect(ids([...covered, aSummary(5, 2), ended(6, 'T9')])).toEqual([[1, 2], [6]]);
  });
});
