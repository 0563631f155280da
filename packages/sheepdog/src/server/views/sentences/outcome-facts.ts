import type { Reason } from "@sheepdog/agent";
import { type LimitName, stopReasons } from "@sheepdog/guardian";
import { isUnpricedEnd } from "../../../render/timeline/reason-text.ts";
import { isLive, type SummaryState } from "../../../saved-runs/run-state.ts";
import { type Loop, mainLoop } from "../../../saved-runs/trace/loops.ts";
import { openRequests, runningCalls } from "../../../saved-runs/trace/run-trace.ts";
import { limitStop } from "../run-data/limit-stop.ts";
import type { RunData } from "../run-data/run-data.ts";
import { callText, type DescribedCall, textField } from "./call-text.ts";

/** What the sentence about a run is made from. */
export interface OutcomeFacts {
  readonly kind: RunData["kind"];
  readonly state: SummaryState;
  readonly reason: Reason | undefined;
  readonly endedAt: number | undefined;
  readonly prompt: string;
  /** The answer, or the summary of a run without one. */
  readonly text: string;
  readonly problem: string | undefined;
  /** The last text of the agent, before the end. */
  readonly lastWords: string | undefined;
  readonly model: string | undefined;
  /** The repetition that the guardian did most about. */
  readonly loop: Loop | undefined;
  /** Calls that the guardian refused. */
  readonly refused: number;
  /** The limit that ended the run, or that a question is about. */
  readonly limit:
    | { readonly name: LimitName; readonly stop: number | undefined; readonly isUnpriced: boolean }
    | undefined;
  /** The user answered the guardian's question with "stop". */
  readonly isStoppedByAnswer: boolean;
  /** What the run waits for. */
  readonly waiting:
    | { readonly for: "question" }
    | { readonly for: "approval"; readonly call: DescribedCall }
    | { readonly for: "reply"; readonly question: string }
    | undefined;
  /** What a live run does now. */
  readonly doing:
    | { readonly type: "call"; readonly call: DescribedCall; readonly others: number }
    | { readonly type: "retry"; readonly problem: string }
    | { readonly type: "thinking" };
}

/** Collects the facts for the sentence about a run. */
export function outcomeFacts(data: RunData): OutcomeFacts {
  const { summary, trace, loops } = data;
  const { run, state } = summary;
  const isRunning = isLive(state);
  const waiting = isRunning ? waitingIn(data) : undefined;
  return {
    kind: data.kind,
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
