import { admit } from "./admit.ts";
import { commitIntents } from "./commit.ts";
import { execute, isRead } from "./execute.ts";
import type { CallPart } from "./messages.ts";
import type { RunContext } from "./run-context.ts";
import { internal } from "./say.ts";

/** The calls of a reply, from asking whether they may be run to their results in the history, each with exactly one. */
export async function runCalls(run: RunContext, calls: readonly CallPart[]): Promise<void> {
  if (calls.length === 0) return;
  const { admitted, refused } = await admit(run, calls); // 9
  try {
    if (!admitted.every(({ tool }) => isRead(tool))) await commitIntents(run, admitted);
  } catch (error) {
    run.history.add(...calls.map((call) => internal.notWritten(run, call)));
    throw error;
  }
  const results = await execute(run, admitted); // 10
  run.history.add(...inOrder(calls, [...results, ...refused])); // 11
}

/** Results in the order of their calls. */
function inOrder<R extends { readonly callId: string }>(calls: readonly { readonly id: string }[], results: readonly R[]): readonly R[] {
  const ordered: R[] = [];
  for (const { id } of calls) {
    const found = results.find((result) => result.callId === id);
    if (found !== undefined) ordered.push(found);
  }
  return ordered;
}
