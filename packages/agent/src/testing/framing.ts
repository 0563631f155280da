/** The byte layout of server-sent events. The specification allows all of it, so a reader must handle it. */
export interface Framing {
  /** Bytes in a chunk of the body; 1 splits every line and every multi-byte character. */
  readonly chunkBytes?: number;
  readonly lineEnd?: "\n" | "\r\n" | "\r";
  /** The JSON is spread over several `data:` lines. */
  readonly isMultiLine?: boolean;
  /** The body starts with a byte order mark. */
  readonly hasBom?: boolean;
}
