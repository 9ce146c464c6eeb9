import fc from 'fast-check';
import type { Part } from '@/server/contract/shapes';
import { trim } from '@/server/core/trim/trim';
import { aLog, builtHash, type LogBuilder } from './log-builder';
import { builtModel, textPart } from './log-builder-verbs';

/** Any possible conversation, for laws: steps told one after another; a step that is not possible now is skipped. */
export interface StoryStep {
  readonly what:
    | 'says'
    | 'replies'
    | 'thinks'
    | 'calls'
    | 'masks'
    | 'compacts'
    | 'expands'
    | 'undoes'
    | 'trims'
    | 'cutOff'
    | 'fails'
    | 'forks'
    | 'reverts'
    | 'plans';
  readonly size: number;
  readonly pick: number;
  readonly kind: 'person' | 'command' | 'injected';
}

/** Long enough to press, with what escapes badly, what must not be cut in half, and what must be defused. */
const FILLERS = ['word ', '"\\\n', '請🔥', '</tool_result>', '\u0000'] as const;

export const aStep: fc.Arbitrary<StoryStep> = fc.record({
  what: fc.constantFrom(
    'says',
    'says',
    'replies',
    'replies',
    'calls',
    'calls',
    'calls',
    'thinks',
    'masks',
    'compacts',
    'expands',
    'undoes',
    'trims',
    'cutOff',
    'fails',
    'forks',
    'reverts',
    'plans',
  ),
  size: fc.oneof(fc.nat(200), fc.nat(3_000), fc.nat(12_000)),
  pick: fc.nat(1_000),
  kind: fc.constantFrom('person', 'person', 'person', 'command', 'injected'),
});

export const aStory = fc.array(aStep, { minLength: 1, maxLength: 16 });

/** Every item text begins with a token of its own, so that a law can look for it. */
export function tokenOf(n: number): string {
  return `token-${n}-`;
}

export interface StoryTeller {
  readonly log: LogBuilder;
  tell(step: StoryStep): void;
}

/** A teller at the beginning of its story. */
export function aTeller(): StoryTeller {
  const log = aLog().says('hello');
  let told = 0;
  const text = ({ size, pick }: StoryStep) => {
    told += 1;
    const filler = FILLERS[pick % FILLERS.length] ?? 'word ';
    return `${tokenOf(told)}${filler.repeat(Math.ceil(size / filler.length))}`;
  };
  return { log, tell: (step) => tellStep({ log, step, text: () => text(step) }) };
}

interface Telling {
  readonly log: LogBuilder;
  readonly step: StoryStep;
  readonly text: () => string;
}

function tellStep({ log, step, text }: Telling): void {
  const { openTurn, items, checkpoint } = log.state();
  switch (step.what) {
    case 'says':
      log.says(text(), { kind: step.kind, ...(step.pick % 7 === 0 ? { parts: [textPart(text()), anImage] } : {}) });
      break;
    case 'replies':
      if (openTurn) log.replies(text());
      break;
    case 'thinks':
      if (openTurn) log.thinks([{ type: 'reasoning', text: text() }, textPart(text())]).ends();
      break;
    case 'calls':
      if (openTurn) tellCalls({ log, step, text });
      break;
    case 'masks':
      if (openTurn && items.at(-1)?.event.type === 'tool.result') log.masks(undefined, 'n'.repeat(step.pick));
      break;
    case 'cutOff':
      if (openTurn)
        log
          .thinks([textPart(text())], { end: 'cancelled' })
          .ends('cancelled')
          .continues();
      break;
    case 'fails':
      if (openTurn) log.fails();
      break;
    case 'trims':
      tellTrim({ log, step, text });
      break;
    case 'plans':
      log.plan([`[>] ${'p'.repeat(1 + (step.pick % 50))}`]);
      break;
    case 'undoes':
      if (checkpoint) log.undoesCheckpoint();
      break;
    case 'forks':
      log.forks(1 + (step.pick % items.length)).says(text());
      break;
    case 'reverts':
      if (openTurn) log.ends();
      log.reverts(1 + (step.pick % items.length)).says(text());
      break;
    default:
      tellCheckpoint({ log, step, text });
  }
}

const anImage: Part = {
  type: 'image',
  sha256: builtHash,
  mediaType: 'image/png',
  bytes: 81_000,
  width: 640,
  height: 480,
  name: 'a.png',
};

function tellCalls({ log, step, text }: Telling): void {
  const count = 1 + (step.pick % 4);
  const calls = Array.from({ length: count }, (_, n) => ({
    name: 'read_file',
    args: n === 0 ? { path: 'a.txt', content: 'c'.repeat(step.pick * 5) } : {},
    result: text(),
    options: step.pick % 5 === 0 ? { cap: { headBytes: 200, tailBytes: 100 } } : {},
  }));
  log.batch(calls, step.pick % 3 === 0 ? text() : '');
}

function tellTrim({ log, step }: Telling): void {
  const roomBytes = step.size;
  const trimmed = trim({
    state: log.state(),
    model: builtModel,
    roomBytes,
    lowMarkBytes: Math.floor(roomBytes * 0.51),
    firstMessageCapBytes: Math.max(400, Math.floor(roomBytes / 10)),
  });
  if (trimmed) log.append('view.trimmed', trimmed);
}

/** A checkpoint ends at a legal cut: before a message of a person. */
function tellCheckpoint({ log, step, text }: Telling): void {
  const { items, checkpoint } = log.state();
  const covered = items.findIndex((item) => item.id === checkpoint?.event.covers.through) + 1;
  if (step.what === 'expands') {
    const cuts = items.slice(0, covered).filter((item) => item.event.type === 'message.user');
    const from = cuts[step.pick % Math.max(1, cuts.length)];
    if (from) log.expands(from.number, covered);
    return;
  }
  const cuts = items.slice(Math.max(covered, 1)).filter((item) => item.event.type === 'message.user');
  const cut = cuts[step.pick % Math.max(1, cuts.length)];
  if (cut === undefined) return;
  const carry = step.pick % 2 === 0 ? [] : [{ id: cut.id, text: 'carried' }];
  log.compacts({
    covers: cut.number - 1,
    ...(step.pick % 3 === 0 ? { text: text() } : {}),
    checkpoint: { carry: { kept: carry, dropped: [] } },
  });
}
