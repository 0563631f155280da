import type { ReplyStop } from "../protocol/messages.ts";
import { field } from "./field-access.ts";

/** How a finish part says that the reply ended; `failed`: the provider gave up on it. */
export type Finish = Extract<ReplyStop, "end" | "calls" | "length" | "refused" | "incomplete"> | "failed";

/**
 * Reads the reason of a finish part. Where it contradicts the content, the content counts: a reply with calls calls.
 * The AI SDK writes a finish of its own when a connection ends without one, and gives it away by knowing no raw reason.
 */
export function readFinish(part: unknown, hasCalls: boolean): Finish {
  const reason = field(part, "finishReason");
  const unified = typeof reason === "string" ? reason : field(reason, "unified");
  switch (unified) {
    case "length":
      return "length";
    case "content-filter":
      return "refused";
    case "error":
      return "failed";
    case "stop":
    case "tool-calls":
      return hasCalls ? "calls" : "end";
    default:
      if (typeof reason !== "string" && field(reason, "raw") === undefined) return "incomplete";
      return hasCalls ? "calls" : "end";
  }
}

/** Why the calls of a reply that ended so may not be run; undefined: they may. */
export function whyNotRun(stop: ReplyStop): string | undefined {
  switch (stop) {
    case "end":
    case "calls":
      return undefined;
    case "length":
      return "The reply was cut off at its length limit, so the call was not run";
    case "refused":
      return "The provider's filter ended the reply, so the call was not run";
    case "incomplete":
      return "The reply broke off, so the call was not run";
    case "interrupted":
      return "The reply was interrupted, so the call was not run";
    default:
      return stop satisfies never;
  }
}
