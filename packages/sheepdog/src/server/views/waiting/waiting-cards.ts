import type { Waiting } from "@sheepdog/web/contract";
import { receivingRunId } from "../../../run-commands/receiving-run.ts";
import { isLive } from "../../../saved-runs/run-state.ts";
import { openRequests } from "../../../saved-runs/trace/run-trace.ts";
import { toUsd } from "../../../sentences/amount-text.ts";
import { taskText } from "../../../sentences/first-sentence.ts";
import type { ViewContext } from "../../view-context.ts";
import { limitStop } from "../run-data/limit-stop.ts";
import type { RunData } from "../run-data/run-data.ts";
import { projectOf } from "../run-index/run-row.ts";
import { approvalCard } from "./approval-card.ts";
import type { CardFrame } from "./card-frame.ts";
import { questionCard } from "./question-card.ts";
import { replyCard } from "./reply-card.ts";

/** What waits for the user in a live run, oldest first. */
export async function waitingCards(context: ViewContext, data: RunData): Promise<readonly Waiting[]> {
  const { summary, trace } = data;
  if (!isLive(summary.state)) return [];
  const { questions, approvals, replies } = openRequests(trace);
  if (questions.length + approvals.length + replies.length === 0) return [];
  const frame: CardFrame = {
    runId: summary.run.runId,
    sessionId: summary.sessionId,
    project: projectOf(summary.run.workspace),
    task: taskText(summary.run.prompt),
    canAnswer: await context.port.canReceive(await receivingRunId(context, summary.run)),
    costUsd: toUsd(summary.costNanoUsd),
    limitUsd: toUsd(limitStop(trace.limits, "run-cost") ?? summary.limits.costNanoUsd),
    output: null,
    diff: null,
    suggestion: null,
    choices: [],
  };
  const cards = [
    ...questions.map((question) => questionCard(question, { data, frame })),
    ...(await Promise.all(approvals.map((approval) => approvalCard(approval, { context, data, frame })))),
    ...replies.map((call) => replyCard(call, frame)),
  ];
  return cards.toSorted((one, other) => one.since - other.since);
}
