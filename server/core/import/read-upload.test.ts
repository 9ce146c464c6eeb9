import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readUpload, startUpload, type UploadPiece } from './read-upload';

function readAll(contentType: string, body: Uint8Array, cuts: readonly number[]) {
  let state = startUpload(contentType);
  const pieces: UploadPiece[] = [];
  let from = 0;
  for (const cut of [...cuts, body.length]) {
    const step = state === null ? null : readUpload(state, body.subarray(from, cut));
    if (step === null) return null;
    state = step.state;
    pieces.push(...step.pieces);
    from = cut;
  }
  return {
    at: state?.at,
    name: pieces.flatMap((piece) => (piece.kind === 'name' ? [piece.name] : [])),
    bytes: Buffer.concat(pieces.flatMap((piece) => (piece.kind === 'bytes' ? [piece.bytes] : []))),
  };
}

describe('reading an upload as it comes', () => {
  it('law: gives the file of any form byte for byte, however the network cuts it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 300 }),
        fc.boolean(),
        fc.array(fc.nat(), { maxLength: 6 }),
        async (content, withField, places) => {
          const form = new FormData();
          if (withField) form.append('why', 'because\r\n--');
          form.append('file', new File([content], 'a log.jsonl'));
          form.append('more', new File(['not this'], 'other.txt'));
          const made = new Response(form);
          const type = made.headers.get('content-type') ?? '';
          const body = new Uint8Array(await made.arrayBuffer());
          const cuts = places.map((place) => place % body.length).sort((a, b) => a - b);
          const read = readAll(type, body, cuts);
          expect(read).toMatchObject({ at: 'after', name: ['a log.jsonl'] });
          expect(read?.bytes.equals(content)).toBe(true);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('finds no file where there is none, and no form without a boundary or an end of its head', () => {
    expect(startUpload('multipart/form-data')).toBeNull();
    const type = 'multipart/form-data; boundary="b"';
    expect(
      readAll(type, Buffer.from('--b\r\nContent-Disposition: form-data; name="x"\r\n\r\n1\r\n--b--'), [])?.at,
    ).toBe('before');
    expect(readAll(type, Buffer.from(`--b\r\n${'x'.repeat(20_000)}`), [])).toBeNull();
  });
});
