const NEWLINE = 10;

/** The lines of a stream of bytes, each with its newline; the last one may have none. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  for await (const chunk of chunks) {
    let rest = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      yield Buffer.concat([...parts, rest.subarray(0, end + 1)]);
      parts = [];
      rest = rest.subarray(end + 1);
    }
    if (rest.length > 0) parts.push(rest);
  }
  if (parts.length > 0) yield Buffer.concat(parts);
}
