import type { FlatCall, FlatRun } from "../flat-run.ts";
import { hasFailed } from "./failed.ts";
import { resultText, stableKey } from "./keys.ts";
import { isMutating, isPolling } from "./kinds.ts";
import type { Rule } from "./rule.ts";

const exactFailures = 2;
const sameToolFailures = 3;
const equalResults = 2;
const equalCalls = 3;
const equalLaps = 3;

/**
 * hermes-agent, tool_guardrails.py (2026): the same call fails twice; one tool fails three times; a call that does not
 * write returns the same result twice; three equal calls with equal results in a row; three equal laps of two to four
 * calls. A successful write is progress and resets failures. Each user message starts a new turn. Its lists of
 * read-only and mutating tools are reindexd by the guardian's inference. First reaction: a warning in the result.
 */
export const hermesAgent: Rule = {
  name: "hermes-agent",
  firstReaction: (run) => firstWarning(run, 0),
  tuned: [0, 1, 2, 3].map((patience) => ({
    threshold: equalResults + patience,
    firstReaction: (run) => firstWarning(run, patience),
  })),
};

/** Adds `patience` to every threshold. */
function firstWarning(run: FlatRun, patience: number): number | undefined {
  let turn = createTurn(patience);
  let userTurn = 0;
  for (const call of run.calls) {
    if (call.userTurn !== userTurn) turn = createTurn(patience);
    userTurn = call.userTurn;
    if (turn.isWarned(call)) return call.index;
  }
  return undefined;
}

interface Turn {
  isWarned(call: FlatCall): boolean;
}

function createTurn(patience: number): Turn {
  const exact = new Map<string, number>();
  const byTool = new Map<string, number>();
  const results = new Map<string, { text: string; count: number }>();
  const history: string[] = [];

  function failedAgain(call: FlatCall, key: string): boolean {
    exact.set(key, (exact.get(key) ?? 0) + 1);
    byTool.set(call.tool, (byTool.get(call.tool) ?? 0) + 1);
    return (
      (exact.get(key) ?? 0) >= exactFailures + patience || (byTool.get(call.tool) ?? 0) >= sameToolFailures + patience
    );
  }

  function succeeded(call: FlatCall, key: string): boolean {
    exact.delete(key);
    byTool.delete(call.tool);
    if (isMutating(call)) {
      exact.clear();
      byTool.clear();
      return false;
    }
    const text = resultText(call);
    const count = results.get(key)?.text === text ? (results.get(key)?.count ?? 0) + 1 : 1;
    results.set(key, { text, count });
    return count >= equalResults + patience;
  }

  return {
    isWarned(call) {
      const key = stableKey(call);
      history.push(`${key}\n${resultText(call)}`);
      const isWarned = hasFailed(call) ? failedAgain(call, key) : succeeded(call, key);
      return isWarned || (!isPolling(call) && isCircling(history, patience));
    },
  };
}

function isCircling(history: readonly string[], patience: number): boolean {
  return [1, 2, 3, 4].some((period) => {
    const length = period * ((period === 1 ? equalCalls : equalLaps) + patience);
    const tail = history.slice(-length);
    return tail.length === length && tail.every((key, index) => key === tail[index % period]);
  });
}
