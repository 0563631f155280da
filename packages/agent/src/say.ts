import type { Intervention, Origin } from "@sheepdog/guardian";
import type { CallPart, ResultMessage } from "./messages.ts";
import { noticeText, withoutNotices } from "./notice.ts";
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

/** What the guardian has to say, as one message after all results. */
export function addNotices(run: RunContext, interventions: readonly Intervention[]): void {
  if (interventions.length === 0) return;
  run.history.add({ role: "user", id: run.clock.newId("msg"), at: run.clock.now(), origin: "guardian", text: noticeText(interventions), reason: "guardian" });
}

/** What a person said while the run went on; whether there was anything. */
export function addSteering(run: RunContext): boolean {
  const said = run.takeSteering();
  for (const text of said) addUserMessage(run, text, "person");
  return said.length > 0;
}

/** Messages of our own making. */
export const internal = {
  /** The result of a call that was not run because its reply was cut off or interrupted. */
  notRun: (run: RunContext, { id, tool }: CallPart): ResultMessage => ({
    role: "tool",
    id: run.clock.newId("msg"),
    at: run.clock.now(),
    callId: id,
    tool,
    status: "interrupted",
    content: "Not run: the reply that asked for it was cut off.",
  }),
} as const;
