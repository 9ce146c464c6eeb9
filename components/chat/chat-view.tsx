'use client';

import { ArrowDown } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import type { SummaryMessage } from '@/server/contract/message';
import type { Session } from '@/server/contract/session';
import { DeskPanel } from '../desk/desk-panel';
import type { DeskTab } from '../desk/desk-tab';
import { useSessionActions } from '../sessions/use-session-actions';
import { useShell } from '../shell/shell-context';
import type { ChatSession } from '../sync/chat-store-session';
import { useBrowserStream } from '../sync/event-stream-provider';
import { isLive } from '../sync/fold-stream-compaction';
import { busyWith, ChatComposer } from './chat-composer';
import { ChatContext, type ChatScope } from './chat-context';
import { ChatHeader, downloadConversation } from './chat-header';
import { wordStatus } from './chat-status';
import { CompactionNotes } from './compaction-notes';
import type { ComposerHandle } from './composer';
import { EmptyChat } from './empty-chat';
import { QueueChips } from './queue-chips';
import { StatusSlot } from './status-slot';
import { tellFootHeight } from './tell-foot-height';
import { Transcript } from './transcript';
import { TravelContext } from './travel-context';
import { TurnNavigator } from './turn-navigator';
import { useAnchorOnSend, useDeepLink, useOpenOwnFold } from './use-arrivals';
import { useCompactingMark } from './use-compacting-mark';
import { useCoveredPlace } from './use-covered-place';
import { useEarlierSummary } from './use-earlier-summary';
import { useFolds } from './use-folds';
import { useJump } from './use-jump';
import { useOnline } from './use-online';
import { usePaletteCommands } from './use-palette-commands';
import { useScrollController } from './use-scroll-controller';
import { useSpokenLines } from './use-spoken-lines';
import { useTranscriptKeys } from './use-transcript-keys';
import { useTravelCommands } from './use-travel-commands';
import { useTravelScope } from './use-travel-scope';

export type ChatViewProps = { readonly session: Session; readonly chat: ChatSession };

