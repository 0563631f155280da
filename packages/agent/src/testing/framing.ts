/** How server-sent events are laid out in bytes. All of it is allowed by the specification, and a reader has to bear it. */
export interface Framing {
  /** Bytes in a chunk of the body; 1 splits every line, every word and every character of more than one byte. */
  readonly chunkBytes?: number;
  readonly lineEnd?: "\n" | "\r\n" | "\r";
  /** The JSON is spread over several `data:` lines. */
  readonly isMultiLine?: boolean;
  /** The body begins with a byte order mark. */
  readonly hasBom?: boolean;
}
