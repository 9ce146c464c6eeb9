import { z } from 'zod';
import { maxStreamSessions } from '@/server/contract/cursor';
import { idSchema } from '@/server/contract/ids';
import { streamEventSchema } from '@/server/contract/stream';
import { type EventStream, openEventStream } from './event-stream';
import type { StreamMessage } from './event-stream-parse';
import { beatMs, type Channel, type Election, electByBeats, electByLock } from './leader-tab';

export type StreamState = 'connecting' | 'open' | 'lost' | 'signed_out';

/** What tabs say to each other. Another tab may run another build, so it is parsed like anything from outside. */
const tabMessageSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('follow'),
    tabId: z.string(),
    sessions: z.array(z.object({ sessionId: idSchema, after: z.number().nullable() })),
    /** A conversation or a running text must come again from its place. */
    again: z.boolean(),
  }),
  z.object({ kind: z.literal('leaving'), tabId: z.string() }),
  z.object({ kind: z.literal('who') }),
  z.object({ kind: z.literal('state'), state: z.enum(['connecting', 'open', 'lost', 'signed_out']) }),
  z.object({ kind: z.literal('resync') }),
  z.object({
    kind: z.literal('message'),
    event: streamEventSchema,
    cursor: z.object({ sessionId: idSchema, seq: z.number() }).nullable(),
  }),
]);
type TabMessage = z.infer<typeof tabMessageSchema>;

export interface TabListener {
  readonly onMessage: (message: StreamMessage) => void;
  readonly onState: (state: StreamState) => void;
  readonly onResync: () => void;
}

export interface TabStream {
  /** Follow a conversation after its line `after`; null: from now on. Gives the way to stop. */
  readonly follow: (sessionId: string, after: number | null) => () => void;
  readonly reconnect: () => void;
  readonly close: () => void;
}

export interface TabStreamOptions {
  readonly tabId: string;
  readonly listener: TabListener;
  readonly channel: Channel | null;
  readonly locks: LockManager | null;
  readonly fetch: typeof fetch;
  readonly random: () => number;
  readonly now: () => number;
}

type Wanted = ReadonlyMap<string, number | null>;

function mergeWanted(all: Iterable<Wanted>): Map<string, number | null> {
  const merged = new Map<string, number | null>();
  for (const wanted of all) {
    for (const [sessionId, after] of wanted) {
      const held = merged.get(sessionId);
      merged.set(sessionId, held === undefined || held === null ? after : Math.min(held, after ?? held));
    }
  }
  return new Map([...merged].slice(-maxStreamSessions));
}

/** The leader's half: the one connection, for the wishes of every tab. */
function createLeader(options: TabStreamOptions, say: (message: TabMessage) => void) {
  const tabs = new Map<string, Wanted>();
  let stream: EventStream | null = null;
  const listener: TabListener = {
    onMessage: ({ event, cursor }) => say({ kind: 'message', event, cursor }),
    onState: (state) => say({ kind: 'state', state }),
    onResync: () => say({ kind: 'resync' }),
  };
  return {
    leads: () => stream !== null,
    start() {
      stream ??= openEventStream({ listener, fetch: options.fetch, random: options.random });
      say({ kind: 'who' });
      stream.follow(mergeWanted(tabs.values()));
    },
    want(tabId: string, wanted: Wanted, again: boolean) {
      const fresh = [...wanted.keys()].some((sessionId) => !tabs.get(tabId)?.has(sessionId));
      tabs.set(tabId, wanted);
      stream?.follow(mergeWanted(tabs.values()));
      if (again || fresh) stream?.reconnect();
    },
    drop(tabId: string) {
      tabs.delete(tabId);
      stream?.follow(mergeWanted(tabs.values()));
    },
    stop() {
      stream?.close();
      stream = null;
    },
  };
}

function elect(options: TabStreamOptions, onLead: () => void, onYield: () => void): Election {
  const { channel, locks, tabId, now } = options;
  if (channel === null) {
    onLead();
    return { leave: () => undefined };
  }
  if (locks) return electByLock(locks, { tabId, onLead, onYield });
  const every = (run: () => void) => {
    const timer = setInterval(run, beatMs);
    return () => clearInterval(timer);
  };
  return electByBeats(channel, { tabId, onLead, onYield, now, every });
}

/** This tab's share of the browser's stream, whether it leads or listens. */
export function openTabStream(options: TabStreamOptions): TabStream {
  const { tabId, listener, channel } = options;
  const wanted = new Map<string, number | null>();

  const hear = (message: TabMessage, fromOther: boolean) => {
    if (message.kind === 'message') listener.onMessage(message);
    else if (message.kind === 'state') listener.onState(message.state);
    else if (message.kind === 'resync') listener.onResync();
    else if (message.kind === 'who' && fromOther) tell(false);
    else if (message.kind === 'follow') leader.want(message.tabId, toWanted(message), message.again);
    else if (message.kind === 'leaving') leader.drop(message.tabId);
  };
  const say = (message: TabMessage) => {
    channel?.post(message);
    hear(message, false);
  };
  const leader = createLeader(options, say);
  const tell = (again: boolean) => {
    const sessions = [...wanted].map(([sessionId, after]) => ({ sessionId, after }));
    say({ kind: 'follow', tabId, sessions, again });
  };
  const stopListening = channel?.listen((raw) => {
    const parsed = tabMessageSchema.safeParse(raw);
    if (parsed.success) hear(parsed.data, true);
  });
  const election = elect(options, leader.start, leader.stop);
  return {
    follow(sessionId, after) {
      wanted.set(sessionId, after);
      tell(false);
      return () => {
        wanted.delete(sessionId);
        tell(false);
      };
    },
    reconnect: () => tell(true),
    close() {
      say({ kind: 'leaving', tabId });
      election.leave();
      leader.stop();
      stopListening?.();
    },
  };
}

function toWanted(message: { sessions: readonly { sessionId: string; after: number | null }[] }): Wanted {
  return new Map(message.sessions.map(({ sessionId, after }) => [sessionId, after]));
}
