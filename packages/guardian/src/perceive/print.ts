/** How a call ended. */
export const statuses = [
  "ok",
  "error",
  "denied",
  "timeout",
  "unknown-tool",
  "invalid-arguments",
  "interrupted",
] as const;
export type Status = (typeof statuses)[number];

/**
 * A set of words without the words: each word is hashed, and the forty smallest hashes are stored,
 * one character each in ascending order. Made and compared in `sketch.ts`. A string, so that it is plain JSON.
 */
export type Sketch = string;

/** The fingerprint of a call. Made by `perceiveCall`; holds no argument. */
export interface CallPrint {
  /** Digest of the tool and its canonical arguments. */
  readonly exact: string;
  /** As `exact`, ignoring spacing, quoting, case, order and default values. */
  readonly loose: string;
  /** Hash of the arguments that identify what the call is about, without prose; absent when all arguments are prose. */
  readonly target?: string | undefined;
  /** The words of the arguments. */
  readonly words: Sketch;
  /** Hash of the numbers in the arguments, in their order; absent without numbers. */
  readonly figures?: string | undefined;
  /** A command whose exit code 1 means that nothing was found. */
  readonly isSearch?: true | undefined;
}

/** Failures that are treated in their own way. `absent`: something is not there. */
export type Complaint = "authentication" | "rate-limit" | "timeout" | "edit-mismatch" | "absent";

/**
 * The fingerprint of an outcome. Made by `perceiveOutcome`; holds no result except one redacted line for the message.
 */
export interface OutcomePrint {
  readonly status: Status;
  /** Digest of the whole content. */
  readonly exact: string;
  /** Hash of the content with volatile parts masked: clocks, ids, durations; in failures all digits. */
  readonly masked: string;
  /** Hash of the content with every number masked. Equal shapes with different `masked` differ in figures only. */
  readonly shape: string;
  /** Hash of the last line with volatile parts masked: a log that grows has a new one. */
  readonly last: string;
  /** Characters of content. */
  readonly size: number;
  /**
   * Distinct words of content without the echoed arguments, at most forty. 0 to 3 is an acknowledgement, not an
   * answer.
   */
  readonly substance: number;
  /** The words of the content without the echoed arguments; empty for a failure, which is compared by `failure`. */
  readonly words: Sketch;
  /** Present when the call failed, by its status or by its text: the words of its error lines, without digits. */
  readonly failure?: Sketch | undefined;
  /** A short answer that says there is nothing: empty, "no results", "not found". */
  readonly isNothing?: true | undefined;
  /** The type of failure, when its words tell it. */
  readonly complaint?: Complaint | undefined;
  /** One redacted line of at most 160 characters, for the message only; never stored in the state. */
  readonly excerpt?: string | undefined;
}

/** Turns text into a short digest of letters, digits and `_ + / = -`. Node callers pass SHA-256. */
export interface Digest {
  readonly name: string;
  of(text: string): string;
}

/** A copy without the excerpt, which is for messages and never stored. */
export function withoutExcerpt<T extends { readonly excerpt?: string | undefined }>(quoting: T): Omit<T, "excerpt"> {
  const { excerpt: _, ...stored } = quoting;
  return stored;
}
