import type { AgentEvent } from "@sheepdog/agent";
import type { Intervention } from "@sheepdog/guardian";
import type { Sentence } from "@sheepdog/web/contract";
import { counted } from "../render/terminal/amounts.ts";
import { isLimit } from "../render/timeline/is-limit.ts";
import type { NumberedCall } from "../saved-runs/notice-effect.ts";
import type { RunTrace } from "../saved-runs/trace/run-trace.ts";
import { timesText } from "./amount-text.ts";
import { commandOf } from "./call-text.ts";
import { firstSentence } from "./first-sentence.ts";
import { code, say, strong } from "./say.ts";

/** What a sentence about an intervention is made from. */
export interface FactContext {
  readonly calls: readonly NumberedCall[];
  readonly trace: Pick<RunTrace, "calls">;
  readonly events: readonly AgentEvent[];
}

/** What happened, as one sentence: "The same command failed 4 times with the same error." */
export function interventionFact(intervention: Intervention, context: FactContext): Sentence {
  const { detector, count, times = Math.round(count), tool = "a tool", message, denies } = intervention;
  const often = strong(timesText(times));
  const call = subjectOf(intervention, context);
  const verb = isCommand(intervention, context) ? "run" : "made";
  const between = inBetween(intervention, context);
  if (isLimit(detector)) return say`${firstSentence(message, 200)}.`;
  if (denies !== undefined) return say`${call} came again, and it was refused.`;
  switch (detector) {
    case "failing-call":
      return say`${call} failed ${often} with the same error${between}.`;
    case "doom-loop":
    case "same-call":
    case "seed-ryvos":
    case "seed-aar":
    case "seed-llm-rb":
      return say`${call} was ${verb} ${often} with the same result${between}.`;
    case "side-effect-repeat":
      return say`${call} was done ${often}, and it had succeeded the first time.`;
    case "cycle":
      return say`The same calls were made in turn ${often}, each with the result it had before.`;
    case "failing-tool":
      return say`${code(tool)} failed ${often} with the same error, whatever its arguments were.`;
    case "failing-run":
      return say`${strong(counted(times, "call"))} failed, and nothing in between brought anything new.`;
    case "no-progress":
      return say`${strong(counted(times, "call"))} to ${code(tool)} brought nothing new.`;
    case "denial":
      return say`${strong(counted(times, "call"))} in a row ${times === 1 ? "was" : "were"} refused.`;
    case "stuck-child":
      return say`${strong(counted(times, "subagent"))} in a row got stuck.`;
    case "refused-answers":
      return say`The judge refused ${strong(counted(times, "answer"))} in a row.`;
    case "compaction":
      return say`The history was compacted ${often} in a row, and the context is still full.`;
    default:
      return say`${firstSentence(message, 200)}.`; // the guardian's own words about texts, time and subagents
  }
}

function isCommand({ evidence }: Intervention, { calls }: FactContext): boolean {
  const shown = evidence.flatMap((index) => calls[index] ?? []);
  return shown.length > 0 && shown.every(({ input }) => commandOf(input) !== undefined);
}

function subjectOf(intervention: Intervention, context: FactContext): Sentence {
  const { evidence, tool } = intervention;
  const { calls } = context;
  const shown = evidence.flatMap((index) => calls[index] ?? []);
  const distinct = new Set(shown.map(({ tool: name, input }) => JSON.stringify([name, input])));
  const same = distinct.size > 1 ? "Nearly the same" : "The same";
  if (isCommand(intervention, context)) return say`${same} command`;
  return tool === undefined ? say`${same} call` : say`${same} call to ${code(tool)}`;
}

/** What lay between the calls, if that is known: nothing at all, or nothing that changes anything. */
function inBetween({ evidence }: Intervention, { calls, trace, events }: FactContext): string {
  const [first, last] = [evidence[0], evidence.at(-1)];
  if (first === undefined || last === undefined || last <= first) return "";
  const others = calls.slice(first, last).filter((_, offset) => !evidence.includes(first + offset));
  const timeOf = (index: number) => trace.calls.get(calls[index]?.id ?? "")?.startedAt ?? 0;
  const hasUserWritten = events.some(
    ({ type, at }) => type === "UserMessage" && at > timeOf(first) && at < timeOf(last),
  );
  if (others.length === 0)
    return hasUserWritten ? ", although you wrote to it in between" : ", and nothing else was done in between";
  const isHarmless = ({ id }: NumberedCall) => {
    const call = trace.calls.get(id);
    return call?.kind === "read" || call?.kind === "poll" || (call?.status !== undefined && call.status !== "ok");
  };
  return others.every(isHarmless) ? ", and nothing else changed in between" : "";
}
