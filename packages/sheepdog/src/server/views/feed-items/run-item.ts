import { stopReasons } from "@sheepdog/guardian";
import type { Sentence } from "@sheepdog/web/contract";
import { counted } from "../../../render/terminal/amounts.ts";
import type { EventOf } from "../../../saved-runs/trace/run-trace.ts";
import { toUsd } from "../../../sentences/amount-text.ts";
import { firstSentence, isFiller } from "../../../sentences/first-sentence.ts";
import { loopPhrase } from "../../../sentences/loop-phrase.ts";
import { outcomeSentence } from "../../../sentences/outcome-sentence.ts";
import { plainSentence, say } from "../../../sentences/say.ts";
import { outcomeFacts } from "../run-data/outcome-facts.ts";
import type { RunData } from "../run-data/run-data.ts";
import type { ItemContext, ItemDraft } from "./item-draft.ts";

/** The start of a run. */
export function startItem({ prompt, isResumed }: EventOf<"RunStarted">): ItemDraft {
  return { kind: "started", sentence: say`${isResumed === true ? "Resumed" : "Started"}: ${firstSentence(prompt)}` };
}

/** The end of a run: what came of it, and what was done. */
export function endItem({ result }: EventOf<"RunComplete"> | EventOf<"RunError">, { data }: ItemContext): ItemDraft {
  const facts = outcomeFacts(data);
  const costUsd = toUsd(result.costWithSubagentsNanoUsd ?? result.costNanoUsd);
  if (result.state === "completed") {
    const answer = firstSentence(isFiller(result.text) ? facts.prompt : result.text);
    return {
      kind: "ended",
      sentence: /^done\b/i.test(plainSentence(answer)) ? answer : say`Done: ${answer}`,
      status: "ok",
      statusText: null,
      costUsd,
      group: "ended",
    };
  }
  const isStopped = result.isStoppedByUser === true || result.state === "cancelled";
  const isOfGuardian = result.exitCode === 5 && !isStopped;
  const isLimit = Object.values(stopReasons).some((reason) => reason === result.reason) && !isStopped;
  const sentence =
    isOfGuardian && facts.loop !== undefined
      ? say`Ended by the guardian: ${loopPhrase(facts.loop)}`
      : outcomeSentence({ ...facts, state: result.state, reason: result.reason });
  return {
    kind: "ended",
    level: isOfGuardian ? "halt" : null,
    sentence,
    detail: workDone(data),
    status: isStopped ? null : "failed",
    statusText: null,
    costUsd,
    group: isLimit ? "money" : isOfGuardian ? "guardian" : "ended",
  };
}

/** "74 turns, 120 calls, 3 of them failed, 1 refused". */
function workDone({ summary, trace }: RunData): Sentence {
  const calls = [...trace.calls.values()];
  const refused = calls.filter(({ refusedBy }) => refusedBy !== undefined).length;
  const failed = calls.filter(({ status }) => status !== undefined && status !== "ok").length - refused;
  const parts = [
    ...(failed === 0 ? [] : [`${failed} of them failed`]),
    ...(refused === 0 ? [] : [`${refused} refused`]),
  ];
  const summed = [counted(summary.turns, "turn"), counted(calls.length, "call"), ...parts];
  return say`${summed.join(", ")}.`;
}

/** Older messages were shortened. */
export function compactionItem({ before, after }: EventOf<"ContextCompacted">, { data }: ItemContext): ItemDraft {
  const max = data.trace.start?.maxContextTokens ?? 0;
  const size = (tokens: number) => (max > 0 ? `${Math.round((100 * tokens) / max)} %` : counted(tokens, "token"));
  const of = max > 0 ? " of the context" : "";
  return { kind: "compaction", sentence: say`Compacted the history: ${size(before)}${of} down to ${size(after)}` };
}

/** A request to the model that is sent again. */
export function retryItem({ problem, waitMs, model }: EventOf<"ProviderRetry">): ItemDraft {
  const next = waitMs === 0 ? `Trying ${model} instead.` : `Trying again in ${Math.ceil((waitMs || 0) / 1_000)} s.`;
  return {
    kind: "retry",
    sentence: say`The request to the model failed: ${firstSentence(problem, 160)}`,
    detail: say`${next}`,
  };
}

/** A verdict of the judge; undefined if it only lets the run continue. */
export function goalItem({ verdict, reason }: EventOf<"JudgeVerdict">): ItemDraft | undefined {
  const detail = reason === undefined ? [] : firstSentence(reason, 200);
  if (verdict === "accept") return { kind: "goal", sentence: say`The goal is met`, detail, status: "ok" };
  if (verdict === "retry") return { kind: "goal", sentence: say`The goal is not met yet`, detail, status: "failed" };
  return verdict === "escalate"
    ? { kind: "goal", sentence: say`The goal needs your help`, detail, status: "failed" }
    : undefined;
}

/** A subagent that started or ended. */
export function subagentItem(
  event: EventOf<"ChildStarted"> | EventOf<"ChildComplete">,
  { data }: ItemContext,
): ItemDraft {
  if (event.type === "ChildStarted")
    return { kind: "subagent", sentence: say`Subagent started: ${firstSentence(event.task)}` };
  const isOk = event.reason === "answered" || event.reason === "goal_accepted";
  const start = data.events.findLast((each) => each.type === "ChildStarted" && each.childId === event.childId);
  const task = start?.type === "ChildStarted" ? firstSentence(start.task) : say`its task`;
  return {
    kind: "subagent",
    sentence: say`Subagent ${isOk ? "finished" : "ended without a result"}: ${task}`,
    status: isOk ? "ok" : "failed",
  };
}

/** A plan of a director, and its nodes. */
export function planItem(
  event: EventOf<"GraphGenerated"> | EventOf<"NodeComplete"> | EventOf<"EvolutionTriggered">,
): ItemDraft | undefined {
  switch (event.type) {
    case "GraphGenerated":
      return { kind: "plan", sentence: say`Made a plan of ${counted(event.nodes.length, "node")}` };
    case "EvolutionTriggered":
      return {
        kind: "plan",
        sentence: say`Changes its plan: ${firstSentence(event.diagnosis, 160)}`,
        status: "failed",
      };
    case "NodeComplete": {
      if (event.isEarlier === true || event.status === "skipped") return undefined;
      const isOk = event.status === "succeeded";
      return {
        kind: "plan",
        sentence: say`Node ${event.nodeId} ${event.status === "blocked" ? "was not executed" : event.status}`,
        detail: event.problem === undefined ? [] : firstSentence(event.problem, 200),
        status: isOk ? "ok" : "failed",
        costUsd: toUsd(event.costNanoUsd),
      };
    }
    default:
      return event satisfies never;
  }
}
