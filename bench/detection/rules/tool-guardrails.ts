import type { FlatRun } from "../flat-run.ts";
import { hasFailed } from "./failed.ts";
import { plainKey, resultText } from "./keys.ts";
import { isReading } from "./kinds.ts";
import type { Rule } from "./rule.ts";

const SAME_TOOL_WARN = 3;
const SAME_ARGS_BLOCK = 5;
const TOTAL_HALT = 8;
const NO_PROGRESS_WARN = 2;

/**
 * tool_guardrails (Gleam, by its documented interface, thresholds 3/5/5/8/2/5): failures of the same tool in a row, of the same arguments, in total;
 * equal results of idempotent tools at the tail. One success resets the failures; a person starts afresh. First reaction: a warning.
 */
export const toolGuardrails: Rule = {
  name: "tool guardrails (Gleam)",
  firstReaction: firstEscalation,
};

function firstEscalation(run: FlatRun): number | undefined {
  let state = fresh();
  let personTurn = 0;
  for (const call of run.calls) {
    if (call.personTurn !== personTurn) state = fresh();
    personTurn = call.personTurn;
    const key = plainKey(call);
    if (hasFailed(call)) {
      const isSameTool = state.lastTool === call.tool;
      state = {
        ...state,
        sameTool: isSameTool ? state.sameTool + 1 : 1,
        sameArgs: state.lastKey === key ? state.sameArgs + 1 : 1,
        total: state.total + 1,
        lastTool: call.tool,
        lastKey: key,
      };
    } else state = { ...fresh(), results: isReading(call) ? [...state.results, `${key}\n${resultText(call)}`] : state.results };
    if (state.sameTool >= SAME_TOOL_WARN || state.sameArgs >= SAME_ARGS_BLOCK || state.total >= TOTAL_HALT || equalTail(state.results) >= NO_PROGRESS_WARN)
      return call.index;
  }
  return undefined;
}

interface State {
  readonly sameTool: number;
  readonly sameArgs: number;
  readonly total: number;
  readonly lastTool: string;
  readonly lastKey: string;
  readonly results: readonly string[];
}

function fresh(): State {
  return { sameTool: 0, sameArgs: 0, total: 0, lastTool: "", lastKey: "", results: [] };
}

function equalTail(results: readonly string[]): number {
  const last = results.at(-1);
  const other = results.findLastIndex((each) => each !== last);
  return results.length - 1 - other;
}
