import { findHeadingFaults } from '@/server/core/compaction/headings';

/**
 * Judges a candidate by rules: every heading once, and every quote word for word in the map texts beside it. The candidate
 * stands in `<candidate>`; all other text of the request is what it is judged by. First line `PASS` or `FAIL` (contract 13).
 */
export function auditCandidate(instruction: string): string {
  const candidate = /<candidate>\n?([\s\S]*?)\n?<\/candidate>/.exec(instruction);
  if (candidate === null) return 'FAIL\n- there is no candidate to judge';
  const body = candidate[1] ?? '';
  const evidence = instruction.replace(candidate[0], '');
  const faults = findHeadingFaults(body).map((heading) => `- the heading ${heading} is missing, doubled or empty`);
  const invented = [...body.matchAll(/^- "(.*)" \(item \d+\)$/gm)]
    .filter(([, quote]) => !evidence.includes(quote ?? ''))
    .map(([, quote]) => `- not in the notes: ${quote}`);
  const findings = [...faults, ...invented];
  return findings.length === 0 ? 'PASS' : ['FAIL', ...findings].join('\n');
}
