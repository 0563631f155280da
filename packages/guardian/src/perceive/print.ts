import type { Status } from "../signal.ts";

/**
 * A set of words without the words: each is hashed, the forty smallest hashes are kept, one character each in ascending order.
 * Made and compared in `sketch.ts`. A string, so that it is plain JSON and compares fast.
 */
export type Sketch = string;

/** The fingerprint of a call. Made by `perceiveCall`; holds no argument. */
export interface CallPrint {
  /** Digest of the tool and its canonical arguments. */
  readonly exact: string;
  /** As `exact`, ignoring spacing, quoting, case, order and default values. */
  readonly loose: string;
  /** Hash of the arguments that identify what the call is about, prose left out; absent where all is prose. */
  readonly target?: string | undefined;
  /** The words of the arguments. */
  readonly words: Sketch;
}

/** Failures that call for advice of their own. */
export type Complaint = "authentication" | "rate-limit" | "timeout" | "edit-mismatch";

/** The fingerprint of an outcome. Made by `perceiveOutcome`; holds no result, but for one redacted line for the message. */
export interface OutcomePrint {
  readonly status: Status;
  /** Digest of every byte of the content. */
  readonly exact: string;
  /** Hash of the content with volatile parts masked: clocks, ids, durations; in failures all digits. */
  readonly masked: string;
  /** Hash of the content with every number masked: equal shapes with unequal `masked` differ in figures only. */
  readonly shape: string;
  /** Hash of the last line with volatile parts masked: a log that grows has a new one. */
  readonly last: string;
  /** Characters of content. */
  readonly size: number;
  /** Distinct words of content, the echo of the arguments left out, up to forty; 0 to 3 is an acknowledgement, not an answer. */
  readonly substance: number;
  /** The words of the content, the echo of the arguments left out; empty for a failure, which is compared by its complaint. */
  readonly words: Sketch;
  /** Present where the call failed, by its status or by what it says: the words of its error lines, digits left out. */
  readonly failure?: Sketch | undefined;
  /** A short answer that says there is nothing: empty, "no results", "not found". */
  readonly isNothing?: true | undefined;
  /** What kind of failure it is, where its words tell. */
  readonly complaint?: Complaint | undefined;
  /** One redacted line of at most 160 characters, for the message only; never kept in the state. */
  readonly excerpt?: string | undefined;
}

/** Turns text into a short digest. Supplied at the edge: Node callers pass SHA-256, the default is plain JavaScript. */
export interface Digest {
  readonly name: string;
  of(text: string): string;
}

/** The same without an excerpt: that is for messages, and never kept. */
export function withoutExcerpt<T extends { readonly excerpt?: string | undefined }>(quoting: T): Omit<T, "excerpt"> {
  if (quoting.excerpt === undefined) return quoting;
  const { excerpt: _, ...kept } = quoting;
  return kept;
}
