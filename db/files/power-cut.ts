import type { DiskMoment } from './memory-disk';

/** Numbers from 0 to 1 that a seed decides, so that a failing image can be made again. */
export type Random = () => number;

/** The same numbers for the same seed, on every machine. */
export function seededRandom(seed: number): Random {
  let state = (seed % 2_147_483_646) + 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/**
 * What a power cut at a moment may leave of a file (reliability 4): the bytes of the last sync, a random prefix of
 * the rest, in three of ten images zeroed, in some with holes; bytes whose sync failed are there or not; null when
 * the directory had not been synced and the name is lost (rel-S16).
 */
export function cutPower(bytes: Buffer, moment: DiskMoment, random: Random): Buffer | null {
  if (!moment.named && random() < 0.5) return null;
  const kept = moment.synced + Math.floor(random() * (moment.length - moment.synced + 1));
  const image = Buffer.from(bytes.subarray(0, kept));
  for (const { from, to } of moment.doubtful) if (random() < 0.5) image.fill(0, from, Math.min(to, kept));
  const unsynced = kept - moment.synced;
  const fate = random();
  if (fate < 0.3) image.fill(0, moment.synced + Math.floor(random() * 2) * Math.floor(random() * unsynced), kept);
  else if (fate < 0.5) {
    const hole = moment.synced + Math.floor(random() * unsynced);
    image.fill(0, hole, Math.min(kept, hole + Math.floor(random() * 512)));
  }
  return image;
}
