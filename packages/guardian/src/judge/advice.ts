import type { DetectorName } from "../policy.ts";
import type { Observation } from "../remembered-calls.ts";
import { isWrite } from "../signal.ts";
import type { Advice } from "./finding.ts";

/** The advice that fits a finding about this call: by how it ended, by what it complains of, by what it is. */
export function adviceFor(detector: DetectorName, newest: Observation): Advice {
  const { status, failure, complaint } = newest.outcome;
  if (status === "denied") return "refused";
  if (status === "unknown-tool" || status === "invalid-arguments" || status === "timeout") return status;
  if (failure === undefined) return adviceForSuccess(detector, newest);
  if (complaint === "edit-mismatch" && !isWrite(newest.kind)) return "read-error";
  return complaint ?? "read-error";
}

function adviceForSuccess(detector: DetectorName, newest: Observation): Advice {
  if (detector === "side-effect-repeat") return "already-done";
  if (newest.kind === "poll") return "poll";
  return detector === "same-call" || newest.kind === "unknown" ? "change-approach" : "already-known";
}
