'use client';

import { useQueryClient } from '@tanstack/react-query';
import { memo, type RefObject, useMemo, useState } from 'react';
import { type Session, sessionSchema } from '@/server/contract/session';
import type { Model } from '@/server/contract/shapes';
import { useShell } from '../shell/shell-context';
import type { ChatActions } from '../sync/actions';
import { callApi, toMessage } from '../sync/api-client';
import type { ChatStore } from '../sync/chat-store';
import type { ChatState } from '../sync/fold-stream';
import { isLive } from '../sync/fold-stream-compaction';
import { sessionQuery } from '../sync/queries';
import { Composer, type ComposerHandle } from './composer';
import { ContextMeter } from './context-meter';
import { ModelButton } from './model-button';
import { type CommandTargets, useCommands } from './use-commands';
import { textOfUser } from './user-block';

export type ChatComposerProps = {
  readonly session: Session;
  readonly store: ChatStore;
  readonly actions: ChatActions;
  readonly busy: 'replying' | 'compacting' | null;
  readonly stopping: boolean;
  readonly handle: RefObject<ComposerHandle | null>;
  readonly targets: Omit<CommandTargets, 'openHelp'>;
  readonly pickingModel: boolean;
  readonly onPickModel: (open: boolean) => void;
};

export function busyWith(state: ChatState): 'replying' | 'compacting' | null {
  if (isLive(state.compaction) && state.turn?.state !== 'started') return 'compacting';
  return state.turn?.state === 'started' ? 'replying' : null;
}

function lastSent(state: ChatState): string | null {
  const last = state.messages.findLast((message) => message.role === 'user' && message.metadata.kind === 'person');
  return last?.role === 'user' ? textOfUser(last) : null;
}

async function stopAndSend(actions: ChatActions, text: string, clientMessageId: string) {
  // Sent first: if stopping fails, the words are safe in the queue.
  const outcome = await actions.send(text, clientMessageId);
  if (outcome.ok) await actions.cancel('turn');
  return outcome;
}

/**
 * The composer of a conversation: its draft, its commands, its model, its meter. It is drawn anew by what it shows and
 * never by a word of a reply, so typing does not wait for streaming (ux 1.5).
 */
export const ChatComposer = memo(function ChatComposer(props: ChatComposerProps) {
  const { session, store, actions, busy, stopping, handle, targets, pickingModel, onPickModel } = props;
  const { openHelp } = useShell();
  const client = useQueryClient();
  const [refused, setRefused] = useState<string | null>(null);
  const allTargets = useMemo(() => ({ ...targets, openHelp }), [targets, openHelp]);
  const commands = useCommands(allTargets, openHelp);
  const server = useMemo(() => ({ read: actions.readDraft, save: actions.saveDraft }), [actions]);
  const chooseModel = async (model: Model) => {
    try {
      const body = { model: { provider: model.provider, model: model.model } };
      const answer = await callApi(`/agent-sessions/${session.id}`, { method: 'PATCH', body, schema: sessionSchema });
      client.setQueryData(sessionQuery(session.id).queryKey, answer);
      setRefused(null);
    } catch (thrown) {
      setRefused(toMessage(thrown));
    }
  };
  const reason = session.readOnly ? session.readOnly.text : session.model === null ? 'Choose a model first' : null;
  return (
    <>
      {refused ? (
        <p role="alert" className="text-small text-danger">
          {refused}
        </p>
      ) : null}
      <Composer
        key={session.id}
        draftKey={session.id}
        server={server}
        handle={handle}
        placeholder={`Message ${session.agentName ?? 'the agent'}, or / for commands`}
        commands={commands}
        busy={busy}
        stopping={stopping}
        reason={reason}
        onSend={actions.send}
        onStop={() => void actions.cancel(busy === 'compacting' ? 'compaction' : 'turn')}
        onStopAndSend={(text, id) => stopAndSend(actions, text, id)}
        lastSent={() => lastSent(store.get())}
        tools={
          <ModelButton
            model={session.model}
            open={pickingModel}
            onOpenChange={onPickModel}
            onChoose={(model) => void chooseModel(model)}
          />
        }
        meter={<ContextMeter meter={session.context} onOpen={() => targets.openDesk('context')} />}
      />
    </>
  );
});
