'use client';

import { ChevronDown, ChevronRight } from 'lucide-react';
import { memo, useId, useState } from 'react';
import type { AssistantMessage, Message } from '@/server/contract/message';
import type { Part } from '../sync/travel-actions';
import { Attachment } from './attachment';
import { BranchSwitch } from './branch-switch';
import type { Piece, ReplyBlock as Reply } from './build-turns';
import { Clock } from './clock';
import { Crossroads } from './crossroads';
import { Markdown } from './markdown';
import { MessageTools } from './message-tools';
import { StepsBox } from './steps-box';
import { TurnEnd } from './turn-end';

export type ReplyBlockProps = {
  readonly block: Reply;
  readonly newest: boolean;
  readonly covered: boolean;
  readonly agentName: string | null;
};

/** The exact source of everything the agent said in words here (case-E09). */
export function sourceOf(messages: readonly AssistantMessage[]): string {
  return messages
    .flatMap((message) => message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])))
    .join('\n\n');
}

function itemsOf({ messages, pieces }: Reply): readonly Message[] {
  const steps = pieces.flatMap((piece) => (piece.kind === 'steps' ? piece.steps : []));
  return [...messages, ...steps.flatMap(({ result }) => result ?? [])];
}

/** From its first message to its last item, as the model would read it. */
function coveredPart(block: Reply): { readonly part: Part; readonly bytes: number } | undefined {
  const items = itemsOf(block).toSorted((a, b) => a.seq - b.seq);
  const [first, last] = [items[0], items.at(-1)];
  if (!first || !last) return undefined;
  const bytes = items.reduce((sum, { metadata }) => {
    if ('viewBytes' in metadata) return sum + metadata.viewBytes;
    return 'bytes' in metadata ? sum + metadata.bytes : sum;
  }, 0);
  return { part: { from: first.id, through: last.id }, bytes };
}

/** Whose model another tool's file does not name. */
const unnamed = /^(unknown|<.*>)$/;

/**
 * By whom it is signed: replies that no turn of ours wrote came with an import, and are signed by their own model, never by
 * an agent that has not said them.
 */
function signatureOf({ messages, turnId }: Reply, agentName: string | null): { name: string; model: string | null } {
  const last = messages.at(-1);
  const name = agentName ?? 'Assistant';
  if (!last) return { name, model: null };
  const { model } = last.metadata.model;
  if (turnId !== null) return { name, model };
  return { name: unnamed.test(model) ? 'Another tool' : model, model: null };
}

export const ReplyBlock = memo(function ReplyBlock({ block, newest, covered, agentName }: ReplyBlockProps) {
  const last = block.messages.at(-1);
  const simulated = block.messages.some((message) => message.metadata.simulated);
  const { name, model } = signatureOf(block, agentName);
  return (
    <article className="reply" aria-label={`${name} replied`} data-covered={covered ? '' : undefined}>
      <Clock at={block.at} />
      <header className="flex min-h-5 flex-wrap items-baseline gap-x-2">
        <h3 className="title-3">{name}</h3>
        {model === null ? null : <span className="text-small text-ink-3">{model}</span>}
        {simulated ? <span className="practice-badge">practice model, not an AI</span> : null}
      </header>
      <div className="reply-parts">
        {block.pieces.map((piece) => (
          <PieceView key={piece.key} piece={piece} />
        ))}
        {block.live && block.pieces.length === 0 ? <Waiting /> : null}
      </div>
      {block.ends.map((note) => (
        <TurnEnd key={note.id} note={note} newest={newest} />
      ))}
      {block.live || !last ? null : (
        <>
          <MessageTools
            messageId={last.id}
            text={() => sourceOf(block.messages)}
            foldable={!covered}
            newest={newest}
            againFrom={block.messages[0]?.id}
            covered={covered ? coveredPart(block) : undefined}
          >
            {block.messages.map(({ id, metadata: { alternatives } }) =>
              alternatives ? <BranchSwitch key={id} id={id} alternatives={alternatives} /> : null,
            )}
          </MessageTools>
          <Crossroads messages={itemsOf(block)} />
        </>
      )}
    </article>
  );
});

/** Between the question and the first word: the one dot, with its word. */
export function Waiting() {
  return (
    <p className="flex items-center gap-2 text-ui text-ink-2">
      <span aria-hidden className="dot pulse" data-tone="live" />
      Replying…
    </p>
  );
}

const PieceView = memo(function PieceView({ piece }: { readonly piece: Piece }) {
  if (piece.kind === 'text') {
    return (
      <div className="prose">
        <Markdown text={piece.text} live={piece.live} />
      </div>
    );
  }
  if (piece.kind === 'reasoning') return <Reasoning text={piece.text} live={piece.live} />;
  if (piece.kind === 'steps') return <StepsBox steps={piece.steps} />;
  const { part } = piece;
  return <Attachment name={part.name ?? 'image'} bytes={part.bytes} url={part.url} kind={part.type} />;
});

/** Collapsed; while it is being written its first line shows what it is about. */
function Reasoning({ text, live }: { readonly text: string; readonly live: boolean }) {
  const [open, setOpen] = useState(false);
  const bodyId = useId();
  const Chevron = open ? ChevronDown : ChevronRight;
  const preview = text.trim().split('\n')[0] ?? '';
  return (
    <div>
      <button
        type="button"
        className="reasoning-head"
        aria-expanded={open}
        aria-controls={bodyId}
        onClick={() => setOpen(!open)}
      >
        <Chevron aria-hidden size={16} strokeWidth={1.75} className="shrink-0" />
        <span className="shrink-0">{live ? 'Thinking…' : 'Thought about it'}</span>
        {live && !open ? <span className="min-w-0 truncate text-ink-3">{preview}</span> : null}
      </button>
      {open ? (
        <div id={bodyId} className="reasoning-body prose">
          <Markdown text={text} live={live} />
        </div>
      ) : null}
    </div>
  );
}
