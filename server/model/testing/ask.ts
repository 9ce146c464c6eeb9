import { expect } from 'vitest';
import type { ViewMessage } from '@/server/core/projection/view-message';
import type { ModelEndPart, ModelPart, ModelPort, ModelRequest, ProviderKind } from '@/server/ports/model';
import { type LearntMemory, type ProviderConnection, toConnection } from '../connection';
import { createSdkModel } from '../sdk-model';
import type { StartTimer } from '../stall-guard';
import type { FakeServer } from './fake-server';
import { createLearntMemory } from './learnt-memory';

/** A user's text as an entry. */
export function userSays(text: string): ViewMessage {
  return { role: 'user', parts: [{ type: 'text', text }] };
}

/** A small request to `model`; every field may be set. */
export function toRequest(fields: Partial<ModelRequest> & Pick<ModelRequest, 'model'>): ModelRequest {
  return {
    system: 'You help.',
    tools: [],
    entries: [userSays('Say hello.')],
    measureBytes: 1_000,
    bytesPerToken: 2,
    ceilingTokens: null,
    turnFrom: null,
    cacheAfter: null,
    reasoning: 'default',
    imageData: () => null,
    ...fields,
  };
}

/** Timers a test fires by hand. */
export interface HandTimers {
  readonly startTimer: StartTimer;
  readonly running: () => readonly number[];
  readonly fire: (ms: number) => void;
}

export function createHandTimers(): HandTimers {
  const timers = new Map<symbol, { ms: number; fire: () => void }>();
  return {
    startTimer: (ms, fire) => {
      const id = Symbol(ms);
      timers.set(id, { ms, fire });
      return () => timers.delete(id);
    },
    running: () => [...timers.values()].map((timer) => timer.ms),
    fire: (ms) => {
      for (const [id, timer] of timers) {
        if (timer.ms !== ms) continue;
        timers.delete(id);
        timer.fire();
      }
    },
  };
}

/** The real adapter in front of a fake server. */
export function connectTo(
  server: Pick<FakeServer, 'baseUrl'>,
  more: Partial<ProviderConnection> & {
    readonly kind: ProviderKind;
    readonly memory?: LearntMemory;
    readonly timers?: HandTimers;
  },
): ModelPort {
  const { memory, timers, ...facts } = more;
  const connection = toConnection({ id: 'p', apiKey: 'sk-test-key-1234', ...facts, baseUrl: server.baseUrl });
  return createSdkModel({
    connection: (id) => (id === connection.id ? connection : null),
    memory: memory ?? createLearntMemory(),
    fetch: (input, init) => fetch(input, init),
    embeddedFetch: () => Promise.reject(new Error('no embedded provider in this test')),
    startTimer: (timers ?? createHandTimers()).startTimer,
    nowMs: () => Date.parse('2026-11-30T00:00:00Z'),
    stallMs: () => 1_000,
  });
}

export interface Reply {
  readonly text: string;
  readonly reasoning: string;
  readonly parts: readonly ModelPart[];
  readonly calls: readonly Extract<ModelPart, { type: 'tool_call' }>[];
  readonly artifacts: readonly Extract<ModelPart, { type: 'artifact' }>[];
  readonly end: ModelEndPart;
}

/** Reads a stream to its end and checks that the end came once, and last. */
export async function readReply(stream: AsyncIterable<ModelPart>): Promise<Reply> {
  const all: ModelPart[] = [];
  for await (const part of stream) all.push(part);
  const ends = all.filter((part) => part.type === 'end');
  expect(ends).toHaveLength(1);
  const end = ends[0];
  if (end === undefined || all.at(-1) !== end) throw new Error('the end part was not the last one');
  const textOf = (type: 'text' | 'reasoning') => all.map((part) => (part.type === type ? part.text : '')).join('');
  return {
    text: textOf('text'),
    reasoning: textOf('reasoning'),
    parts: all.slice(0, -1),
    calls: all.filter((part) => part.type === 'tool_call'),
    artifacts: all.filter((part) => part.type === 'artifact'),
    end,
  };
}
