import type { Intervention, Origin } from "@sheepdog/guardian";
import type { CallPart, ResultMessage } from "../protocol/messages.ts";
import { noticeText, withoutNotices } from "../protocol/notice.ts";
import type { RunContext } from "./run-context.ts";

/** Adds a user-role message and tells the guardian who spoke. */
export function addUserMessage(run: RunContext, text: string, origin: Origin, reason?: string): void {
  run.history.add({
    role: "user",
    id: run.clock.newId("msg"),
    at: run.clock.now(),
    origin,
    text: withoutNotices(text),
    ...(reason === undefined ? {} : { reason }),
  });
  run.guard.guardian.userMessage(origin);
}

/** Puts the run's prompt to the model, once. */
export function ask(run: RunContext): void {
  const { prompt, progress } = run;
  if (prompt === undefined || progress.isAsked) return;
  progress.isAsked = true;
  addUserMessage(run, prompt.text, prompt.origin);
}

/** What the guardian has to say, as one message after all results. */
export function addNotices(run: RunContext, interventions: readonly Intervention[]): void {
  if (interventions.length === 0) return;
  run.history.add({
    role: "user",
    id: run.clock.newId("msg"),
    at: run.clock.now(),
    origin: "guardian",
    text: noticeText(interventions),
    reason: "guardian",
  });
}

/** What a person said while the run went on; whether there was anything. */
export function addSteering(run: RunContext): boolean {
  if (run.steering.length === 0) return false;
  const said = run.steering.splice(0);
  for (const text of said) addUserMessage(run, text, "person");
  return true;
}

/** Results of calls that were not run. */
export const internal = {
  /** Its reply was cut off or interrupted. */
  notRun: (run: RunContext, call: CallPart): ResultMessage =>
    interrupted(run, call, "Not run: the reply that asked for it was cut off."),
  /** It could not be written down before. */
  notWritten: (run: RunContext, call: CallPart): ResultMessage =>
    interrupted(run, call, "Not run: the run broke off before it."),
  /** A process that ended was to ask about it. */
  notKept: (run: RunContext, call: CallPart): ResultMessage =>
    interrupted(
      run,
      call,
      "Not run: the run broke off before it, and its arguments are not kept whole, since they seem to hold a secret. Make the call again.",
    ),
} as const;

function interrupted(run: RunContext, { id, tool }: CallPart, content: string): ResultMessage {
  return {
    role: "tool",
    id: run.clock.newId("msg"),
    at: run.clock.now(),
    callId: id,
    tool,
    status: "interrupted",
    content,
  };
}
