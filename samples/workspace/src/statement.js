// Draws the monthly page for one skipper. Text only: the printer in the office knows no fonts.
const WIDTH = 64;

const left = (text, width) => String(text).slice(0, width).padEnd(width);
const right = (text, width) => String(text).slice(0, width).padStart(width);

/** Cents as people read them: 12000 becomes "120.00". */
export function toEuro(cents) {
  const sign = cents < 0 ? '-' : '';
  const whole = Math.trunc(Math.abs(cents) / 100);
  const rest = String(Math.abs(cents) % 100).padStart(2, '0');
  return `${sign}${whole}.${rest}`;
}

function rule(sign) {
  return sign.repeat(WIDTH);
}

function line(what, cents) {
  return left(what, WIDTH - 12) + right(toEuro(cents), 12);
}

/**
 * One page: the greeting, what was owed, what came in, what is open. The sheet has 60 lines; a longer
 * list goes on over the page with the heading again, so that no sheet is ever read without its name.
 */
export function drawStatement(skipper, month, entries) {
  const head = [rule('='), left(`${skipper.name}, place ${skipper.place}`, WIDTH), left(month, WIDTH), rule('-')];
  const body = entries.map((entry) => line(entry.text, entry.cents));
  const total = entries.reduce((sum, entry) => sum + entry.cents, 0);
  const foot = [rule('-'), line('to pay', Math.max(0, total)), rule('=')];
  const perSheet = 60 - head.length - foot.length;
  const sheets = [];
  for (let at = 0; at < body.length || sheets.length === 0; at += perSheet) {
    sheets.push([...head, ...body.slice(at, at + perSheet), ...foot].join('\n'));
  }
  return sheets;
}
