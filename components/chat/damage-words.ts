import type { Session } from '@/server/contract/session';

export type Damage = Session['damage'][number];

/** Places that are named one by one; a longer list is no help above a composer. */
const MOST_NAMED = 4;

const count = new Intl.NumberFormat('en');

const bytesOf = ({ from, to }: Damage) => `bytes ${count.format(from)}–${count.format(to)}`;

/** The sentences of a note on damaged places, each place once, and no word of what stands there (L6). */
export function wordDamage(damage: readonly Damage[]): readonly string[] {
  const torn = damage.filter(({ why }) => why === 'torn');
  const lost = damage.filter(({ why }) => why !== 'torn');
  const sentences = [...sayLost(lost), ...sayTorn(torn)];
  return sentences.length === 0 ? [] : [...sentences, 'Everything else is here.'];
}

function sayLost(damage: readonly Damage[]): readonly string[] {
  if (damage.length === 0) return [];
  if (damage.length === 1)
    return [`A line of this log is damaged (${listPlaces(damage)}): one message or event may be missing.`];
  const many = count.format(damage.length);
  return [`${many} lines of this log are damaged (${listPlaces(damage)}): as many messages or events may be missing.`];
}

function sayTorn(damage: readonly Damage[]): readonly string[] {
  if (damage.length === 0) return [];
  if (damage.length === 1) return [`The last write before a crash was cut off (${listPlaces(damage)}) and left out.`];
  const many = count.format(damage.length);
  return [`The last write was cut off before ${many} crashes (${listPlaces(damage)}) and left out.`];
}

function listPlaces(damage: readonly Damage[]): string {
  const named = damage.slice(0, MOST_NAMED).map(bytesOf).join('; ');
  const rest = damage.length - MOST_NAMED;
  return rest > 0 ? `${named}; and ${count.format(rest)} more, which npm run doctor lists` : named;
}

type Store = Pick<Storage, 'getItem' | 'setItem'>;

const keyOf = (sessionId: string) => `tidemark_damage:${sessionId}`;
/** A place by its bytes: a log only grows, so they name it for ever. */
const nameOf = ({ from, to }: Damage) => `${from}-${to}`;

/** What nobody has closed the note of yet, on this device: each damage is said once. */
export function findUntold(store: Store | null, sessionId: string, damage: readonly Damage[]): readonly Damage[] {
  if (damage.length === 0) return damage;
  const told = new Set(readTold(store, sessionId));
  return damage.filter((one) => !told.has(nameOf(one)));
}

/** Keeps that the note on these was closed. Where nothing can be kept, it comes again with the page. */
export function keepTold(store: Store | null, sessionId: string, damage: readonly Damage[]): void {
  try {
    store?.setItem(keyOf(sessionId), damage.map(nameOf).join(' '));
  } catch {
    // Full or forbidden storage: closed for as long as the page is open.
  }
}

function readTold(store: Store | null, sessionId: string): readonly string[] {
  try {
    return store?.getItem(keyOf(sessionId))?.split(' ') ?? [];
  } catch {
    return [];
  }
}
