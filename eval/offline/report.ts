import type { LoopCount } from '@/server/session/testing/failure-loop';
import type { OfflineResult, PathResult } from './paths';
import { MARKERS } from './trace';

/** What was reported elsewhere, on another trace: estimated tokens of the view, and calls. Cited, not aimed at. */
export const REPORTED = {
  source: 'the notes on layered context compaction that Tidemark was specified from, their run of 2026-09-05',
  sourceTokens: 29_337,
  mapPeakTokens: 4_017,
  paths: {
    'masking only': { viewTokens: 5_757, calls: 0 },
    'one-shot oracle': { viewTokens: 1_300, calls: 1 },
    'legacy concatenation oracle': { viewTokens: 99, calls: 8 },
    'sequential MapReduce': { viewTokens: 1_300, calls: 10 },
    'parallel MapReduce': { viewTokens: 1_300, calls: 10 },
  } as Readonly<Record<string, { readonly viewTokens: number; readonly calls: number }>>,
} as const;

const number = (n: number) => n.toLocaleString('en');
const COLUMNS = [28, 10, 10, 7, 7, 9, 9, 7, 7] as const;

function row(cells: readonly string[]): string {
  const padded = cells.map((cell, at) => (at === 0 ? cell.padEnd(COLUMNS[at] ?? 0) : cell.padStart(COLUMNS[at] ?? 0)));
  return padded.join('');
}

/** The table of the five paths, ours beside the reported one. */
export function reportPaths({ sourceTokens, paths }: OfflineResult): readonly string[] {
  const total = Object.keys(MARKERS).length;
  return [
    'Long trace (E1): 24 file inspections, one file changed later, a pending message.',
    `Source: ours ${number(sourceTokens)} estimated tokens, reported ${number(REPORTED.sourceTokens)}. Estimates: four bytes a token.`,
    '',
    row(['path', 'ours', 'reported', 'calls', 'rep.', 'map peak', 'markers', 'stale', 'items']),
    ...paths.map((path) => rowOf(path, total)),
    '',
    ...paths.map(({ name, note }) => `  ${name}: ${note}`),
    `  reported map peak: ${number(REPORTED.mapPeakTokens)}`,
    '',
    `Reported figures: ${REPORTED.source}.`,
    'That trace is another one, so the figures differ; nothing here is tuned to them. Until a model has reported three',
    'usages we take two bytes for a token: segments are then half as large as the estimate of four would allow.',
    'All replies are scripted. This proves how texts travel, not what a model remembers.',
  ];
}

function rowOf({ name, viewTokens, calls, ...path }: PathResult, total: number): string {
  const reported = REPORTED.paths[name];
  return row([
    name,
    number(viewTokens),
    reported === undefined ? '–' : number(reported.viewTokens),
    String(calls),
    reported === undefined ? '–' : String(reported.calls),
    path.mapPeakTokens === null ? '–' : number(path.mapPeakTokens),
    `${path.markersKept}/${total}`,
    path.staleShown ? 'shown' : 'gone',
    path.itemsPreserved ? 'same' : 'LOST',
  ]);
}

/** The loop of E2, before and after. */
export function reportLoop(runs: Readonly<Record<'before' | 'after' | 'manual', LoopCount>>): readonly string[] {
  const rows = Object.entries(runs).map(([name, run]) => {
    const ceilings = [...new Set(run.ceilings.map((ceiling) => (ceiling === null ? 'none' : number(ceiling))))].join(
      ', ',
    );
    return row([name, String(run.requests), ceilings, String(run.toasts), '', run.outcomes.join(' ')]);
  });
  return [
    `Summary failure loop (E2): window 1,000,000, history about ${number(runs.before.historyTokens)} tokens at two bytes each,`,
    'a summary that stops with `length` whenever a ceiling is sent, two small tool calls.',
    '',
    row(['policy', 'requests', 'ceiling', 'toasts', '', 'compactions']),
    ...rows,
    '',
    'Reported before: three failed compactions, nine requests with a ceiling of 2,000, three toasts; after: one request',
    'for each path. `before` exists in this run and its test alone.',
  ];
}
