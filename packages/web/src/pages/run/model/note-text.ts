import type { WireEvent } from "../../../contract/index.ts";
import { counted, usd } from "../../../format/amounts.ts";
import { duration } from "../../../format/times.ts";

/** A sentence about an event that has no row of its own kind. */
export interface Note {
  readonly severity: "info" | "warning" | "error";
  readonly text: string;
  readonly topic: string | null;
}

/** The note that an event shows in the story; undefined for events without a sentence of their own. */
export function noteOf(event: WireEvent): Note | undefined {
  const note = (severity: Note["severity"], text: string, topic: string | null = null): Note => ({
    severity,
    text,
    topic,
  });
  switch (event.type) {
    case "ProviderRetry": {
      const next = event.waitMs === 0 ? `Trying ${event.model} instead.` : `Trying again in ${duration(event.waitMs)}.`;
      return note("warning", `${sentence(event.problem)} ${next}`, `retry ${event.problem}`);
    }
    case "BudgetWait":
      return note("warning", `Other requests hold the rest of the limit ${event.limit}.`, `budget ${event.limit}`);
    case "ProviderWarning":
    case "GuardFailed":
      return note("warning", sentence(event.problem));
    case "ContextCompacted":
      return note("info", compactedText(event.before, event.after), "compacted");
    case "MemoryFlushed":
      return event.facts === 0 ? undefined : note("info", `Saved ${counted(event.facts, "fact")} to the memory.`);
    case "ApprovalResolved":
      return note("info", approvalText(event.isAllowed, event.reason));
    case "LessonLearned":
      return note("info", `Learned: ${event.rule} To take it back: sheepdog memory safety remove last`);
    case "LimitChanged":
      return note("info", limitText(event.limit, event.stop ?? 0));
    case "GraphGenerated":
      return note("info", `Plan ${event.cycle + 1}: ${counted(event.nodes.length, "node")}.`);
    case "GraphRejected":
      return note("warning", `The plan cannot be executed: ${event.problems.join(" ")}`);
    case "NodeComplete":
      return note(
        event.status === "failed" ? "warning" : "info",
        `Node ${event.nodeId}: ${event.status}.${event.problem === undefined ? "" : ` ${sentence(event.problem)}`}`,
      );
    case "EvolutionTriggered":
      return note("warning", `The plan failed and is changed: ${event.diagnosis}`);
    default:
      return undefined;
  }
}

function compactedText(before: number, after: number): string {
  return `Compacted the context from ${before.toLocaleString("en-US")} to ${counted(after, "token")}.`;
}

function approvalText(isAllowed: boolean, reason: string | undefined): string {
  if (isAllowed) return "You allowed the call.";
  return reason === undefined ? "The call was not allowed." : `The call was not allowed: ${sentence(reason)}`;
}

/** The amounts of limits are in the unit of the guardian: nano-dollars, milliseconds, tokens, turns or percent. */
function limitText(limit: string, stop: number): string {
  if (stop === 0) return `The limit ${limit} was removed.`;
  const amount = limit.endsWith("-cost")
    ? usd(stop / 1e9)
    : limit === "time"
      ? duration(stop)
      : stop.toLocaleString("en-US");
  return `The limit ${limit} was changed to ${amount}.`;
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`;
}
