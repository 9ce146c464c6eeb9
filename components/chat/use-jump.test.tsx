import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { describe, expect, it } from 'vitest';
import { AppError } from '@/server/contract/error';
import type { Message } from '@/server/contract/message';
import type { ItemPlace } from '@/server/contract/search';
import type { Session } from '@/server/contract/session';
import type { callApi } from '../sync/api-client';
import { createChatStore } from '../sync/chat-store';
import { foldPage, foldSession } from '../sync/fold-stream';
import { idOf, reply, userMessage } from '../sync/fold-stream-arbitraries';
import { aSession } from '../sync/testing/a-session';
import { createTravelActions, type TravelActions } from '../sync/travel-actions';
import { ElsewhereSlot } from './elsewhere-slot';
import { TravelContext, useTravel } from './travel-context';
import { useFolds } from './use-folds';
import { type JumpOptions, useJump } from './use-jump';

const at = '2026-11-20T08:00:00.000Z';
const [first, second] = [userMessage(1), reply(2, 'Aye', 'T1')];
const left = userMessage(5);

function aPlace(changes: Partial<ItemPlace> = {}): ItemPlace {
  return {
    itemId: left.id,
    kind: 'user',
    at,
    snippet: 'an abandoned cassowary',
    onPath: false,
    tip: idOf(6),
    ...changes,
  };
}

type PageProps = {
  readonly jump: Pick<JumpOptions, 'store' | 'loadBefore' | 'readPlace' | 'tell'> & {
    readonly travel: TravelActions | null;
  };
  readonly scroll: Pick<JumpOptions['scroll'], 'show'>;
  readonly actors: { jumpTo: (id: string) => void };
  readonly blocked: string | null;
};

function Page({ jump, scroll: { show }, actors, blocked }: PageProps) {
  const { messages, headMovedSeq } = useSyncExternalStore(jump.store.subscribe, jump.store.get);
  const folds = useFolds();
  const contentRef = useRef<HTMLDivElement>(null);
  const scope = { ...useTravel(), blocked, travel: jump.travel };
  const { jumpTo, ...elsewhere } = useJump({ ...jump, messages, headMovedSeq, folds, scroll: { contentRef, show } });
  useEffect(() => {
    actors.jumpTo = jumpTo;
  }, [actors, jumpTo]);
  const { elsewhere: place } = elsewhere;
  return (
    <TravelContext value={scope}>
      <div ref={contentRef}>
        {messages.map(({ id }) => (
          <div key={id} data-block={id} />
        ))}
      </div>
      {place ? <ElsewhereSlot {...elsewhere} place={place} /> : null}
    </TravelContext>
  );
}

type Answer = (path: string, body: unknown) => Promise<Session>;

/** A conversation on the page, drawn as blocks alone, in which somebody wants to go somewhere. */
function draw(parts: {
  readonly hasBefore?: boolean;
  readonly older?: readonly Message[];
  readonly place?: () => Promise<ItemPlace>;
  /** What the server says to a revert; without it nothing can be changed here. */
  readonly revert?: Answer;
  readonly blocked?: string;
}) {
  const store = createChatStore('s', () => () => undefined);
  const holds = (messages: readonly Message[], hasBefore = false) =>
    store.change((state) =>
      foldPage(state, { page: { messages: [...messages], hasBefore, hasAfter: false }, at: 'newest', replace: true }),
    );
  holds([first, second], parts.hasBefore);
  const told: (string | null)[] = [];
  const asked: [string, unknown][] = [];
  const loadBefore = async () => {
    const page = { messages: [...(parts.older ?? [])], hasBefore: false, hasAfter: false };
    store.change((state) => foldPage(state, { page, at: 'before' }));
  };
  const readPlace = parts.place ?? (async () => aPlace());
  const { revert } = parts;
  const call: typeof callApi = async (path, { schema, body }) => {
    asked.push([path, body]);
    return schema.parse(await revert?.(path, body));
  };
  const nothing = async () => undefined;
  const travel = revert ? createTravelActions({ sessionId: 's', call, moved: () => undefined, reread: nothing }) : null;
  const shown: string[] = [];
  const actors = { jumpTo: (_: string): void => undefined };
  const scroll = { show: (element: HTMLElement) => void shown.push(element.dataset.block ?? '') };
  const jump = { store, loadBefore, readPlace, travel, tell: (text: string | null) => void told.push(text) };
  render(<Page {...{ jump, scroll, actors }} blocked={parts.blocked ?? null} />);
  const go = (id: string) => act(async () => actors.jumpTo(id));
  const newest = () => told.at(-1);
  return { go, holds, newest, shown, asked, store };
}

