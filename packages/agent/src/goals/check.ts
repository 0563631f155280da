/** What a check of the runtime's option `checks` gets. */
export interface CheckInput {
  /** The text of the newest reply. */
  readonly output: string;
  /** The absolute path of the folder where tools work. */
  readonly workspace: string;
  readonly signal: AbortSignal;
}

/** A check in code. Returns whether it passed, or a sentence about what is missing. */
export type Check = (input: CheckInput) => boolean | string | Promise<boolean | string>;
