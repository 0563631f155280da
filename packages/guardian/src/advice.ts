import type { Advice } from "./finding.ts";
import { hashWord } from "./hash.ts";
import type { DetectorName } from "./policy.ts";
import { holds } from "./sketch.ts";
import type { Observation } from "./state.ts";

/** The advice that fits a finding about this call: by how it ended, by what it is, by the words of its complaint. */
export function adviceFor(detector: DetectorName, newest: Observation): Advice {
  const { status, failure } = newest.outcome;
  if (status === "denied") return "refused";
  if (status === "unknown-tool") return "unknown-tool";
  if (status === "invalid-arguments") return "invalid-arguments";
  if (status === "timeout") return "timeout";
  if (failure === undefined) return adviceForSuccess(detector, newest);
  const complains = holds(failure);
  return complaints.find(([, words]) => words.some(complains))?.[0] ?? "read-error";
}

function adviceForSuccess(detector: DetectorName, newest: Observation): Advice {
  if (detector === "side-effect-repeat") return "already-done";
  if (newest.kind === "poll") return "poll";
  return detector === "doom-loop" || detector === "no-progress" || detector === "cycle" ? "already-known" : "change-approach";
}

const complaints = (
  [
    ["authentication", "unauthorized unauthorised forbidden authentication authenticate credentials 401 403"],
    ["rate-limit", "ratelimit throttled 429 overloaded quota 503"],
    ["timeout", "timeout"],
    ["edit-mismatch", "oldstring unmatched hunk"],
  ] as const
).map(([advice, words]) => [advice, words.split(" ").map(hashWord)] as const);