const slot = () => screen.queryByRole('region', { name: 'On a branch you left' });
const focused = () =>
  document.activeElement instanceof HTMLElement ? document.activeElement.dataset.block : undefined;

describe('going to a message (ux 14, ux 16)', () => {
  it('X9: what is held is shown and has the focus, so that keys go on from there', async () => {
    const page = draw({});
    await page.go(first.id);
    expect(page.shown).toEqual([first.id]);
    expect(focused()).toBe(first.id);
    expect(page.newest()).toBeNull();
  });

  it('X9: further up on the same path, pages are read until it is there', async () => {
    const older = userMessage(0);
    const page = draw({
      hasBefore: true,
      older: [older],
      place: async () => aPlace({ itemId: older.id, onPath: true }),
    });
    await page.go(older.id);
    await waitFor(() => expect(focused()).toBe(older.id));
    expect(slot()).toBeNull();
  });

  it('X9, case-C07: on a branch that was left it is told with the way there, which Enter goes', async () => {
    const page = draw({ hasBefore: true, older: [userMessage(0)], revert: async () => aSession({ headMovedSeq: 7 }) });
    await page.go(left.id);
    expect(slot()).toHaveTextContent('This is on a branch you left.');
    expect(slot()).toHaveTextContent('an abandoned cassowary');
    expect(screen.getByRole('button', { name: 'Go there' })).toHaveFocus();
    expect(screen.getByRole('button', { name: 'Go there' })).toHaveAccessibleDescription(/abandoned cassowary/);
    await userEvent.keyboard('{Enter}');
    expect(page.asked).toEqual([['/agent-sessions/s/revert', { itemId: idOf(6) }]]);
    // Not before the transcript is that of the branch, and no page of the other one is read in vain.
    expect(page.shown).toEqual([]);
    expect(page.store.get().hasBefore).toBe(true);
    await act(async () => {
      page.holds([first, second, left, reply(6, 'So it is', 'T2')]);
      page.store.change((state) => foldSession(state, aSession({ headMovedSeq: 7 })));
    });
    await waitFor(() => expect(focused()).toBe(left.id));
    expect(slot()).toBeNull();
  });

  it('X9: a refusal is said in place, and the way stays; what runs is said without asking', async () => {
    const refused = new AppError('conflict', 'A reply runs. Stop it, or wait for its end.');
    const page = draw({ revert: () => Promise.reject(refused) });
    await page.go(left.id);
    await userEvent.keyboard('{Enter}');
    expect(await screen.findByRole('alert')).toHaveTextContent('A reply runs.');
    expect(screen.getByRole('button', { name: 'Go there' })).toBeVisible();
    await userEvent.keyboard('{Escape}');
    expect(slot()).toBeNull();
  });

  it('X9: while something runs the reason is given and nothing is sent', async () => {
    const page = draw({ revert: async () => aSession(), blocked: 'A compaction runs.' });
    await page.go(left.id);
    await userEvent.keyboard('{Enter}');
    expect(await screen.findByRole('alert')).toHaveTextContent('A compaction runs.');
    expect(page.asked).toEqual([]);
  });

  it('X9: where nothing can be changed it is still told how it begins', async () => {
    const page = draw({});
    await page.go(left.id);
    expect(slot()).toHaveTextContent('an abandoned cassowary');
    expect(screen.queryByRole('button', { name: 'Go there' })).toBeNull();
    await page.go(first.id);
    expect(slot()).toBeNull();
  });

  it('X9: what is nowhere in this conversation is said, and so is a server that does not answer', async () => {
    const problems = [
      new AppError('not_found', 'No such message.'),
      new AppError('unavailable', 'The server did not answer.'),
    ];
    const page = draw({ place: () => Promise.reject(problems.shift()) });
    await page.go(left.id);
    expect(page.newest()).toBe('That message is not in this conversation.');
    await page.go(left.id);
    expect(page.newest()).toContain('did not answer');
  });
});
