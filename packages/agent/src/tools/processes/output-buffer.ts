/** The beginning and the end of an output of any length, in bounded memory. */
export interface OutputBuffer {
  add(chunk: Uint8Array): void;
  readonly bytes: number;
  text(): string;
}

/** Creates a buffer for the first `headBytes` and the last `tailBytes` of an output. */
export function createOutputBuffer({
  headBytes,
  tailBytes,
}: {
  readonly headBytes: number;
  readonly tailBytes: number;
}): OutputBuffer {
  const head = Buffer.alloc(headBytes);
  const ring = Buffer.alloc(tailBytes);
  let bytes = 0;
  return {
    add(chunk) {
      const headPart = Math.min(chunk.length, Math.max(0, headBytes - bytes));
      head.set(chunk.subarray(0, headPart), bytes > headBytes ? headBytes : bytes);
      const rest = chunk.subarray(headPart).subarray(-tailBytes);
      const skipped = chunk.length - headPart - rest.length;
      const ringStart = (Math.max(0, bytes + headPart - headBytes) + skipped) % tailBytes;
      const first = rest.subarray(0, tailBytes - ringStart);
      ring.set(first, ringStart);
      ring.set(rest.subarray(first.length), 0);
      bytes += chunk.length;
    },
    get bytes() {
      return bytes;
    },
    text() {
      if (bytes <= headBytes) return head.toString("utf8", 0, bytes);
      const inTail = bytes - headBytes;
      if (inTail <= tailBytes) return Buffer.concat([head, ring.subarray(0, inTail)]).toString("utf8");
      const start = inTail % tailBytes;
      const tail = Buffer.concat([ring.subarray(start), ring.subarray(0, start)]);
      return `${decodeHead(head)}\n[… ${inTail - tailBytes} bytes left out here …]\n${decodeTail(tail)}`;
    },
  };
}

/** Drops the bytes of a character whose end is missing. */
function decodeHead(data: Buffer): string {
  return data.toString("utf8").replace(/\ufffd$/, "");
}

/** Drops the bytes of a character whose start is missing. */
function decodeTail(data: Buffer): string {
  let start = 0;
  while (start < 3 && ((data[start] ?? 0) & 0xc0) === 0x80) start++;
  return data.toString("utf8", start);
}
