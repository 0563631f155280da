import type { Guard } from "../guard/guard.ts";
import { toldOf } from "../loop/admit-calls.ts";
import { internal } from "../loop/append-messages.ts";
import { runCalls } from "../loop/run-calls.ts";
import type { RunContext } from "../loop/run-context.ts";
import { tokensOf } from "../protocol/usage.ts";
import type { ChildSpent } from "./close-orphaned-run.ts";
import { unansweredCallsOf, unknownOutcome } from "./unanswered-calls.ts";

/**
 * Finishes the turn that a process was in when it ended. A call that may have been run is told to the model as unknown and never run again here; one that
 * a person was asked about, or whose turn had not come, was not run: it is asked about, and run, now.
 */
export async function resumeTurn(run: RunContext): Promise<void> {
  const { history, guard, unansweredCalls } = run;
  const started = new Set(unansweredCalls.flatMap(({ callId, state }) => (state === "started" ? [callId] : [])));
  const open = unansweredCallsOf(history.messages);
  const lost = open.filter(({ id, isRedacted }) => started.has(id) || isRedacted === true);
  guard.guardian.beforeCalls(lost.map((call) => toldOf(run, call)));
  for (const { id, tool } of lost)
    if (tool === "spawn") for (const child of await run.closeChild(id)) if (run.isResumed) countChild(guard, child);
  const told = lost.map((call) => (started.has(call.id) ? unknownOutcome(call, run) : internal.notKept(run, call)));
  for (const { callId, status, content } of told) guard.guardian.afterCall(callId, { status, content });
  history.add(...told);
  await runCalls(
    run,
    open.filter((call) => !lost.includes(call)),
  );
}

/** Whether a process has ended in the middle of a turn. */
export function hasUnansweredCalls({ history }: RunContext): boolean {
  return unansweredCallsOf(history.messages).length > 0;
}

/** Gives calls without a result one, where the run breaks off: nobody knows how far they came. */
export function closeUnansweredCalls(run: RunContext): void {
  run.history.add(...unansweredCallsOf(run.history.messages).map((call) => unknownOutcome(call, run)));
}

/** What subagents have used counts to the run, also where it did not come to hear of it. */
function countChild(guard: Guard, { childId, usage, costNanoUsd }: ChildSpent): void {
  const cost = costNanoUsd === null ? {} : { "run-cost": costNanoUsd };
  guard.observe({
    type: "usage",
    child: childId,
    used: { "run-tokens": tokensOf(usage), ...cost },
    isPriced: costNanoUsd !== null,
  });
}
