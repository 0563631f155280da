import type { Clock } from "./clock.ts";
import type { CallPart, ResultMessage } from "./messages.ts";

const unknownOutcome =
  "Outcome unknown: the run ended while this call was executing, so it may have been executed completely, in part " +
  "or not at all.";

/** Why a call has no result of its own. */
export type MissingResultReason =
  | "reply-cut-off"
  | "not-started"
  | "arguments-redacted"
  | "outcome-unknown"
  | "outcome-unknown-idempotent";

const sentences: Readonly<Record<MissingResultReason, string>> = {
  "reply-cut-off": "Not run: the reply with this call was cut off.",
  "not-started": "Not run: the run ended before this call.",
  "arguments-redacted":
    "Not run: the run ended before this call, and its saved arguments are incomplete because they contained " +
    "a secret. Make the call again.",
  "outcome-unknown": `${unknownOutcome} Check what it did before you make it again.`,
  "outcome-unknown-idempotent": `${unknownOutcome} It is safe to make it again.`,
};

/** The result of a call that was not executed, or whose result is lost. Every call has exactly one result. */
export function missingResult(
  { id, tool }: Pick<CallPart, "id" | "tool">,
  reason: MissingResultReason,
  clock: Pick<Clock, "now" | "newId">,
): ResultMessage {
  return {
    role: "tool",
    id: clock.newId("msg"),
    at: clock.now(),
    callId: id,
    tool,
    status: "interrupted",
    content: sentences[reason],
  };
}
