/** What a body holds, as its pieces come: the name of the one file in a form, and bytes of it. */
export type UploadPiece =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array };

export interface UploadStep {
  readonly state: UploadState;
  readonly pieces: readonly UploadPiece[];
}

/**
 * A form between two pieces. `before`: no file has begun; `file`: within the first one; `after`: what follows it is let
 * go. `rest` is what may still turn out to be a boundary or a head: never longer than both.
 */
export interface UploadState {
  readonly at: 'before' | 'file' | 'after';
  readonly boundary: string;
  readonly rest: Uint8Array;
}

const MOST_HEAD_BYTES = 16_384;

/** Null where the content type names no boundary. */
export function startUpload(contentType: string): UploadState | null {
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]{1,200})"|([^\s;]{1,200}))/i.exec(contentType) ?? [];
  const boundary = quoted ?? bare;
  return boundary === undefined ? null : { at: 'before', boundary, rest: new Uint8Array() };
}

/** Takes the next bytes of a form. Null for what is none: a head that never ends. */
export function readUpload(state: UploadState, chunk: Uint8Array): UploadStep | null {
  const bytes = Buffer.concat([state.rest, chunk]);
  if (state.at === 'after') return { state: { ...state, rest: new Uint8Array() }, pieces: [] };
  if (state.at === 'file') return readFile(state, bytes);
  const [from, to] = findHead(bytes, state.boundary);
  if (to < 0) {
    if (bytes.length - from > MOST_HEAD_BYTES) return null;
    return { state: { ...state, rest: bytes.subarray(from) }, pieces: [] };
  }
  const head = bytes.toString('utf8', from, to);
  const [, name] = /filename="([^"]*)"/.exec(head) ?? [];
  const body = bytes.subarray(to + 4);
  // A field that is no file: what follows its head is looked through for the next one.
  if (name === undefined) return readUpload({ ...state, rest: new Uint8Array() }, body);
  const step = readFile({ ...state, at: 'file', rest: new Uint8Array() }, body);
  return { state: step.state, pieces: [{ kind: 'name', name }, ...step.pieces] };
}

/** Where the head behind the first boundary begins, or what must be kept to find one; and where it ends, or -1. */
function findHead(bytes: Buffer, boundary: string): readonly [number, number] {
  const mark = `--${boundary}\r\n`;
  const from = bytes.indexOf(mark);
  if (from < 0) return [Math.max(0, bytes.length - mark.length), -1];
  return [from, bytes.indexOf('\r\n\r\n', from)];
}

function readFile(state: UploadState, bytes: Buffer): UploadStep {
  const mark = `\r\n--${state.boundary}`;
  const end = bytes.indexOf(mark);
  const sure = end >= 0 ? end : Math.max(0, bytes.length - mark.length);
  const pieces: UploadPiece[] = sure > 0 ? [{ kind: 'bytes', bytes: bytes.subarray(0, sure) }] : [];
  if (end >= 0) return { state: { ...state, at: 'after', rest: new Uint8Array() }, pieces };
  return { state: { ...state, rest: bytes.subarray(sure) }, pieces };
}
