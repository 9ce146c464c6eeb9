/**
 * Cuts a text into pieces of at most `pageBytes` (≥ 4) of UTF-8 that joined give the text again; never inside a
 * character, and at the end of a line where one is near. An empty text is one empty page.
 */
export function cutPages(text: string, pageBytes: number): readonly string[] {
  const bytes = new TextEncoder().encode(text);
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const pages: string[] = [];
  let from = 0;
  while (bytes.length - from > pageBytes) {
    const to = lineEnd(bytes, from, from + pageBytes) ?? characterEnd(bytes, from + pageBytes);
    pages.push(decoder.decode(bytes.subarray(from, to)));
    from = to;
  }
  return [...pages, decoder.decode(bytes.subarray(from))];
}

/** Past the last newline of the second half, so that pages stay well filled. */
function lineEnd(bytes: Uint8Array, from: number, to: number): number | null {
  const place = bytes.lastIndexOf(0x0a, to - 1);
  return place >= from + (to - from) / 2 ? place + 1 : null;
}

function characterEnd(bytes: Uint8Array, to: number): number {
  let end = to;
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return end;
}
