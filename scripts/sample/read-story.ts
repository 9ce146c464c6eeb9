import { z } from 'zod';

/** A call as the story tells it; `label` names its result, so that a later summary can say its item number. */
export interface StoryCall {
  readonly name: string;
  /** JSON text; `{#label}` in it stands for an item number. */
  readonly args: string;
  readonly label: string | null;
}

/** One reply of a turn: a few words and the calls of one batch, or the last words of the turn. */
export interface StoryStep {
  readonly say: string;
  readonly calls: readonly StoryCall[];
  readonly label: string | null;
}

export interface StoryTurn {
  /** Time the message was sent, where the story jumps. */
  readonly at: string | null;
  readonly user: string;
  readonly label: string | null;
  readonly steps: readonly StoryStep[];
  /** What the person marked after the turn. */
  readonly carries: readonly string[];
  /** In this turn the automatic compaction happens; anywhere else it would be a mistake of the story. */
  readonly foldsItself: boolean;
  /** Focus text of a compaction the person asks for after the turn. */
  readonly foldAfter: string | null;
}

interface Draft {
  at: string | null;
  user: string;
  label: string | null;
  steps: { say: string; calls: StoryCall[]; label: string | null }[];
  carries: string[];
  foldsItself: boolean;
  foldAfter: string | null;
}

const DIRECTIVE = /^@(at|user|say|call|reply|carry|fold-here|fold)\b[ \t]*(.*)$/;

/**
 * Reads a story: `@` lines begin a piece, everything up to the next one belongs to it. Throws on a line it does not
 * know, naming it, since a story is part of the source.
 */
export function readStory(text: string): readonly StoryTurn[] {
  const turns: Draft[] = [];
  let at: string | null = null;
  let body: string[] = [];
  let place: ((text: string) => void) | null = null;
  const close = () => {
    place?.(body.join('\n').trim());
    body = [];
    place = null;
  };
  for (const line of text.split('\n')) {
    const [, word, rest = ''] = DIRECTIVE.exec(line) ?? [];
    if (word === undefined) {
      if (line.startsWith('@')) throw new Error(`the story has no such line: ${line}`);
      body.push(line);
      continue;
    }
    close();
    if (word === 'at') at = rest.trim();
    else if (word === 'user') {
      const turn = newTurn(at, toLabel(rest));
      at = null;
      turns.push(turn);
      place = (said) => {
        turn.user = said;
      };
    } else place = takeLine(turns, word, rest);
  }
  close();
  return turns;
}

function newTurn(at: string | null, label: string | null): Draft {
  return { at, user: '', label, steps: [], carries: [], foldsItself: false, foldAfter: null };
}

function takeLine(turns: readonly Draft[], word: string, rest: string): ((text: string) => void) | null {
  const turn = turns.at(-1);
  if (turn === undefined) throw new Error(`@${word} stands before the first message`);
  switch (word) {
    case 'say': {
      const step = { say: '', calls: [], label: null };
      turn.steps.push(step);
      return (said) => {
        turn.steps[turn.steps.indexOf(step)] = { ...step, say: said };
      };
    }
    case 'call': {
      if (turn.steps.length === 0) turn.steps.push({ say: '', calls: [], label: null });
      turn.steps.at(-1)?.calls.push(readCall(rest));
      return null;
    }
    case 'reply':
      return (said) => void turn.steps.push({ say: said, calls: [], label: toLabel(rest) });
    case 'carry':
      turn.carries.push(rest.trim());
      return null;
    case 'fold-here':
      turn.foldsItself = true;
      return null;
    default:
      turn.foldAfter = rest.trim();
      return null;
  }
}

function toLabel(rest: string): string | null {
  return /^#([a-z0-9]+)$/.exec(rest.trim())?.[1] ?? null;
}

function readCall(rest: string): StoryCall {
  const [, name, args, label] = /^(\w+) (\{.*\})(?: #([a-z0-9]+))?$/.exec(rest.trim()) ?? [];
  if (name === undefined || args === undefined) throw new Error(`no call: ${rest}`);
  return { name, args, label: label ?? null };
}

const argsSchema = z.record(z.string(), z.unknown());

/** Arguments of a call with the numbers put in. */
export function toArgs(args: string, numberOf: (label: string) => number): Readonly<Record<string, unknown>> {
  return argsSchema.parse(JSON.parse(putNumbers(args, numberOf)));
}

/** `{#label}` becomes the number of that item. */
export function putNumbers(text: string, numberOf: (label: string) => number): string {
  return text.replace(/\{#([a-z0-9]+)\}/g, (_, label: string) => String(numberOf(label)));
}
