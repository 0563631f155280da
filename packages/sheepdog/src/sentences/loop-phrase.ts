import type { Sentence } from "@sheepdog/web/contract";
import { counted } from "../render/terminal/amounts.ts";
import type { Loop } from "../saved-runs/trace/loops.ts";
import { timesText } from "./amount-text.ts";
import { callText, commandOf } from "./call-text.ts";
import { code, say } from "./say.ts";

/** What a phrase about a repetition needs. */
export type RepeatedCalls = Pick<Loop, "detector" | "calls" | "times" | "tool">;

/** What repeated and how often, as the beginning of a sentence: "`npm run migrate` failed 212 times the same way". */
export function loopPhrase(loop: RepeatedCalls): Sentence {
  const { detector, times, tool = "a tool" } = loop;
  const often = timesText(times);
  switch (detector) {
    case "failing-call":
      return differ(loop)
        ? say`${similar(loop, "call")} failed the same way${example(loop)}`
        : say`${subject(loop)} failed ${often} the same way`;
    case "failing-tool":
      return toolsOf(loop).length > 1
        ? say`${counted(times, "call")} to ${toolNames(loop)} failed`
        : say`${code(tool)} failed ${often} with the same error`;
    case "failing-run":
      return say`${counted(times, "call")} failed, and nothing in between brought anything new`;
    case "cycle":
      return say`the same calls were made in turn ${often}${circle(loop)}`;
    case "side-effect-repeat":
      return differ(loop)
        ? say`${similar(loop, "change")} were made${example(loop)}`
        : say`${subject(loop)} was done ${often}`;
    case "doom-loop":
    case "same-call":
    case "seed-ryvos":
    case "seed-aar":
    case "seed-llm-rb":
    case "seed-tool-guardrails":
      return differ(loop)
        ? say`${similar(loop, "call")} brought the same result${example(loop)}`
        : say`${subject(loop)} was repeated ${often} with the same result`;
    case "no-progress":
      return say`${counted(times, "call")} to ${toolNames(loop)} brought nothing new`;
    case "denial":
      return say`${counted(times, "call")} in a row ${times === 1 ? "was" : "were"} refused`;
    case "chant":
      return say`the model wrote the same text over and over`;
    case "refused-answers":
      return say`${counted(times, "answer")} in a row did not meet the goal`;
    case "monologue":
      return say`${times} replies in a row said the same, and nothing was done`;
    case "stall":
      return say`nothing came for too long`;
    case "spawn":
      return say`too many subagents were started`;
    case "stuck-child":
      return say`${counted(times, "subagent")} in a row got stuck`;
    case "compaction":
      return say`the history was compacted ${often}, and the context is still full`;
    default:
      return say`the same calls were repeated ${often}`;
  }
}

/** The tools of the calls, each once; that of the last finding where no call is known. */
function toolsOf({ calls, tool = "a tool" }: RepeatedCalls): readonly string[] {
  return calls.length === 0 ? [tool] : [...new Set(calls.map((call) => call.tool))];
}

/** The guardian counts tools together that do much the same: "Edit", "Edit and Write", "Edit and 3 other tools". */
function toolNames(loop: RepeatedCalls): Sentence {
  const [first = "", second, ...others] = toolsOf(loop);
  if (second === undefined) return say`${code(first)}`;
  if (others.length === 0) return say`${code(first)} and ${code(second)}`;
  return say`${code(first)} and ${others.length + 1} other tools`;
}

/** Calls that differ are no repetition of one call, although the guardian takes them for one. */
function differ({ calls }: RepeatedCalls): boolean {
  return new Set(calls.map(({ tool, input }) => JSON.stringify([tool, commandOf(input) ?? input]))).size > 1;
}

function similar({ times }: RepeatedCalls, noun: string): string {
  return `${times.toLocaleString("en-US")} similar ${noun}${times === 1 ? "" : "s"}`;
}

function example({ calls: [first] }: RepeatedCalls): Sentence {
  return first === undefined ? [] : say`, such as ${code(callText(first))}`;
}

function subject({ calls, tool }: RepeatedCalls): Sentence {
  const [first] = calls;
  if (first !== undefined) return [code(callText(first))];
  return tool === undefined ? say`the same call` : say`the same call to ${code(tool)}`;
}

function circle({ calls }: RepeatedCalls): Sentence {
  const [first, second] = calls;
  if (first === undefined || second === undefined) return [];
  return say`: ${code(callText(first, 40))}, ${code(callText(second, 40))}${calls.length > 2 ? ", …" : ""}`;
}
