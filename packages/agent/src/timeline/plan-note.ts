import type { AgentEvent } from "../protocol/events.ts";
import { dollars } from "./amount-text.ts";
import type { Item, PlanItem } from "./item.ts";
import { planSize } from "./plan-stages.ts";

type EventOf<Type extends AgentEvent["type"]> = Extract<AgentEvent, { type: Type }>;

const MAX_PROBLEMS = 3;
/** Characters of a problem or a diagnosis: a line is enough while the run is watched. */
const MAX_CHARS = 240;

/**
 * The sentence that an event of a director shows in the timeline; undefined for other events. A rejected plan is a
 * note: it has no graph.
 */
export function planNote(event: AgentEvent, turn: number): Item | undefined {
  const { seq, at } = event;
  const note = (severity: PlanItem["severity"], text: string): PlanItem => ({
    type: "plan",
    turn,
    severity,
    text,
    seq,
    at,
  });
  switch (event.type) {
    case "GraphGenerated":
      return note("info", planText(event));
    case "GraphRejected":
      return { ...note("warning", `Plan rejected: ${problemsText(event.problems)}`), type: "note" };
    case "EvolutionTriggered":
      return note("warning", evolutionText(event));
    case "NodeStarted":
      return {
        ...note("info", `Node ${oneLine(event.nodeId)} ${event.isResumed ? "continued" : "started"}.`),
        nodeId: event.nodeId,
      };
    case "NodeComplete":
      return { ...note(event.status === "failed" ? "warning" : "info", nodeEndText(event)), nodeId: event.nodeId };
    default:
      return undefined;
  }
}

function planText({ cycle, nodes, edges, kept, isResumed }: EventOf<"GraphGenerated">): string {
  const name = isResumed ? `Plan ${cycle + 1} continued` : `Plan ${cycle + 1}`;
  return `${name}: ${planSize(nodes, edges)}${kept.length === 0 ? "" : `; ${kept.length} kept from earlier plans`}.`;
}

function problemsText(problems: readonly string[]): string {
  const shown = problems.slice(0, MAX_PROBLEMS).map((problem) => shortened(problem).replace(/\.$/, ""));
  const more = problems.length > MAX_PROBLEMS ? ` (and ${problems.length - MAX_PROBLEMS} more)` : "";
  return `${shown.join("; ")}${more}.`;
}

function evolutionText({ cycle, maxCycles, diagnosis, failed }: EventOf<"EvolutionTriggered">): string {
  const nodes = failed.length === 0 ? "" : ` at ${failed.map(oneLine).join(", ")}`;
  return `The plan failed${nodes}. Evolution ${cycle} of ${maxCycles}: ${shortened(diagnosis)}`;
}

/** `Node build failed ($0.02): the tests do not pass` */
function nodeEndText({ nodeId, status, costNanoUsd, problem, isEarlier }: EventOf<"NodeComplete">): string {
  const cost =
    costNanoUsd === undefined ? "" : ` (${costNanoUsd === null ? "price unknown" : dollars(costNanoUsd / 1e9)})`;
  const head = `Node ${oneLine(nodeId)} ${status}${isEarlier ? " before the interruption" : ""}${cost}`;
  return problem === undefined ? `${head}.` : `${head}: ${shortened(problem)}`;
}

function shortened(text: string): string {
  const line = oneLine(text);
  return line.length > MAX_CHARS ? `${line.slice(0, MAX_CHARS)}...` : line;
}

/** White space, control characters, and marks that change the direction of text. */
const unprintable = /[\s\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+/gu;

function oneLine(text: string): string {
  return text.replace(unprintable, " ").trim();
}
