import type { AgentEvent } from "@sheepdog/agent";
import { limitUnits } from "../../config/policy/limit-units.ts";
import type { Item } from "./item.ts";

/** The sentence an event is worth by itself; undefined for those that are part of something else, or of no interest to a person. */
export function noteOf(event: AgentEvent, turn: number): Item | undefined {
  const note = (severity: "info" | "warning" | "error", text: string): Item => ({ type: "note", turn, severity, text });
  switch (event.type) {
    case "ProviderRetry":
      return note("warning", retryWords(event));
    case "ContextCompacted":
      return note("info", `The context was made smaller: ${event.before} → ${event.after} tokens (${event.strategy}).`);
    case "MemoryFlushed":
      return event.facts === 0
        ? undefined
        : note(
            "info",
            `Remembered ${event.facts === 1 ? "1 fact" : `${event.facts} facts`} before the context was made smaller.`,
          );
    case "ApprovalResolved":
      return note(
        "info",
        event.isAllowed ? "Allowed." : `Refused${event.reason === undefined ? "." : `: ${event.reason}`}`,
      );
    case "JudgeVerdict":
      return note("info", `The judge says: ${event.verdict}${event.reason === undefined ? "." : ` (${event.reason})`}`);
    case "ChildStarted":
      return note("info", `A subagent begins: ${event.task}`);
    case "ChildComplete":
      return note("info", `A subagent has ended: ${event.reason}.`);
    case "LimitChanged":
      return note("info", `The limit ${event.limit} was set anew: ${limitWords(event)}.`);
    case "GuardianMuted":
      return note(
        "info",
        `The guardian leaves ${event.detector ?? "everything"} alone${event.tool === undefined ? "" : ` for ${event.tool}`} from now on.`,
      );
    default:
      return undefined;
  }
}

/** Without a wait another model is asked. */
function retryWords({ problem, waitMs, attempt, model }: Extract<AgentEvent, { type: "ProviderRetry" }>): string {
  const next = waitMs === 0 ? `${model} is asked instead` : `attempt ${attempt} in ${(waitMs / 1_000).toFixed(1)} s`;
  return `The request failed (${problem.replace(/\.$/, "")}); ${next}.`;
}

function limitWords({ limit, stop = 0 }: Extract<AgentEvent, { type: "LimitChanged" }>): string {
  return stop === 0 ? "there is none any more" : limitUnits[limit].show(stop);
}
