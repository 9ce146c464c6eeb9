'use client';

import { Component, memo, type ReactNode } from 'react';
import { Button } from '../ui/button';
import { BoundaryCard } from './boundary-card';
import type { Block } from './build-turns';
import { BlockContext, type TranscriptBlockProps } from './chat-context';
import { copyText } from './copy-text';
import { ReplyBlock, sourceOf } from './reply-block';
import { TrimMark } from './trim-mark';
import { NoteLine } from './turn-end';
import { textOfUser, UserBlock } from './user-block';

function plainText(block: Block): string {
  if (block.kind === 'user') return textOfUser(block.message);
  if (block.kind === 'reply') return sourceOf(block.messages);
  return block.message.parts.map((part) => ('text' in part ? part.text : '')).join('\n');
}

type GuardProps = { readonly text: () => string; readonly children: ReactNode };
type GuardState = { readonly broken: boolean; readonly shown: boolean };

/** A message that cannot be drawn costs itself alone (ux 15). */
class BlockGuard extends Component<GuardProps, GuardState> {
  override state: GuardState = { broken: false, shown: false };
  static getDerivedStateFromError(): GuardState {
    return { broken: true, shown: false };
  }
  override render() {
    if (!this.state.broken) return this.props.children;
    return (
      <div className="turn-end" data-tone="danger">
        <div className="flex flex-wrap items-center gap-3">
          <p>This message could not be shown.</p>
          <Button look="link" size="small" onClick={() => this.setState({ broken: true, shown: true })}>
            Show as text
          </Button>
          <Button look="link" size="small" onClick={() => void copyText(this.props.text())}>
            Copy
          </Button>
          {this.state.shown ? <pre className="basis-full whitespace-pre-wrap">{this.props.text()}</pre> : null}
        </div>
      </div>
    );
  }
}

function drawBlock({ block, newest, covered, agentName }: TranscriptBlockProps): ReactNode {
  if (block.kind === 'user') return <UserBlock message={block.message} covered={covered} newest={newest} />;
  if (block.kind === 'reply')
    return <ReplyBlock block={block} newest={newest} covered={covered} agentName={agentName} />;
  if (block.kind === 'trim') return <TrimMark message={block.message} />;
  if (block.kind === 'summary') return <BoundaryCard message={block.message} />;
  if (block.message.metadata.turn && block.message.metadata.kind === 'turn_ended')
    return <ReplyBlock block={toEmptyReply(block)} newest={newest} covered={covered} agentName={agentName} />;
  return <NoteLine note={block.message} />;
}

/** A turn that ended before a word was said has no reply to stand under. */
function toEmptyReply({ key, message }: Extract<Block, { kind: 'note' }>): Extract<Block, { kind: 'reply' }> {
  const { turnId } = message.metadata;
  return { kind: 'reply', key, at: message.at, turnId, messages: [], pieces: [], live: false, ends: [message] };
}

/** One thing of the transcript, with the mark that jumps and the scroll controller find it by. */
export const TranscriptBlock = memo(function TranscriptBlock(props: TranscriptBlockProps) {
  const { block } = props;
  return (
    <div data-block={block.key} data-message-id={block.key} data-kind={block.kind} className="block-row">
      <BlockGuard text={() => plainText(block)}>
        <BlockContext value={TranscriptBlock}>{drawBlock(props)}</BlockContext>
      </BlockGuard>
    </div>
  );
});
