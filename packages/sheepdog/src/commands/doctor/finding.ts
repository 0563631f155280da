import type { CheckContext } from "./check-context.ts";

/** How bad something is: `warn` can be lived with, `fail` cannot. */
type Status = "ok" | "warn" | "fail";

/** What was seen, in one sentence, and what to do about it. */
export interface Finding {
  readonly status: Status;
  readonly sentence: string;
  readonly fix?: string;
}

/** Something to look at. It changes nothing; where it throws, that is its finding. */
export interface Check {
  readonly name: string;
  run(world: CheckContext): Promise<readonly Finding[]>;
}

/** All is well. */
export function ok(sentence: string): Finding {
  return { status: "ok", sentence };
}

/** It works, but somebody should know. */
export function warn(sentence: string, fix?: string): Finding {
  return { status: "warn", sentence, ...(fix === undefined ? {} : { fix }) };
}

/** It does not work. */
export function fail(sentence: string, fix?: string): Finding {
  return { status: "fail", sentence, ...(fix === undefined ? {} : { fix }) };
}
