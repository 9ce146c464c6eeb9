/** A source with its comments blanked, and the same with the contents of strings blanked too. Line breaks stay where they are. */
export interface Stripped {
  readonly noComments: string;
  readonly code: string;
}

interface Scan {
  readonly source: string;
  readonly noComments: string[];
  readonly code: string[];
}

const blank = (text: string): string => text.replace(/[^\n]/g, ' ');

/** A slash starts a regular expression where a value may start; after a name, a number or a closing bracket it divides. */
function mayStartRegex(before: string): boolean {
  const trimmed = before.trimEnd();
  if (trimmed === '') return true;
  return /[(,=:[!&|?{};+\-*%~^<>]$/.test(trimmed) || /\b(return|typeof|case|in|of|await|yield)$/.test(trimmed);
}

function endOfQuoted(source: string, start: number): number {
  const quote = source[start];
  let at = start + 1;
  while (at < source.length && source[at] !== quote && source[at] !== '\n') at += source[at] === '\\' ? 2 : 1;
  return Math.min(at + 1, source.length);
}

function endOfRegex(source: string, start: number): number | null {
  let inClass = false;
  for (let at = start + 1; at < source.length && source[at] !== '\n'; at += 1) {
    const char = source[at];
    if (char === '\\') at += 1;
    else if (char === '[') inClass = true;
    else if (char === ']') inClass = false;
    else if (char === '/' && !inClass) return at + 1;
  }
  return null;
}

function endOfComment(source: string, start: number): number | null {
  const two = source.slice(start, start + 2);
  if (two !== '//' && two !== '/*') return null;
  const end = two === '//' ? source.indexOf('\n', start) : source.indexOf('*/', start + 2);
  if (end === -1) return source.length;
  return two === '//' ? end : end + 2;
}

function pushLiteral(scan: Scan, from: number, to: number): number {
  const text = scan.source.slice(from, to);
  scan.noComments.push(text);
  scan.code.push(text.length < 2 ? text : text[0] + blank(text.slice(1, -1)) + text.at(-1));
  return to;
}

function scanTemplate(scan: Scan, start: number): number {
  let at = start + 1;
  let from = start;
  while (at < scan.source.length) {
    if (scan.source[at] === '\\') at += 2;
    else if (scan.source[at] === '`') return pushLiteral(scan, from, at + 1);
    else if (scan.source.startsWith('${', at)) {
      pushLiteral(scan, from, at + 2);
      at = scanCode(scan, at + 2, true);
      from = at;
    } else at += 1;
  }
  return pushLiteral(scan, from, scan.source.length);
}

/** Scans until the end, or (inside a template) until the brace that closes the hole. */
function scanCode(scan: Scan, start: number, inHole: boolean): number {
  let at = start;
  let depth = 0;
  while (at < scan.source.length) {
    const char = scan.source[at] ?? '';
    if (inHole && char === '}' && depth === 0) return at;
    if (char === '{') depth += 1;
    if (char === '}') depth -= 1;
    at = scanOne(scan, at, char);
  }
  return at;
}

function scanOne(scan: Scan, at: number, char: string): number {
  const commentEnd = char === '/' ? endOfComment(scan.source, at) : null;
  if (commentEnd !== null) {
    const text = blank(scan.source.slice(at, commentEnd));
    scan.noComments.push(text);
    scan.code.push(text);
    return commentEnd;
  }
  if (char === '`') return scanTemplate(scan, at);
  if (char === "'" || char === '"') return pushLiteral(scan, at, endOfQuoted(scan.source, at));
  if (char === '/' && mayStartRegex(scan.source.slice(Math.max(0, at - 80), at))) {
    const end = endOfRegex(scan.source, at);
    if (end !== null) return pushLiteral(scan, at, end);
  }
  scan.noComments.push(char);
  scan.code.push(char);
  return at + 1;
}

/** Blanks comments and strings, so that what a file says in words is never taken for what it does. */
export function stripSource(source: string): Stripped {
  const scan: Scan = { source, noComments: [], code: [] };
  scanCode(scan, 0, false);
  return { noComments: scan.noComments.join(''), code: scan.code.join('') };
}
