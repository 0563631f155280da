import { isWrite } from "../perceive/tool-kind.ts";
import type { DetectorName } from "../policy/detector-rungs.ts";
import type { Advice } from "../state/finding.ts";
import type { Observation } from "../state/observation.ts";

/** The advice for a finding about this call, by its status, its complaint and its kind. */
export function adviceFor(detector: DetectorName, newest: Observation): Advice {
  const { status, failure, complaint } = newest.outcome;
  if (status === "denied") return "refused";
  if (status === "unknown-tool" || status === "invalid-arguments" || status === "timeout") return status;
  if (failure === undefined) return adviceForSuccess(detector, newest);
  if (complaint === "edit-mismatch" && !isWrite(newest.kind)) return "read-error";
  return complaint === undefined || complaint === "absent" ? "read-error" : complaint;
}

function adviceForSuccess(detector: DetectorName, { kind }: Observation): Advice {
  if (detector === "side-effect-repeat") return "already-done";
  if (kind === "poll") return "poll";
  return detector === "same-call" || kind === "unknown" ? "change-approach" : "already-known";
}
