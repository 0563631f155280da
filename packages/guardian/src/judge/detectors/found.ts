import type { DetectorName } from "../../policy.ts";
import { adviceFor } from "../advice.ts";
import type { Finding } from "../finding.ts";
import type { Sight } from "../sight.ts";

/** A finding about the newest call. */
export function found(
  detector: DetectorName,
  sight: Sight,
  seen: { readonly count: number; readonly evidence: readonly number[]; readonly cause: string },
): Finding {
  const { newest } = sight;
  return {
    detector,
    cause: `${detector}:${seen.cause}`,
    count: seen.count,
    evidence: seen.evidence,
    tool: newest.tool,
    words: newest.call.words,
    prints: [newest.call.exact, newest.call.loose],
    advice: adviceFor(detector, newest),
  };
}
