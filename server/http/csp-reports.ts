/** What browsers reported against the page policy since the start; only the last few are kept in full. */
export interface CspReports {
  readonly add: (text: string) => void;
  readonly summary: () => { readonly count: number; readonly reports: readonly unknown[] };
}

export const MAX_REPORT_BYTES = 65_536;
const KEPT = 50;

/** Counts every report; a report that is no JSON counts too, since something sent it. */
export function createCspReports(): CspReports {
  let count = 0;
  let kept: readonly unknown[] = [];
  const parse = (text: string): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      return { unreadable: text.slice(0, 200) };
    }
  };
  return {
    add(text) {
      count += 1;
      kept = [...kept, parse(text)].slice(-KEPT);
    },
    summary: () => ({ count, reports: kept }),
  };
}
