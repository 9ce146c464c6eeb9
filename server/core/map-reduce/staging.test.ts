import { describe, expect, it } from 'vitest';
import { agent, other } from '@/server/core/compaction/step-play';
import type { NewEvent } from '@/server/core/log/new-event';
import { MOST_LEVELS } from './bounds';
import { applyStaging, NO_STAGING, type Staging } from './staging';

const compactionId = '01J00000000000000000000C01';
const numbers = { budget: 1, floor: 1, room: 1, trigger: 1, commit: 1, view: 1 };

/** A run begins; a source is told by its fingerprint, a choice of models by its list. */
const begins = (fingerprint: string, chain = [agent]): NewEvent => ({
  type: 'compaction.started',
  compactionId,
  trigger: 'manual',
  turnId: null,
  by: 'ada',
  focus: null,
  source: null,
  fingerprint,
  keep: [],
  tail: null,
  numbers,
  chain,
});
const planned: NewEvent = {
  type: 'staging.planned',
  compactionId,
  version: 3,
  model: agent,
  windowTokens: null,
  targetBytes: 500,
  round: 2,
  mode: 'sequential',
  segments: [],
};
const maps = (fingerprint: string, text = `notes on ${fingerprint}`): NewEvent => ({
  type: 'staging.map',
  compactionId,
  fingerprint,
  items: [fingerprint],
  text,
  model: agent,
});
const reduces = (fingerprint: string, { level = 1, text = 'a summary' } = {}): NewEvent => ({
  type: 'staging.reduce',
  compactionId,
  level,
  group: 1,
  inputs: ['m1', 'm2'],
  fingerprint,
  text,
  rereads: [],
});
const audits = (verdict: 'pass' | 'fail', round = 0): NewEvent => ({
  type: 'staging.audit',
  compactionId,
  round,
  candidate: 'a summary',
  verdict,
  findings: [],
});
const voids = (fingerprints: string[]): NewEvent => ({
  type: 'staging.invalidated',
  compactionId,
  version: 3,
  reason: 'source_changed',
  fingerprints,
});

const fold = (...events: readonly NewEvent[]): Staging => events.reduce(applyStaging, NO_STAGING);
const count = ({ maps: kept, reductions, audits: held }: Staging) => [kept.size, reductions.size, held.length];
const STOOD = [begins('s'), planned, maps('m1'), maps('m2'), reduces('r'), audits('fail'), audits('fail', 1)];

describe('what stands accepted on a branch (R4, R10)', () => {
  it('R10: the same source by the same models goes on with all of it and its counters', () => {
    const again = fold(...STOOD, begins('s'));
    expect(again).toEqual(fold(...STOOD));
    expect([again.round, again.mode, again.targetBytes]).toEqual([2, 'sequential', 500]);
  });

  it('R10: another source begins with new counters and no audits; its maps are matched by what they read', () => {
    const next = fold(...STOOD, begins('t'));
    expect([next.round, next.mode, next.targetBytes]).toEqual([0, 'parallel', null]);
    expect(count(next)).toEqual([2, 1, 0]);
  });

  it('R10: another choice of models keeps the maps, and nothing of the summary that was refused', () => {
    const chosen = fold(...STOOD, begins('s', [other]));
    expect([chosen.round, chosen.mode, count(chosen)]).toEqual([0, 'parallel', [2, 0, 0]]);
    const inner = fold(...STOOD, reduces('i', { text: 'notes of a level' }), begins('s', [other]));
    expect([...inner.reductions.keys()]).toEqual(['i']);
  });

  it('R9, R10: levels that came to no end are not held against another choice of models; one fewer is kept', () => {
    const deep = (level: number) => fold(...STOOD, reduces('d', { level, text: 'deep' }), begins('s', [other]));
    expect(deep(MOST_LEVELS - 1).reductions.size).toBe(0);
    expect(deep(MOST_LEVELS - 2).reductions.size).toBe(1);
  });

  it('R4: maps that are voided take with them everything that was reduced and audited', () => {
    const voided = fold(...STOOD, voids(['m1']));
    expect([...voided.maps.keys()]).toEqual(['m2']);
    expect(count(voided)).toEqual([1, 0, 0]);
    expect(count(fold(...STOOD, voids([])))).toEqual([0, 0, 0]);
  });

  it('X6: notes written anew void what was reduced from the old ones; the same text again does not', () => {
    expect(count(fold(...STOOD, maps('m1', 'other notes')))).toEqual([2, 0, 0]);
    expect(count(fold(...STOOD, maps('m1')))).toEqual([2, 1, 2]);
    expect(count(fold(...STOOD, maps('m3')))).toEqual([3, 1, 2]);
  });

  it('R9: the audit of a text that was not corrected begins the count of corrections anew', () => {
    expect(fold(...STOOD, audits('pass')).audits).toMatchObject([{ round: 0, verdict: 'pass' }]);
  });
});
