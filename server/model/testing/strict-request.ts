import { isRecord } from '@/server/contract/is-record';
import { asObject } from '../error-facts';
import type { FakePart, FakeReply } from './script';

/** A value of a parsed body, taken as the object it should be. */
export type Fields = Readonly<Record<string, unknown>>;

/** What a server that refuses looks at: the request as it came, and what this server has said and can hold. */
export interface StrictCall {
  readonly body: Fields;
  readonly text: string;
  readonly bytes: number;
  readonly model: string;
  readonly limits: ServerLimits;
  readonly wasIssued: (signature: string, said?: string) => boolean;
}

/** Limits of the model behind a fake, in tokens; null: none. `strictTemplate`: a chat template that ignores tool turns. */
export interface ServerLimits {
  readonly windowTokens: number | null;
  readonly maxOutputTokens: number | null;
  readonly strictTemplate: boolean;
}

export const NO_LIMITS: ServerLimits = { windowTokens: null, maxOutputTokens: null, strictTemplate: false };

/** One thing a real server refuses: where that was seen, when, and in which words it says so. */
export interface Refusal {
  readonly id: string;
  readonly source: string;
  /** Day of the report or of the page, as `yyyy-mm-dd`. */
  readonly seen: string;
  readonly status?: number;
  readonly code?: string;
  /** The server's words where it refuses this request, else null. */
  readonly find: (call: StrictCall) => string | null;
}

/** Bytes of a body that are one token for every fake: what it counts as usage and holds against its window. */
export const FAKE_BYTES_A_TOKEN = 3;
const IMAGE_TOKENS = 1_600;
const IMAGE_DATA = /"(?:data:image\/[a-z]+;base64,)?[A-Za-z0-9+/]{400,}={0,2}"/g;

/** Tokens of a body as a fake counts them: image data is a fixed number, however large. */
export function countFakeTokens(text: string): number {
  const images = text.match(IMAGE_DATA)?.length ?? 0;
  const plain = images === 0 ? text : text.replace(IMAGE_DATA, '""');
  return Math.ceil(Buffer.byteLength(plain) / FAKE_BYTES_A_TOKEN) + images * IMAGE_TOKENS;
}

/** The objects of a list; what is none becomes an empty one. */
export function toObjects(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(asObject) : [];
}

export function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The first words of a walk, or null when nobody objects. */
export function firstOf<T>(list: readonly T[], find: (entry: T, at: number) => string | null): string | null {
  for (const [at, entry] of list.entries()) {
    const words = find(entry, at);
    if (words !== null) return words;
  }
  return null;
}

/** True for the JSON text of an object, which is what call arguments must be. */
export function isObjectJson(text: unknown): boolean {
  if (typeof text !== 'string') return false;
  try {
    return isRecord(JSON.parse(text));
  } catch {
    return false;
  }
}

/** Signatures a fake has given out, each with its model and the text it signs. */
export interface IssuedBook {
  readonly note: (model: string, parts: readonly FakePart[]) => void;
  readonly issue: (model: string, signature: string, said?: string) => void;
  readonly wasIssued: (model: string, signature: string, said?: string) => boolean;
}

export function createIssuedBook(): IssuedBook {
  const issued = new Map<string, Set<string | null>>();
  const keyOf = (model: string, signature: string) => JSON.stringify([model, signature]);
  const issue: IssuedBook['issue'] = (model, signature, said) => {
    const key = keyOf(model, signature);
    issued.set(key, (issued.get(key) ?? new Set()).add(said ?? null));
  };
  return {
    issue,
    note: (model, parts) => {
      for (const part of parts) {
        if ('redacted' in part) issue(model, part.redacted);
        else if ('call' in part && part.call.signature !== undefined) issue(model, part.call.signature);
        else if ('reasoning' in part && part.signature !== undefined) issue(model, part.signature, part.reasoning);
        else if ('text' in part && part.signature !== undefined) issue(model, part.signature);
      }
    },
    wasIssued: (model, signature, said) => {
      const texts = issued.get(keyOf(model, signature));
      return texts !== undefined && (said === undefined || texts.has(said) || texts.has(null));
    },
  };
}

/** What every server does with a body that is no text: a lone surrogate, written as an escape, is no JSON string. */
export const LONE_SURROGATE: Refusal = {
  id: 'lone_surrogate',
  source: 'https://github.com/anthropics/claude-code/issues/6508',
  seen: '2025-08-25',
  find: ({ text }) =>
    /(?<!\\)(?:\\\\)*\\ud(?:[89ab][0-9a-f]{2}(?!\\ud[c-f])|[c-f][0-9a-f]{2})/i.test(
      text.replace(/\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}/gi, ''),
    )
      ? 'The request body is not valid JSON: no low surrogate in string: line 1 column 37589 (char 37588)'
      : null,
};

/** The first rule of a list that the request breaks, with the words; null: the server takes it. */
export function findRefusal(
  refusals: readonly Refusal[],
  call: StrictCall,
): { readonly refusal: Refusal; readonly words: string } | null {
  for (const refusal of refusals) {
    const words = refusal.find(call);
    if (words !== null) return { refusal, words };
  }
  return null;
}

/** A refused request, kept so that a test can say which rule it broke. */
export interface Refused {
  readonly id: string;
  readonly words: string;
  readonly text: string;
}

/** How a protocol writes an error, and where it names the model. */
export interface StrictProtocol {
  readonly refusals: readonly Refusal[];
  readonly modelOf: (request: { readonly path: string; readonly body: Fields }) => string;
  readonly toError: (refusal: Refusal, words: string) => FakeReply;
}
