import type { FlatCall, FlatRun } from "../flat-run.ts";
import { hasFailed } from "./failed.ts";
import { resultText, stableKey } from "./keys.ts";
import { isMutating, isPolling } from "./kinds.ts";
import type { Rule } from "./rule.ts";

const EXACT_FAILURE = 2;
const SAME_TOOL_FAILURE = 3;
const NO_PROGRESS = 2;
const IDENTICAL = 3;
const LAPS = 3;

/**
 * hermes-agent, tool_guardrails.py (2026): the same call failing twice; one tool failing three times; a call that does not write answered
 * equally twice; three equal calls with equal results in a row; three equal laps of two to four calls. A successful write is progress:
 * failures count anew. Per turn of a person. Its lists of read-only and mutating names are replaced by the guardian's inference. First reaction: a warning in the result.
 */
export const hermesAgent: Rule = {
  name: "hermes-agent",
  firstReaction: (run) => firstWarning(run, 0),
  tuned: [0, 1, 2, 3].map((patience) => ({
    threshold: NO_PROGRESS + patience,
    firstReaction: (run) => firstWarning(run, patience),
  })),
};

/** `patience` is added to every count. */
function firstWarning(run: FlatRun, patience: number): number | undefined {
  let turn = createTurn(patience);
  let personTurn = 0;
  for (const call of run.calls) {
    if (call.personTurn !== personTurn) turn = createTurn(patience);
    personTurn = call.personTurn;
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
  const answers = new Map<string, { answer: string; count: number }>();
  const history: string[] = [];

  function failedAgain(call: FlatCall, key: string): boolean {
    exact.set(key, (exact.get(key) ?? 0) + 1);
    byTool.set(call.tool, (byTool.get(call.tool) ?? 0) + 1);
    return (
      (exact.get(key) ?? 0) >= EXACT_FAILURE + patience || (byTool.get(call.tool) ?? 0) >= SAME_TOOL_FAILURE + patience
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
    const answer = resultText(call);
    const count = answers.get(key)?.answer === answer ? (answers.get(key)?.count ?? 0) + 1 : 1;
    answers.set(key, { answer, count });
    return count >= NO_PROGRESS + patience;
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
    const length = period * ((period === 1 ? IDENTICAL : LAPS) + patience);
    const tail = history.slice(-length);
    return tail.length === length && tail.every((key, place) => key === tail[place % period]);
  });
}
