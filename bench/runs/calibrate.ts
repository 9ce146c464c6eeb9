import { timeOf } from '../clock';
import { makeText } from '../sessions/make-text';
import { createRandom } from '../sessions/random';

/** Milliseconds that 10,000 lines of a kilobyte take to parse: absolute bars are read beside it on other machines. */
export function runCalibration() {
  const line = JSON.stringify({ text: makeText(createRandom(1), 900), args: { path: 'a', list: [1, 2, 3] } });
  let kept = 0;
  const parse = () => {
    for (let turn = 0; turn < 10_000; turn += 1) kept += Object.keys(JSON.parse(line)).length;
  };
  parse();
  return { ms: timeOf(parse), kept };
}
