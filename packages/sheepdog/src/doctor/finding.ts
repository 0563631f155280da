import type { CheckContext } from "./check-context.ts";

/** `warn`: Sheepdog works, with a limitation. `fail`: it does not work. */
type Status = "ok" | "warn" | "fail";

/** The result of a check in one sentence, and how to fix it. */
export interface Finding {
  readonly status: Status;
  readonly sentence: string;
  readonly fix?: string;
}

/** A check of the installation. It changes nothing. If it throws, that is a failed finding. */
export interface Check {
  readonly name: string;
  run(context: CheckContext): Promise<readonly Finding[]>;
}

/** A finding without a problem. */
export function ok(sentence: string): Finding {
  return { status: "ok", sentence };
}

/** A finding that the user should know about. */
export function warn(sentence: string, fix?: string): Finding {
  return { status: "warn", sentence, ...(fix === undefined ? {} : { fix }) };
}

/** A finding that prevents Sheepdog from working. */
export function fail(sentence: string, fix?: string): Finding {
  return { status: "fail", sentence, ...(fix === undefined ? {} : { fix }) };
}
