/**
 * Takes keep-alives out of a server-sent-event body before the SDK parses it (case-D03): comments, `event: ping`,
 * empty data, and comments that a proxy wrapped as data. Works on whole lines of bytes, so a character cut by the
 * network is never decoded in halves (case-D01), and passes everything else on exactly as it came.
 */
export function createSseFilter(): TransformStream<Uint8Array, Uint8Array> {
  let rest = new Uint8Array(0);
  let block: Uint8Array[] = [];
  const flushBlock = (controller: TransformStreamDefaultController<Uint8Array>) => {
    if (block.length > 0 && !isKeepAlive(block)) for (const line of block) controller.enqueue(line);
    block = [];
  };
  return new TransformStream({
    transform(chunk, controller) {
      let bytes = join(rest, chunk);
      for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE)) {
        const line = bytes.subarray(0, end + 1);
        bytes = bytes.subarray(end + 1);
        block.push(line);
        if (isBlank(line)) flushBlock(controller);
      }
      rest = bytes.slice();
    },
    flush(controller) {
      if (rest.length > 0) block.push(rest);
      flushBlock(controller);
    },
  });
}

const NEWLINE = 0x0a;

function join(head: Uint8Array, tail: Uint8Array): Uint8Array {
  if (head.length === 0) return tail;
  const both = new Uint8Array(head.length + tail.length);
  both.set(head);
  both.set(tail, head.length);
  return both;
}

function isBlank(line: Uint8Array): boolean {
  return line.every((byte) => byte === NEWLINE || byte === 0x0d);
}

/** A block is a keep-alive when no line of it carries anything: judged as Latin-1, since only ASCII decides. */
function isKeepAlive(block: readonly Uint8Array[]): boolean {
  const lines = block
    .filter((line) => !isBlank(line))
    .map((line) => Buffer.from(line.subarray(0, 64)).toString('latin1').trim());
  if (lines.some((line) => /^event:\s*ping$/.test(line))) return true;
  return lines.every((line) => line.startsWith(':') || /^data:\s*(:.*)?$/.test(line) || /^(id|retry):/.test(line));
}
