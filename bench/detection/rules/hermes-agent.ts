import type { FlatCall, FlatRun } from "../flat-run.ts";
import type { Action, Reaction } from "../reaction.ts";
import { hasFailed } from "./failed.ts";
import { resultText, stableKey } from "./keys.ts";
import { isMutating, isPolling } from "./kinds.ts";
import { at, type Rule, tunedTo } from "./rule.ts";

/** The counts of the warning, and of the block or stop. */
const exactFailures = { warn: 2, block: 5 };
const toolFailures = { warn: 3, stop: 8 };
const equalResults = { warn: 2, block: 5 };
const equalLaps = { warn: 3, stop: 5 };

/**
 * hermes-agent, tool_guardrails.py (2026): the same call fails twice; one tool fails three times; a call that does not
 * write returns the same result twice; three equal calls with equal results in a row; three equal laps of two to four
 * calls. A successful write is progress and resets failures. Each user message starts a new turn. Its lists of
 * read-only and mutating tools are replaced by the guardian's inference. It warns in the result, then blocks the call
 * or ends the turn: five equal failures, results or laps, or eight failures of a tool. Hard stops are on, as they are
 * by default where nobody attends the run.
 */
export const hermesAgent: Rule = {
  name: "hermes-agent",
  reactions: (run) => warnings(run, equalResults.warn),
  tuned: tunedTo([2, 3, 4, 5], warnings),
};

/** Warns at `results` equal results; the other thresholds keep their distance to this one. */
function* warnings(run: FlatRun, results: number): Generator<Reaction> {
  const patience = results - equalResults.warn;
  let turn = createTurn(patience);
  let userTurn = 0;
  for (const call of run.calls) {
    if (call.userTurn !== userTurn) turn = createTurn(patience);
    userTurn = call.userTurn;
    const actions = turn.actionsAt(call);
    const action = (["stop", "block", "hint"] as const).find((each) => actions.includes(each));
    if (action !== undefined) yield at(call, action);
  }
}

interface Turn {
  actionsAt(call: FlatCall): readonly Action[];
}

function createTurn(patience: number): Turn {
  const exact = new Map<string, number>();
  const byTool = new Map<string, number>();
  const results = new Map<string, { text: string; count: number }>();
  const history: string[] = [];
  const isReached = (count: number, threshold: number) => count >= threshold + patience;

  function failed(call: FlatCall, key: string): readonly Action[] {
    const equal = (exact.get(key) ?? 0) + 1;
    const ofTool = (byTool.get(call.tool) ?? 0) + 1;
    exact.set(key, equal);
    byTool.set(call.tool, ofTool);
    const actions: Action[] = [];
    if (isReached(equal, exactFailures.warn) || isReached(ofTool, toolFailures.warn)) actions.push("hint");
    if (isReached(equal, exactFailures.block)) actions.push("block");
    if (isReached(ofTool, toolFailures.stop) && !toleratesFailures.test(call.tool)) actions.push("stop");
    return actions;
  }

  function succeeded(call: FlatCall, key: string): readonly Action[] {
    exact.delete(key);
    byTool.delete(call.tool);
    if (isMutating(call)) {
      exact.clear();
      byTool.clear();
      return [];
    }
    const text = resultText(call);
    const count = results.get(key)?.text === text ? (results.get(key)?.count ?? 0) + 1 : 1;
    results.set(key, { text, count });
    if (isReached(count, equalResults.block)) return ["block"];
    return isReached(count, equalResults.warn) ? ["hint"] : [];
  }

  function circling(call: FlatCall): readonly Action[] {
    if (isPolling(call)) return [];
    if (isCircling(history, equalLaps.stop + patience)) return ["stop"];
    return isCircling(history, equalLaps.warn + patience) ? ["hint"] : [];
  }

  return {
    actionsAt(call) {
      const key = stableKey(call);
      history.push(`${key}\n${resultText(call)}`);
      return [...(hasFailed(call) ? failed(call, key) : succeeded(call, key)), ...circling(call)];
    },
  };
}

/** Tools that may fail with different commands: terminals, code, processes and browsers, by their recorded names. */
const toleratesFailures = /bash|shell|terminal|code|python|sql|process|browser|goto|surfer/i;

/** One to four calls, repeated `laps` times at the tail. */
function isCircling(history: readonly string[], laps: number): boolean {
  return [1, 2, 3, 4].some((period) => {
    const tail = history.slice(-period * laps);
    return tail.length === period * laps && tail.every((key, index) => key === tail[index % period]);
  });
}
