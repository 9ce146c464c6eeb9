import { aLog, type LogBuilder } from './log-builder';
import { legalCuts, newestBatch } from './responded';

/** One step of a random story: what to try, and a number that picks where. */
export interface Step {
  readonly verb: (typeof VERBS)[number];
  readonly pick: number;
}

/** Everything that may happen to a conversation, in any order; a step that is not possible then is skipped. */
export const VERBS = [
  'says',
  'calls',
  'batch',
  'replies',
  'fails',
  'plans',
  'masks',
  'compacts',
  'undoes',
  'expands',
  'trims',
  'untrims',
  'marks',
  'forks',
  'switches',
  'reverts',
  'returns',
  'rolls back',
  'queues',
  'starts queued',
  'withdraws',
] as const;

/** A possible log told by random steps; the same steps tell the same log. */
export function cookSoup(steps: readonly Step[]): LogBuilder {
  const story = aLog().session();
  for (const step of steps) takeStep(story, step);
  return story;
}

const pickFrom = <T>(list: readonly T[], pick: number): T | undefined => list[pick % Math.max(1, list.length)];

function takeStep(story: LogBuilder, { verb, pick }: Step): void {
  const state = story.state();
  const isRunning = state.openTurn !== null;
  switch (verb) {
    case 'says':
      story.says(`message ${pick}`);
      break;
    case 'queues':
      story.queues(`waits ${pick}`);
      break;
    case 'starts queued':
      if (state.queue.length > 0) story.startsQueued();
      break;
    case 'withdraws':
      withdraw(story, pick);
      break;
    case 'plans':
      story.plan(pick % 3 === 0 ? [] : [`[>] step ${pick}`, '[ ] rest']);
      break;
    case 'marks':
      story.marks(`carry ${pick}`);
      break;
    case 'forks':
      if (state.items.length > 0) story.forks(pickFrom(state.items, pick)?.number);
      break;
    case 'switches':
      story.on(pickFrom([...story.log().branches.keys()], pick) ?? story.branch);
      break;
    default:
      if (isRunning) takeTurnStep(story, { verb, pick });
      else takeRestingStep(story, { verb, pick });
  }
}

function takeTurnStep(story: LogBuilder, { verb, pick }: Step): void {
  if (verb === 'calls') story.calls('read_file', { path: `f${pick}` }, `text ${pick}`);
  if (verb === 'batch') story.batch([{ name: 'a' }, { name: 'b', result: `b ${pick}` }], `thinking ${pick}`);
  if (verb === 'replies') story.replies(`reply ${pick}`);
  if (verb === 'fails') story.fails();
  if (verb === 'masks') {
    const target = pickFrom(newestBatch(story.state()), pick);
    if (target) story.masks(target.number);
  }
}

function takeRestingStep(story: LogBuilder, { verb, pick }: Step): void {
  const state = story.state();
  const { checkpoint, items } = state;
  const cut = pickFrom(legalCuts(state), pick);
  if (verb === 'compacts' && cut !== undefined) story.compacts({ covers: cut, text: `Summary ${pick}` });
  if (verb === 'undoes' && checkpoint) story.undoesCheckpoint();
  if (verb === 'expands' && checkpoint) story.expands(1, (pick % checkpoint.event.covers.items) + 1);
  const trimmed = pickFrom(items, pick);
  if (verb === 'trims' && trimmed) story.trims({ [trimmed.number]: pick % 2 === 0 ? 'stub' : 'drop' });
  if (verb === 'untrims' && state.trims.length > 0) story.untrims();
  if (verb === 'reverts') story.reverts(pickFrom([null, ...items], pick)?.number ?? null);
  if (verb === 'returns') returnTo(story, pick);
  if (verb === 'rolls back' && hasRevert(story)) story.rollsBack();
}

/** Back to a line of the branch, abandoned ones too. */
function returnTo(story: LogBuilder, pick: number): void {
  const own = story.events().filter((event) => event.branch === story.branch && typeof event.prev === 'number');
  const target = pickFrom(own, pick);
  if (target) story.append('head.reverted', { to: target.seq, item: null, from: story.state().head, by: 'ada' });
}

function hasRevert(story: LogBuilder): boolean {
  const own = story.events().filter((event) => event.branch === story.branch);
  const undone = new Set(own.flatMap((event) => (event.type === 'head.restored' ? [event.undoes] : [])));
  return own.some((event) => event.type === 'head.reverted' && !undone.has(event.id));
}

function withdraw(story: LogBuilder, pick: number): void {
  const message = pickFrom(story.state().queue, pick);
  if (message) story.append('message.withdrawn', { messageId: message.id });
}