/** A conversation that has been read: header, transcript, slot, waiting messages, composer, Desk. */
export function ChatView({ session, chat }: ChatViewProps) {
  const { state, store, actions, loadBefore } = chat;
  const shell = useShell();
  const { setDeskOpen } = shell;
  const { state: stream } = useBrowserStream();
  const online = useOnline();
  const scroll = useScrollController({ ready: state.loaded, storageKey: `tidemark_place:${session.id}` });
  const { toEnd } = scroll;
  const folds = useCoveredPlace(useFolds(), scroll);
  const sessionActions = useSessionActions();
  const { scope: travelScope, problem: travelProblem } = useTravelScope({ session, chat, scroll });
  const { jumpTo, ...elsewhere } = useJump({
    store,
    messages: state.messages,
    headMovedSeq: state.headMovedSeq,
    folds,
    scroll,
    loadBefore,
    readPlace: chat.readPlace,
    travel: travelScope.travel,
    tell: travelScope.tell,
  });
  const toEarlierSummary = useEarlierSummary(chat, jumpTo);
  const composer = useRef<ComposerHandle>(null);
  const [renaming, setRenaming] = useState(false);
  const [pickingModel, setPickingModel] = useState(false);
  const [tab, setTab] = useState<DeskTab>('plan');
  useSpokenLines(state);
  useCompactingMark(session, state.compaction, state.turn?.state === 'started');
  useTranscriptKeys({ view: scroll.viewRef, composer, toEnd, rename: () => setRenaming(true) });

  const scope = useMemo<ChatScope>(
    () => ({
      sessionId: session.id,
      actions: session.readOnly ? null : actions,
      compact: (focus) => {
        const asked = actions.compact(focus === undefined || focus === '' ? {} : { focus });
        // The second click only leads to the row of the first (ux 7.4).
        if (asked === 'already') jumpTo('compaction');
        else toEnd();
      },
      jumpTo,
      openDesk: (panel) => {
        setTab(panel);
        setDeskOpen(true);
      },
      openModelPicker: () => setPickingModel(true),
      putInComposer: (text) => composer.current?.insert(text),
    }),
    [session.id, session.readOnly, actions, jumpTo, toEnd, setDeskOpen],
  );
  const commands = useTravelCommands(session, travelScope);
  const compacting = isLive(state.compaction);
  const targets = useMemo(
    () => ({
      ...commands,
      compact: scope.compact,
      compacting,
      rename: (title: string) => (title === '' ? setRenaming(true) : sessionActions.rename(session, title)),
      exportLog: () => downloadConversation(session.id, 'jsonl'),
      archive: () => sessionActions.toggleArchive([session]),
      openDesk: scope.openDesk,
      openModelPicker: () => setPickingModel(true),
    }),
    [scope, session, sessionActions, commands, compacting],
  );
  usePaletteCommands({ session, messages: state.messages, targets, travel: travelScope });
  useAnchorOnSend(state, scroll);
  useOpenOwnFold(state, { open: folds.open, rest: scroll.rest });
  useDeepLink({ jumpTo, openFold: folds.open, openDesk: targets.openDesk });
  const summaries = useMemo(
    () =>
      state.messages.filter(
        (message): message is SummaryMessage => message.role === 'summary' && !message.metadata.reverted,
      ),
    [state.messages],
  );
  return (
    <ChatContext value={scope}>
      <TravelContext value={travelScope}>
        <ChatHeader
          session={session}
          status={wordStatus(state, stream, online)}
          summaries={summaries}
          onEarlierSummary={toEarlierSummary}
          renaming={renaming}
          onRename={setRenaming}
          actions={sessionActions}
        />
        <div className="chat-body">
          <section
            ref={scroll.viewRef}
            className="chat-scroll"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable to be scrolled by keys.
            tabIndex={0}
            aria-label="Transcript"
            data-transcript=""
          >
            <div ref={scroll.contentRef} className="sheet">
              {session.practice && hasPracticed(state, session) ? <PracticeNote /> : null}
              {isEmpty(state) ? <EmptyChat session={session} onOpener={scope.putInComposer} /> : null}
              <Transcript state={state} folds={folds} agentName={session.agentName} loadBefore={loadBefore} />
            </div>
            <div ref={scroll.spacerRef} aria-hidden />
          </section>
          <TurnNavigator messages={state.messages} />
          <CompactionNotes notes={state.notes} />
          {scroll.mode === 'free' || scroll.below ? <ToEnd state={state} onClick={scroll.toEnd} /> : null}
        </div>
        <div ref={tellFootHeight} className="chat-foot">
          <StatusSlot
            session={session}
            compaction={state.compaction}
            notices={state.notices}
            replying={state.turn?.state === 'started'}
            messages={state.messages}
            travelProblem={travelProblem}
            {...elsewhere}
          />
          <QueueChips messages={state.messages} outbox={state.outbox} />
          <ChatComposer
            session={session}
            store={store}
            actions={actions}
            busy={busyWith(state)}
            stopping={state.turn?.stopping ?? false}
            handle={composer}
            targets={targets}
            pickingModel={pickingModel}
            onPickModel={setPickingModel}
          />
        </div>
        <DeskPanel session={session} tab={tab} onTab={setTab} onJump={jumpTo} />
      </TravelContext>
    </ChatContext>
  );
}

function isEmpty({ messages, outbox, running }: ChatSession['state']): boolean {
  return messages.length === 0 && outbox.length === 0 && running === null;
}

/** Replies that came with an import are no practice: there the note waits for the first that is. */
function hasPracticed({ messages, running }: ChatSession['state'], { imported }: Session): boolean {
  return (
    !imported || running !== null || messages.some((one) => one.role === 'assistant' && one.metadata.simulated === true)
  );
}

/** Always said where the practice model answers (N2). */
function PracticeNote() {
  return (
    <p className="practice-note">
      <span className="practice-badge">practice model, not an AI</span> It follows written rules, so you can try
      compaction without a key.
    </p>
  );
}

/** What has come since the reader went up. */
function ToEnd({ state, onClick }: { readonly state: ChatSession['state']; readonly onClick: () => void }) {
  const [from] = useState(state.messages.length);
  const fresh = Math.max(0, state.messages.length - from);
  const words = fresh > 0 ? `${fresh} new` : state.running ? 'New reply below' : 'To the end';
  return (
    <button type="button" className="to-end" onClick={onClick}>
      <ArrowDown aria-hidden size={14} strokeWidth={1.75} />
      {words}
    </button>
  );
}
