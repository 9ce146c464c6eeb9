import { BARS, FLAT_BARS, type Medians } from './bars';

/** The medians of one benchmark at one size. */
export interface Result {
  readonly bench: string;
  readonly size: number;
  readonly medians: Medians;
}

export interface Row {
  readonly id: string;
  readonly what: string;
  readonly size: number;
  readonly value: number;
  readonly limit: number;
  readonly sense: 'most' | 'least';
  readonly kind: 'ratio' | 'absolute' | 'quiet';
  readonly owed?: number;
  readonly unit: string;
  readonly holds: boolean;
  /** Beyond what noise may explain: this is what makes a run fail. */
  readonly fails: boolean;
}

/** What a bar may be missed by before a run falls: machines are busy, and CI is busier (`performance.md`). */
export const SLACK = { quick: 3, full: 1.5, absolute: 3 } as const;

/** Every bar at every size that was measured. A value that is none holds nothing and fails. */
export function judge(results: readonly Result[], mode: 'quick' | 'full'): readonly Row[] {
  const rows = results.flatMap(({ bench, size, medians }) =>
    (BARS[bench] ?? []).map(({ value, ...bar }) => toRow({ ...bar, size, value: value(medians) }, mode)),
  );
  return [...rows, ...judgeFlat(results, mode)];
}

function judgeFlat(results: readonly Result[], mode: 'quick' | 'full'): readonly Row[] {
  return FLAT_BARS.flatMap(({ id, what, bench, value, against, limit }) => {
    const own = results.filter((result) => result.bench === bench);
    const base = own.find(({ size }) => size === against);
    const largest = own.at(-1);
    if (!base || !largest || base === largest) return [];
    const flat = value(largest.medians) / value(base.medians);
    const bar = { id, what, limit, sense: 'most' as const, kind: 'ratio' as const, unit: '×' };
    return [toRow({ ...bar, size: largest.size, value: flat }, mode)];
  });
}

function toRow(bar: Omit<Row, 'holds' | 'fails'>, mode: 'quick' | 'full'): Row {
  return { ...bar, holds: isWithin(bar, bar.limit), fails: isBeyond(bar, mode) };
}

function isBeyond(bar: Omit<Row, 'holds' | 'fails'>, mode: 'quick' | 'full'): boolean {
  const { kind, sense, limit, owed = limit } = bar;
  if (kind !== 'ratio' && mode === 'quick') return false;
  const slack = kind === 'ratio' ? SLACK[mode] : SLACK.absolute;
  return !isWithin(bar, sense === 'most' ? owed * slack : owed / slack);
}

function isWithin({ value, sense }: Pick<Row, 'value' | 'sense'>, limit: number): boolean {
  return sense === 'most' ? value <= limit : value >= limit;
}

/** The table, as it stands in the README. */
export function printTable(rows: readonly Row[]): readonly string[] {
  const lines = rows.map(({ id, what, size, value, limit, sense, unit, holds }) => {
    const bound = `${sense === 'most' ? '≤' : '≥'} ${say(limit)} ${unit}`;
    return `| ${id} | ${what} | ${size.toLocaleString('en')} | ${say(value)} ${unit} | ${bound} | ${holds ? 'holds' : 'missed'} |`;
  });
  return ['| bar | what | size | measured | limit | |', '|---|---|---|---|---|---|', ...lines];
}

function say(value: number): string {
  if (Number.isNaN(value)) return '–';
  return value >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)));
}
