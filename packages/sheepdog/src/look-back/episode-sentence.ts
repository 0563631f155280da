import type { FoundEpisode } from "@sheepdog/records";
import type { Sentence } from "@sheepdog/web/contract";
import { loopPhrase } from "../sentences/loop-phrase.ts";
import { capitalized } from "../sentences/say.ts";
import type { PlacedCall } from "./placed-calls.ts";

/** What repeated and how often. */
export function episodeSentence(
  { detector, tool, times }: Pick<FoundEpisode, "detector" | "tool" | "times">,
  calls: readonly PlacedCall[],
): Sentence {
  const distinct = new Map(calls.map(({ call }) => [JSON.stringify([call.name, call.args]), call]));
  const described = [...distinct.values()].map(({ name, args }, index) => ({
    id: String(index),
    tool: name,
    input: args,
  }));
  const name = tool ?? calls.at(-1)?.call.name;
  return capitalized(loopPhrase({ detector, calls: described, times, tool: name }));
}
