import { describe, expect, it } from 'vitest';
import { parseVerdict } from './audit';

describe('an audit verdict (R9, contract 13)', () => {
  it('contract 13: PASS alone passes, blanks after it do not matter', () => {
    for (const text of ['PASS', 'PASS\n', '  PASS \n\n  \n']) expect(parseVerdict(text)).toEqual({ verdict: 'pass' });
  });

  it('contract 13: FAIL with at least one finding fails', () => {
    expect(parseVerdict('FAIL\n- one (item 3)\nso it is\n- two')).toEqual({
      verdict: 'fail',
      findings: ['one (item 3)', 'two'],
    });
  });

  it('contract 13: anything else is no verdict, whatever it means to say', () => {
    const texts = [
      '',
      'pass',
      'PASS.',
      'PASS\nwell done',
      'FAIL',
      'FAIL\nit is wrong',
      'FAIL: x\n- y',
      'I think PASS',
      '**PASS**',
    ];
    for (const text of texts) expect(parseVerdict(text)).toEqual({ verdict: 'unreadable' });
  });
});
