import { leftOpen, unknownOutcome } from "./left-open.ts";
import { runCalls } from "./run-calls.ts";
import type { RunContext } from "./run-context.ts";
import { internal } from "./say.ts";

/**
 * Finishes the turn that a process was in when it ended. A call that may have been run is told to the model as unknown and never run again here; one that
 * a person was asked about, or whose turn had not come, was not run: it is asked about, and run, now.
 */
export async function recover(run: RunContext): Promise<void> {
  const { history, guard, openCalls } = run;
  const started = new Set(openCalls.flatMap(({ callId, state }) => (state === "started" ? [callId] : [])));
  const open = leftOpen(history.messages);
  const lost = open.filter(({ id, isMasked }) => started.has(id) || isMasked === true);
  guard.guardian.beforeCalls(lost.map(({ id, tool, input, problem }) => ({ id, tool, args: input ?? problem })));
  for (const { id, tool } of lost) if (tool === "spawn") await run.closeChild(id);
  const told = lost.map((call) => (started.has(call.id) ? unknownOutcome(call, run) : internal.notKept(run, call)));
  for (const { callId, status, content } of told) guard.guardian.afterCall(callId, { status, content });
  history.add(...told);
  await runCalls(
    run,
    open.filter((call) => !lost.includes(call)),
  );
}

/** Whether a process has ended in the middle of a turn. */
export function hasOpenCalls({ history }: RunContext): boolean {
  return leftOpen(history.messages).length > 0;
}

/** Gives calls without a result one, where the run breaks off: nobody knows how far they came. */
export function closeCalls(run: RunContext): void {
  run.history.add(...leftOpen(run.history.messages).map((call) => unknownOutcome(call, run)));
}
