import type { AgentEvent } from "@sheepdog/agent";
import type { FeedItem } from "@sheepdog/web/contract";
import { interventionHistory, noticeEffect } from "../../../saved-runs/notice-effect.ts";
import type { RunData } from "../run-data/run-data.ts";
import { projectOf } from "../run-index/run-row.ts";
import { askItem, callItem, refusedItem } from "./call-item.ts";
import { interventionItem, opinionItem, questionItem, recoveredItem } from "./guardian-item.ts";
import type { ItemContext, ItemDraft } from "./item-draft.ts";
import { answerItem, approvalItem, approvedItem, lessonItem, limitItem, messageItem, muteItem } from "./person-item.ts";
import { compactionItem, endItem, goalItem, planItem, retryItem, startItem, subagentItem } from "./run-item.ts";

/** The notable events of a run as items of the feed, oldest first. Their position is added by the page. */
export function feedItems(data: RunData): readonly Omit<FeedItem, "position">[] {
  const history = interventionHistory(data.events, data.summary.run.runId, data.calls);
  const byId = new Map(history.interventions.map((intervention) => [intervention.id, intervention]));
  const context: ItemContext = {
    data,
    followed: (id) => {
      const intervention = byId.get(id);
      return intervention === undefined ? null : noticeEffect(intervention, history).followed;
    },
    lastCommand: undefined,
    toldTexts: new Set(),
  };
  const project = projectOf(data.summary.run.workspace);
  return data.events.flatMap((event) => {
    const draft = draftOf(event, context);
    if (draft === undefined) return [];
    const item = { ...itemOf(event, draft), project };
    return [data.summary.isDemo ? { ...item, costUsd: null } : item]; // nothing was paid for a demo
  });
}

function draftOf(event: AgentEvent, context: ItemContext): ItemDraft | undefined {
  switch (event.type) {
    case "RunStarted":
      return startItem(event);
    case "RunComplete":
    case "RunError":
      return endItem(event, context);
    case "GuardianIntervention":
      return interventionItem(event, context);
    case "GuardianRecovered":
      return recoveredItem(event, context);
    case "OpinionGiven":
      return opinionItem(event);
    case "QuestionAsked":
      return questionItem(event, context);
    case "QuestionAnswered":
      if (event.text !== undefined) context.toldTexts.add(event.text);
      return answerItem(event);
    case "ApprovalRequested":
      return approvalItem(event);
    case "ApprovalResolved":
      return approvedItem(event, context);
    case "LessonLearned":
      return lessonItem(event);
    case "GuardianMuted":
    case "GuardianUnmuted":
      return muteItem(event);
    case "LimitChanged":
      return limitItem(event);
    case "ToolStart":
      return askItem(event);
    case "ToolEnd":
      return callItem(event, context);
    case "ToolBlocked":
      return refusedItem(event, context);
    case "ContextCompacted":
      return compactionItem(event, context);
    case "ProviderRetry":
      return retryItem(event);
    case "JudgeVerdict":
      return goalItem(event);
    case "ChildStarted":
    case "ChildComplete":
      return subagentItem(event, context);
    case "GraphGenerated":
    case "NodeComplete":
    case "EvolutionTriggered":
      return planItem(event);
    case "UserMessage":
      return context.toldTexts.delete(event.text) ? undefined : messageItem(event.text);
    default:
      return undefined;
  }
}

function itemOf({ sessionId, seq, at, runId }: AgentEvent, draft: ItemDraft): Omit<FeedItem, "position" | "project"> {
  return {
    key: `${sessionId}:${seq}`,
    seq,
    at,
    runId,
    sessionId,
    level: null,
    isApplied: true,
    detail: [],
    status: null,
    statusText: null,
    costUsd: null,
    group: "other",
    ...draft,
  };
}
