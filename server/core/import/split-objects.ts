import { isRecord } from '@/server/contract/is-record';
/** One piece of a line: JSON text that parses to an object, or text that is none. */
export type LinePiece =
  | { readonly kind: 'object'; readonly value: Readonly<Record<string, unknown>> }
  | { readonly kind: 'junk'; readonly text: string };

/**
 * Reads a line that should hold one JSON object. Where a writer appended to a file without a final newline it holds
 * two (case-C02): each whole object counts, braces inside strings are text, the rest is junk.
 */
export function splitObjects(line: string): readonly LinePiece[] {
  const whole = parseObject(line);
  if (whole) return [{ kind: 'object', value: whole }];
  const pieces: LinePiece[] = [];
  let rest = line;
  while (rest.trim() !== '') {
    const start = rest.indexOf('{');
    const end = start < 0 ? -1 : findEnd(rest, start);
    const value = end < 0 ? null : parseObject(rest.slice(start, end));
    if (!value) return [...pieces, { kind: 'junk', text: rest }];
    if (rest.slice(0, start).trim() !== '') pieces.push({ kind: 'junk', text: rest.slice(0, start) });
    pieces.push({ kind: 'object', value });
    rest = rest.slice(end);
  }
  return pieces;
}

/** The place after the brace that closes the one at `start`; -1 when none does. */
function findEnd(text: string, start: number): number {
  let depth = 0;
  let isInString = false;
  for (let place = start; place < text.length; place += 1) {
    const character = text[place];
    if (isInString) {
      if (character === '\\') place += 1;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === '{') depth += 1;
    else if (character === '}') {
      depth -= 1;
      if (depth === 0) return place + 1;
    }
  }
  return -1;
}

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}
