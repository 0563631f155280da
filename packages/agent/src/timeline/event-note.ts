import type { AgentEvent } from "../protocol/events.ts";
import { counted, limitAmount } from "./amount-text.ts";
import { duration, wholeDuration } from "./duration.ts";
import type { NoteItem } from "./item.ts";

/** The note that an event shows in the timeline; undefined for events without a sentence of their own. */
export function eventNote(event: AgentEvent, turn: number): NoteItem | undefined {
  const { seq, at } = event;
  const note = (severity: NoteItem["severity"], text: string): NoteItem => ({
    type: "note",
    turn,
    severity,
    text,
    seq,
    at,
  });
  switch (event.type) {
    case "ProviderRetry":
      return { ...note("warning", retryText(event)), topic: event.problem };
    case "BudgetWait":
      return { ...note("warning", budgetWaitText(event)), topic: `budget ${event.limit}` };
    case "ProviderWarning":
    case "GuardFailed":
      return note("warning", event.problem);
    case "ContextCompacted":
      return note("info", compactedText(event));
    case "MemoryFlushed":
      if (event.facts === 0) return undefined;
      return note("info", `Saved ${counted(event.facts, "fact")} before compacting the context.`);
    case "ApprovalResolved":
      return note("info", approvalText(event));
    case "LessonLearned":
      return note("info", `Learned: ${event.rule} To take it back: sheepdog memory safety remove last`);
    case "QuestionAnswered":
      return note("info", answerText(event));
    case "ChildStarted":
      return note("info", `Subagent started: ${event.task}`);
    case "ChildComplete":
      return note("info", `Subagent ended: ${event.reason}.`);
    case "LimitChanged":
      return note("info", limitText(event));
    case "GuardianMuted":
      return note("info", mutedText(event));
    case "GuardianUnmuted":
      return note("info", unmutedText(event));
    default:
      return undefined;
  }
}

/** A retry without a wait goes to another model. Runs of earlier versions have no `since`. */
function retryText(event: Extract<AgentEvent, { type: "ProviderRetry" }>): string {
  const { problem, waitMs, attempt, model, since, at } = event;
  const next = waitMs === 0 ? `Trying ${model} instead` : `Attempt ${attempt} in ${duration(waitMs)}`;
  const failedSecs = Math.round((at - (since ?? at)) / 1_000);
  const failed = failedSecs > 0 ? `; the request has failed for ${wholeDuration(failedSecs)}` : "";
  return `${problem.replace(/\.$/, "")}. ${next}${failed}.`;
}

function budgetWaitText({ limit, reserved, waitMs }: Extract<AgentEvent, { type: "BudgetWait" }>): string {
  const held = limitAmount(limit, reserved);
  return `Requests in flight hold ${held} of the limit ${limit}. Trying again in ${duration(waitMs)}.`;
}

function compactedText({ before, after, strategy }: Extract<AgentEvent, { type: "ContextCompacted" }>): string {
  return `Compacted the context: ${before.toLocaleString("en-US")} → ${counted(after, "token")} (${strategy}).`;
}

function approvalText({ isAllowed, reason }: Extract<AgentEvent, { type: "ApprovalResolved" }>): string {
  if (isAllowed) return "Allowed.";
  return reason === undefined ? "Refused." : `Refused: ${reason}`;
}

function answerText({ answer, text = "" }: Extract<AgentEvent, { type: "QuestionAnswered" }>): string {
  switch (answer) {
    case "stop":
      return "Answer: stop.";
    case "continue":
      return "Answer: continue.";
    case "tell":
      return `Sent to the agent: ${text}`;
    case "none":
      return "There was no answer, so the guardian decides.";
    default:
      return answer satisfies never;
  }
}

function limitText({ limit, stop = 0 }: Extract<AgentEvent, { type: "LimitChanged" }>): string {
  return stop === 0
    ? `The limit ${limit} was removed.`
    : `The limit ${limit} was changed to ${limitAmount(limit, stop)}.`;
}

function mutedText({ detector, tool, episode }: Extract<AgentEvent, { type: "GuardianMuted" }>): string {
  if (episode !== undefined) return "The guardian lets this repetition continue.";
  return `Muted ${detector ?? "the guardian"}${tool === undefined ? "" : ` for ${tool}`} in this run.`;
}

function unmutedText({ detector, tool, episode }: Extract<AgentEvent, { type: "GuardianUnmuted" }>): string {
  if (episode !== undefined) return "The guardian acts on this repetition again.";
  return `Lifted the mute of ${detector ?? "the guardian"}${tool === undefined ? "" : ` for ${tool}`}.`;
}
