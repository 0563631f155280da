import type { Contestant } from "../contestant.ts";
import { handWritten } from "./hand-written.ts";
import { langgraph } from "./langgraph.ts";
import { ours } from "./ours.ts";

export const handWrittenName = "hand-written loop";
export const oursName = "sheepdog";
export const langgraphName = "langchain 1.5.14, SqliteSaver 1.0.4";

/** Everybody who plays. Nothing of a peer is loaded before it is opened. */
export const contestants: Readonly<Record<string, Contestant>> = {
  [handWrittenName]: handWritten,
  [oursName]: ours,
  [langgraphName]: langgraph,
};

/** A contestant by its name. */
export function contestantOf(name: string | undefined): Contestant {
  const found = contestants[name ?? ""];
  if (found === undefined) throw new Error(`Expected one of ${Object.keys(contestants).join(", ")}; got ${name}.`);
  return found;
}
