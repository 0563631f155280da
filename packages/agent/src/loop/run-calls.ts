import type { CallPart, ResultMessage } from "../protocol/messages.ts";
import { type Admitted, admitCalls } from "./admit-calls.ts";
import { internal } from "./append-messages.ts";
import { commitIntents } from "./commit-turn.ts";
import { executeAdmitted, isRead } from "./execute-admitted.ts";
import type { RunContext } from "./run-context.ts";

/** The calls of a reply, from asking whether they may be run to their results in the history, each with exactly one. */
export async function runCalls(run: RunContext, calls: readonly CallPart[]): Promise<void> {
  if (calls.length === 0) return;
  const { admitted, refused } = await admitCalls(run, calls); // 9
  try {
    if (!areReads(admitted)) await commitIntents(run, admitted);
  } catch (error) {
    run.history.add(...calls.map((call) => internal.notWritten(run, call)));
    throw error;
  }
  const results = await executeAdmitted(run, admitted); // 10
  for (const { id } of calls) {
    const result = resultOf(id, results) ?? resultOf(id, refused);
    if (result !== undefined) run.history.add(result); // 11
  }
}

function areReads(admitted: readonly Admitted[]): boolean {
  for (const { tool } of admitted) if (!isRead(tool)) return false;
  return true;
}

function resultOf(callId: string, results: readonly ResultMessage[]): ResultMessage | undefined {
  for (const result of results) if (result.callId === callId) return result;
  return undefined;
}
