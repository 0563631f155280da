import { type LimitName, stopReasons } from "@sheepdog/guardian";
import { isUnpricedEnd } from "../../../render/timeline/reason-text.ts";
import { isLive } from "../../../saved-runs/run-state.ts";
import { mainLoop } from "../../../saved-runs/trace/loops.ts";
import { openRequests, runningCalls } from "../../../saved-runs/trace/run-trace.ts";
import { callText, textField } from "../../../sentences/call-text.ts";
import type { OutcomeFacts } from "../../../sentences/outcome-facts.ts";
import { limitStop } from "./limit-stop.ts";
import type { RunData } from "./run-data.ts";

/** Collects the facts for the sentence about a run. */
export function outcomeFacts(data: RunData): OutcomeFacts {
  const { summary, trace, loops } = data;
  const { run, state } = summary;
  const isRunning = isLive(state);
  const waiting = isRunning ? waitingIn(data) : undefined;
  return {
    kind: data.recorded?.isAttached ? "run" : data.kind,
    state,
    reason: run.reason,
    endedAt: run.endedAt,
    prompt: run.prompt,
    text: run.text ?? trace.end?.result.text ?? "",
    problem: trace.end?.result.problem,
    lastWords: data.lastWords,
    model: run.model,
    loop: mainLoop(loops),
    refused: [...trace.calls.values()].filter(({ refusedBy }) => refusedBy === "guardian").length,
    limit: limitIn(data),
    isStoppedByAnswer: summary.ended.isStoppedByUser === true,
    waiting,
    doing: doingIn(data),
  };
}

function waitingIn({ trace }: RunData): OutcomeFacts["waiting"] {
  const { questions, approvals, replies } = openRequests(trace);
  const [approval] = approvals;
  const [reply] = replies;
  if (questions.length > 0) return { for: "question" };
  if (approval !== undefined) return { for: "approval", call: approval.event };
  if (reply === undefined) return undefined;
  return { for: "reply", question: textField(reply.input, ["question"]) ?? callText(reply) };
}

/** The limit behind the end of the run, or behind the open question. */
function limitIn({ summary, trace }: RunData): OutcomeFacts["limit"] {
  const asked = openRequests(trace).questions[0]?.question.intervention.detector;
  const { reason } = summary.run;
  const names = Object.keys(stopReasons) as LimitName[]; // a record has exactly its own keys
  const name = names.find((each) => each === asked || (reason !== undefined && stopReasons[each] === reason));
  if (name === undefined) return undefined;
  const interventions = trace.interventions.map(({ intervention }) => intervention);
  const isUnpriced = reason !== undefined && isUnpricedEnd({ reason, interventions });
  const ofSummary = name === "run-cost" ? summary.limits.costNanoUsd : undefined;
  return { name, stop: limitStop(trace.limits, name) ?? ofSummary, isUnpriced };
}

function doingIn({ trace, startedCalls }: RunData): OutcomeFacts["doing"] {
  const announced = runningCalls(trace);
  const running = announced.length > 0 ? announced : startedCalls;
  const call = running.at(-1);
  if (call !== undefined) return { type: "call", call, others: running.length - 1 };
  return trace.retry === undefined ? { type: "thinking" } : { type: "retry", problem: trace.retry.problem };
}
