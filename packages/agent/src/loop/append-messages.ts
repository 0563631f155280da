import type { Intervention, Origin } from "@sheepdog/guardian";
import { escapeNotices, noticeText } from "../guard/notice.ts";
import type { AgentRun } from "./agent-run.ts";

/** Appends a user-role message and reports its origin to the guardian. */
export function appendUserMessage(
  { setup: { clock }, history, guard }: AgentRun,
  text: string,
  { origin, reason }: { readonly origin: Origin; readonly reason?: string },
): void {
  history.append({
    role: "user",
    id: clock.newId("msg"),
    at: clock.now(),
    origin,
    text: escapeNotices(text),
    ...(reason === undefined ? {} : { reason }),
  });
  guard.onUserMessage(origin);
}

/** Appends the prompt of the run, once. */
export function appendPrompt(run: AgentRun): void {
  const prompt = run.inbox.takePrompt();
  if (prompt !== undefined) appendUserMessage(run, prompt.text, prompt);
}

/** Step 12 of a turn with calls: the guardian's notices. When little of a budget is left, the agent is told so once. */
export function appendTurnNotices(run: AgentRun, notices: readonly Intervention[]): void {
  const { guard, spending } = run;
  const isNearEnd = () => guard.isRunNearBudget() || spending.isLastCovered();
  if (guard.stop === undefined && !hasBudgetNote(run) && isNearEnd())
    appendUserMessage(run, budgetNote, { origin: "automatic", reason: "near_budget" });
  appendNotices(run, notices);
}

/** Appends the guardian's notices as one message after all results. */
export function appendNotices({ setup: { clock }, history }: AgentRun, notices: readonly Intervention[]): void {
  if (notices.length === 0) return;
  history.append({
    role: "user",
    id: clock.newId("msg"),
    at: clock.now(),
    origin: "guardian",
    text: noticeText(notices),
    reason: "guardian",
  });
}

/**
 * Appends the steering messages received during the turn; returns whether there were any. After the last event of the
 * run they are appended without events.
 */
export function appendSteering(run: AgentRun, { isEnded = false }: { readonly isEnded?: boolean } = {}): boolean {
  const messages = run.inbox.takeSteering();
  for (const text of messages) {
    appendUserMessage(run, text, { origin: "person" });
    if (isEnded) continue; // also without a lesson: nobody would see it
    run.events.emit({ type: "UserMessage", text });
    run.audit.steered(text);
  }
  return messages.length > 0;
}

/** The user lets a stopped run continue: the model reads the user's message, or at least one to continue with. */
export function continueAfterStop(run: AgentRun): void {
  const isAnswered = run.history.messages.at(-1)?.role === "assistant";
  if (!appendSteering(run) && isAnswered)
    appendUserMessage(run, "Continue.", { origin: "automatic", reason: "user_continued" });
}

const budgetNote =
  "Very little of the budget of this run is left. Make no more calls than you need: say what is done, what is not, " +
  "and where it can be continued.";

/** Whether the agent was told in this run that little of the budget is left. */
function hasBudgetNote({ setup: { startedAt }, history: { messages } }: AgentRun): boolean {
  return messages.some(
    (message) => message.role === "user" && message.reason === "near_budget" && message.at >= startedAt,
  );
}
