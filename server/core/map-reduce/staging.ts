import type { StoredEvent } from '@/server/contract/events/event';
import type { Model } from '@/server/contract/shapes';
import type { NewEvent } from '@/server/core/log/new-event';
import { isSameModel } from '@/server/core/turn/model-call';
import { MOST_LEVELS } from './bounds';

/** Notes that were accepted for one segment. The application, not the model, says what they cover (R4). */
export interface AcceptedMap {
  readonly fingerprint: string;
  /** Item ids in path order; a part of the previous summary has its checkpoint's id. */
  readonly items: readonly string[];
  readonly text: string;
}

/** One reduction that was accepted, found again by what it was made from. */
export interface AcceptedReduction {
  readonly fingerprint: string;
  readonly level: number;
  readonly text: string;
}

export interface Audited {
  readonly round: number;
  readonly candidate: string;
  readonly verdict: 'pass' | 'fail';
  readonly findings: readonly string[];
}

/** 1: byte offsets. 2: no end reason. `unversioned`: the buffer of a rolling split. */
export type LegacyVersion = 1 | 2 | 'unversioned';

/**
 * What stands accepted on a branch, and what the run it belongs to has used up. A run is every attempt at one source by
 * one choice of models: the same source again goes on with its counters, another choice of models renews them and keeps
 * the maps, another source begins with new counters and takes whatever maps still agree (R10, `contract.md` 13).
 */
export interface Staging {
  readonly maps: ReadonlyMap<string, AcceptedMap>;
  readonly reductions: ReadonlyMap<string, AcceptedReduction>;
  readonly audits: readonly Audited[];
  readonly source: string | null;
  readonly chain: readonly Model[];
  /** Repartitions used. */
  readonly round: number;
  /** Of the newest plan of the run; null before it. */
  readonly targetBytes: number | null;
  readonly mode: 'parallel' | 'sequential';
  /** Older formats that no event has answered yet (R5). */
  readonly legacy: ReadonlySet<LegacyVersion>;
}

export const NO_STAGING: Staging = {
  maps: new Map(),
  reductions: new Map(),
  audits: [],
  source: null,
  chain: [],
  round: 0,
  targetBytes: null,
  mode: 'parallel',
  legacy: new Set(),
};

/** The staging of a branch, from its compaction lines in file order. */
export function foldStaging(events: readonly StoredEvent[]): Staging {
  return events.reduce(applyStaging, NO_STAGING);
}

/** One line more; lines about other things change nothing. The machine keeps its own copy up to date with this too. */
export function applyStaging(staging: Staging, event: StoredEvent | NewEvent): Staging {
  switch (event.type) {
    case 'compaction.started':
      return beginRun(staging, event.fingerprint ?? null, event.chain ?? []);
    case 'staging.planned':
      if (event.version < 3) return withLegacy(staging, event.version === 1 ? 1 : 2);
      return {
        ...staging,
        round: event.round ?? 0,
        mode: event.mode ?? 'parallel',
        targetBytes: event.targetBytes ?? null,
      };
    case 'staging.buffer':
      return withLegacy(staging, 'unversioned');
    case 'staging.mode':
      return { ...staging, mode: event.mode };
    case 'staging.map':
      if (event.version === 1 || event.version === 2) return withLegacy(staging, event.version);
      return event.fingerprint == null ? staging : acceptMap(staging, event.fingerprint, event);
    case 'staging.reduce': {
      const { fingerprint, level, text } = event;
      return { ...staging, reductions: new Map(staging.reductions).set(fingerprint, { fingerprint, level, text }) };
    }
    case 'staging.audit': {
      const { round, candidate, verdict, findings = [] } = event;
      const audited = { round, candidate, verdict, findings };
      return { ...staging, audits: round === 0 ? [audited] : [...staging.audits, audited] };
    }
    case 'staging.invalidated':
      return invalidate(staging, event.version ?? null, event.fingerprints ?? []);
    default:
      return staging;
  }
}

/** A request that only composed the prompt anew has no source and begins nothing. */
function beginRun(staging: Staging, source: string | null, chain: readonly Model[]): Staging {
  if (source === null) return staging;
  const isSameChoice = staging.source === null || isSameChain(chain, staging.chain);
  if (isSameChoice && staging.source === source) return staging;
  const renewed = { ...staging, source, chain, round: 0, targetBytes: null, mode: 'parallel' as const, audits: [] };
  return isSameChoice ? renewed : { ...renewed, reductions: withoutSpent(staging) };
}

function isSameChain(a: readonly Model[], b: readonly Model[]): boolean {
  return a.length === b.length && a.every((model, at) => isSameModel(model, b[at] ?? { provider: '', model: '' }));
}

/** Another model is not held to the summary that an audit refused, nor to levels that came to no end. */
function withoutSpent({ reductions, audits }: Staging): Staging['reductions'] {
  const all = [...reductions.values()];
  if (all.some(({ level }) => level >= MOST_LEVELS - 1)) return new Map();
  const refused = new Set(audits.map(({ candidate }) => candidate));
  return new Map(all.flatMap((made) => (refused.has(made.text) ? [] : [[made.fingerprint, made]])));
}

/** The same segment again is a segment that was asked for anew: what was reduced from its old text is void. */
function acceptMap(
  staging: Staging,
  fingerprint: string,
  { items = [], text }: { readonly items?: readonly string[] | undefined; readonly text: string },
): Staging {
  const maps = new Map(staging.maps).set(fingerprint, { fingerprint, items, text });
  if (staging.maps.get(fingerprint)?.text === text || !staging.maps.has(fingerprint)) return { ...staging, maps };
  return { ...staging, maps, reductions: new Map(), audits: [] };
}

function withLegacy(staging: Staging, version: LegacyVersion): Staging {
  return { ...staging, legacy: new Set([...staging.legacy, version]) };
}

function invalidate(staging: Staging, version: number | null, fingerprints: readonly string[]): Staging {
  if (version !== 3) {
    const answered = version === 1 || version === 2 ? version : 'unversioned';
    return { ...staging, legacy: new Set([...staging.legacy].filter((legacy) => legacy !== answered)) };
  }
  const voided = new Set(fingerprints);
  const kept = fingerprints.length === 0 ? [] : [...staging.maps].filter(([fingerprint]) => !voided.has(fingerprint));
  return { ...staging, maps: new Map(kept), reductions: new Map(), audits: [] };
}
