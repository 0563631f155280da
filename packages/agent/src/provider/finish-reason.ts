import type { ReplyStop } from "../protocol/messages.ts";
import { getField } from "./field-access.ts";

/** Why a reply ended, as its finish part says; `failed`: the provider could not complete it. */
export type FinishReason = Extract<ReplyStop, "end" | "calls" | "length" | "refused" | "incomplete"> | "failed";

/**
 * Reads the reason of a finish part. The content wins over the reason: a reply with calls ends as `calls`.
 * The AI SDK adds a finish of its own if a connection ends without one; such a finish has no raw reason.
 */
export function readFinishReason(part: unknown, hasCalls: boolean): FinishReason {
  const reason = getField(part, "finishReason");
  const unified = typeof reason === "string" ? reason : getField(reason, "unified");
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
      if (typeof reason !== "string" && getField(reason, "raw") === undefined) return "incomplete";
      return hasCalls ? "calls" : "end";
  }
}

/** Why the calls of a reply that ended this way are skipped; undefined if they may run. */
export function skippedCallProblem(stop: ReplyStop): string | undefined {
  switch (stop) {
    case "end":
    case "calls":
      return undefined;
    case "length":
    case "overlong":
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
