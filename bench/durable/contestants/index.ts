import { baselineName, baselineRoot, oursName, ownRoot } from "../../measure/baseline.ts";
import type { Contestant } from "../contestant.ts";
import { handWrittenLoop } from "./hand-written-loop.ts";
import { langgraph } from "./langgraph.ts";
import { durableRuntime } from "./runtime.ts";

export { baselineName, oursName };
export const handWrittenName = "hand-written loop";
export const langgraphName = "langchain 1.5.14, SqliteSaver 1.0.4";

/** All contestants. No code of a peer is imported before it is loaded. */
export const contestants: Readonly<Record<string, Contestant>> = {
  [handWrittenName]: handWrittenLoop,
  [oursName]: durableRuntime(ownRoot),
  ...(baselineRoot === undefined ? {} : { [baselineName]: durableRuntime(baselineRoot) }),
  [langgraphName]: langgraph,
};

/** Throws when there is no contestant of this name. */
export function contestantNamed(name: string | undefined): Contestant {
  const contestant = contestants[name ?? ""];
  if (contestant === undefined) throw new Error(`Expected one of ${Object.keys(contestants).join(", ")}; got ${name}.`);
  return contestant;
}
