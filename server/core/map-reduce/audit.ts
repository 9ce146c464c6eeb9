export type Verdict =
  | { readonly verdict: 'pass' }
  | { readonly verdict: 'fail'; readonly findings: readonly string[] }
  /** Neither, as asked: a failed attempt. */
  | { readonly verdict: 'unreadable' };

/**
 * Reads an auditor's answer (R9, `contract.md` 13): first line exactly `PASS` and nothing but blanks after it, or exactly
 * `FAIL` and at least one line `- …`. Anything else is unreadable: an audit is never taken for passed by a guess.
 */
export function parseVerdict(reply: string): Verdict {
  const [first = '', ...rest] = reply.trim().split('\n');
  const lines = rest.map((line) => line.trim()).filter((line) => line !== '');
  if (first.trimEnd() === 'PASS' && lines.length === 0) return { verdict: 'pass' };
  if (first.trimEnd() !== 'FAIL') return { verdict: 'unreadable' };
  const findings = lines.flatMap((line) => (/^- \S/.test(line) ? [line.slice(2).trim()] : []));
  return findings.length === 0 ? { verdict: 'unreadable' } : { verdict: 'fail', findings };
}
