/** Blocks of this many characters are compared; an echo of twice as many is always found. */
const ECHO_BLOCK = 16;
const SCAN_CHARACTERS = 4_000;
export const DETAIL_BYTES = 500;

/** Shapes of secrets of the providers we know, and of headers and queries that carry them. */
const SECRET_SHAPES: readonly RegExp[] = [
  /\b(sk|pk|rk|xai|gsk|hf|nvapi|pplx|or)[-_][A-Za-z0-9_-]{8,}[*A-Za-z0-9_-]*/g,
  /\bAIza[A-Za-z0-9_-]{10,}/g,
  /\bBearer\s+[^\s"',}]+/gi,
  /([?&](?:key|api_key|access_token)=)[^&\s"']+/gi,
  /("?(?:x-api-key|api[-_]?key|authorization)"?\s*[:=]\s*"?)[^\s"',}]{6,}/gi,
];

/**
 * A provider's text, fit to be logged and shown: configured secrets and anything shaped like one are gone, runs it
 * echoes from the prompt are gone, at most 500 bytes, well-formed. Promises nothing about echoes under 32 characters.
 */
export function redactDetail(
  text: string,
  known: { readonly secrets: readonly string[]; readonly prompt: readonly string[] },
): string {
  let clean = text.slice(0, SCAN_CHARACTERS).toWellFormed();
  for (const secret of known.secrets) if (secret.length >= 4) clean = clean.split(secret).join('[key]');
  for (const shape of SECRET_SHAPES)
    clean = clean.replace(shape, (_all, lead) => `${typeof lead === 'string' && /[=:]/.test(lead) ? lead : ''}[key]`);
  clean = removeEchoes(clean, known.prompt);
  return clipBytes(clean.replace(/\s+/g, ' ').trim(), DETAIL_BYTES);
}

/** Cuts at a character border so that the result holds at most `limit` bytes of UTF-8. */
export function clipBytes(text: string, limit: number): string {
  if (Buffer.byteLength(text) <= limit) return text;
  let used = 3;
  let kept = '';
  for (const character of text) {
    used += Buffer.byteLength(character);
    if (used > limit) break;
    kept += character;
  }
  return `${kept}…`;
}

function removeEchoes(text: string, prompt: readonly string[]): string {
  const starts = new Map<string, number[]>();
  for (let at = 0; at + ECHO_BLOCK <= text.length; at += 1) {
    const block = text.slice(at, at + ECHO_BLOCK);
    starts.set(block, [...(starts.get(block) ?? []), at]);
  }
  const echoed: [number, number][] = [];
  for (const source of prompt) {
    // A run of two blocks must hold one block that starts at a multiple of the block length, so one block in each stride is enough.
    for (let at = 0; at + ECHO_BLOCK <= source.length; at += ECHO_BLOCK) {
      for (const found of starts.get(source.slice(at, at + ECHO_BLOCK)) ?? [])
        echoed.push(growEcho({ text, source, found, at }));
    }
  }
  return blank(text, echoed);
}

function growEcho(hit: { text: string; source: string; found: number; at: number }): [number, number] {
  const { text, source, found, at } = hit;
  let before = 0;
  while (found - before > 0 && at - before > 0 && text[found - before - 1] === source[at - before - 1]) before += 1;
  let after = ECHO_BLOCK;
  while (found + after < text.length && at + after < source.length && text[found + after] === source[at + after])
    after += 1;
  return [found - before, found + after];
}

function blank(text: string, ranges: readonly (readonly [number, number])[]): string {
  let result = '';
  let from = 0;
  for (const [start, end] of [...ranges].sort((one, other) => one[0] - other[0])) {
    if (end <= from) continue;
    result += `${text.slice(from, Math.max(from, start))}[…]`;
    from = end;
  }
  return (result + text.slice(from)).toWellFormed();
}
