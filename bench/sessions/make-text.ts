const WORDS = [
  'ledger', 'payment', 'const', 'return', 'await', 'src/server/ledger.ts', 'balance', 'the', 'of', 'statement',
  'if (row.amount === 0)', 'Größe', 'überprüft', '東京', '0x1f', '2026-01-02', 'null', '"quoted"', '\\path', '=>',
  'migration', 'and', 'failed with', 'EEXIST', 'tests', '12,408', 'rows', 'index', 'commit', 'because',
]; // biome-ignore format: a list of words is read as one

/** About `bytes` of text as tools and people write it: short lines, a few letters beyond ASCII, quotes to escape. */
export function makeText(random: () => number, bytes: number): string {
  const words: string[] = [];
  let length = 0;
  while (length < bytes) {
    const word = WORDS[Math.floor(random() * WORDS.length)] ?? 'the';
    const ending = random() < 0.12 ? '\n' : ' ';
    words.push(word + ending);
    length += word.length + 1;
  }
  return words.join('');
}
