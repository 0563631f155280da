import type { FlatCall } from "../flat-run.ts";
import type { Action } from "../reaction.ts";
import { resultText, stableKey } from "./keys.ts";
import { at, type Rule } from "./rule.ts";

const windowCalls = 30;
const warnAt = 10;
const blockAt = 20;

/**
 * openclaw 2026.9.6, tool-loop-detection turned on (it is off by default). It checks a call against the thirty calls
 * before it: ten with equal arguments; or ten that strictly alternate, with this one; or ten failures of its tool in
 * few variants with one outcome; or ten of a tool that does not exist. Each user message starts a run. The model is
 * warned. The call is refused if the tool does not exist, or at twenty calls with equal arguments and outcomes, or at
 * twenty that alternate with equal outcomes on each side.
 */
export const openclaw: Rule = {
  name: "openclaw (switched on)",
  *reactions(run) {
    for (const next of run.calls) {
      const previousCalls = run.calls
        .slice(Math.max(0, next.index - windowCalls), next.index)
        .filter((call) => call.userTurn === next.userTurn);
      const action = actionAt(previousCalls, next);
      if (action !== undefined) yield at(next, action);
    }
  },
};

function actionAt(previousCalls: readonly FlatCall[], next: FlatCall): Action | undefined {
  if (isUnknown(previousCalls, next)) return "block";
  if (isUnchanged(previousCalls, next) || isUnchangedPingPong(previousCalls, next)) return "block";
  const isWarned =
    isRepeated(previousCalls, next) || isPingPong(previousCalls, next, warnAt) || isChurn(previousCalls, next);
  return isWarned ? "hint" : undefined;
}

/** The newest calls with these arguments, whatever lies between, have one outcome. */
function isUnchanged(previousCalls: readonly FlatCall[], next: FlatCall): boolean {
  const equalCalls = previousCalls.filter((call) => stableKey(call) === stableKey(next)).slice(-blockAt);
  return equalCalls.length === blockAt && new Set(equalCalls.map(resultText)).size === 1;
}

function isUnchangedPingPong(previousCalls: readonly FlatCall[], next: FlatCall): boolean {
  if (!isPingPong(previousCalls, next, blockAt)) return false;
  const tail = previousCalls.slice(1 - blockAt);
  return new Set(tail.map((call) => `${stableKey(call)}\n${resultText(call)}`)).size === 2;
}

function isRepeated(previousCalls: readonly FlatCall[], next: FlatCall): boolean {
  return previousCalls.filter((call) => stableKey(call) === stableKey(next)).length >= warnAt;
}

function isPingPong(previousCalls: readonly FlatCall[], next: FlatCall, times: number): boolean {
  const keys = [...previousCalls, next].slice(-times).map(stableKey);
  return keys.length === times && keys[0] !== keys[1] && keys.every((key, index) => key === keys[index % 2]);
}

/** Ten failures of one tool at the tail, in two or more variants of three or more calls each, all with one outcome. */
function isChurn(previousCalls: readonly FlatCall[], next: FlatCall): boolean {
  const failures = previousCalls.slice(
    previousCalls.findLastIndex((call) => call.tool !== next.tool || call.isError !== true) + 1,
  );
  const counts = new Map<string, number>();
  for (const call of failures) counts.set(stableKey(call), (counts.get(stableKey(call)) ?? 0) + 1);
  if (failures.length < warnAt || counts.size < 2 || !counts.has(stableKey(next))) return false;
  return [...counts.values()].every((count) => count >= 3) && new Set(failures.map(resultText)).size === 1;
}

function isUnknown(previousCalls: readonly FlatCall[], next: FlatCall): boolean {
  const tail = previousCalls.slice(-warnAt);
  return (
    tail.length === warnAt &&
    tail.every((call) => call.tool === next.tool && call.isError === true && unknownTool.test(resultText(call)))
  );
}

const unknownTool = /unknown tool[:\s]+\S|tool\s+\S+\s+(?:not found|is not available)/i;
