import type { FlatCall, FlatRun } from "../flat-run.ts";
import { resultText, stableKey } from "./keys.ts";
import type { Rule } from "./rule.ts";

const KEPT = 30;
const WARN = 10;

/**
 * openclaw 2026.9.6, tool-loop-detection switched on (it is off by default): before a call, among the thirty before it, ten of its own
 * arguments; or, with it, ten strictly alternating; or ten failures of its tool in few variants, all with one outcome; or ten of a tool that does
 * not exist. A run is one message of a person. First reaction: a warning in the context (for an unknown tool, a veto).
 */
export const openclaw: Rule = {
  name: "openclaw (switched on)",
  firstReaction: firstWarning,
};

function firstWarning(run: FlatRun): number | undefined {
  for (const next of run.calls) {
    const before = run.calls
      .slice(Math.max(0, next.index - KEPT), next.index)
      .filter((call) => call.personTurn === next.personTurn);
    if (isRepeated(before, next) || isPingPong(before, next) || isChurn(before, next) || isUnknown(before, next))
      return next.index;
  }
  return undefined;
}

function isRepeated(before: readonly FlatCall[], next: FlatCall): boolean {
  return before.filter((call) => stableKey(call) === stableKey(next)).length >= WARN;
}

function isPingPong(before: readonly FlatCall[], next: FlatCall): boolean {
  const keys = [...before, next].slice(-WARN).map(stableKey);
  return keys.length === WARN && keys[0] !== keys[1] && keys.every((key, place) => key === keys[place % 2]);
}

/** Failures of one tool at the tail, in at least two variants made three times each and nothing else, all with one outcome. */
function isChurn(before: readonly FlatCall[], next: FlatCall): boolean {
  const failures = before.slice(before.findLastIndex((call) => call.tool !== next.tool || call.isError !== true) + 1);
  const counts = new Map<string, number>();
  for (const call of failures) counts.set(stableKey(call), (counts.get(stableKey(call)) ?? 0) + 1);
  if (failures.length < WARN || counts.size < 2 || !counts.has(stableKey(next))) return false;
  return [...counts.values()].every((count) => count >= 3) && new Set(failures.map(resultText)).size === 1;
}

function isUnknown(before: readonly FlatCall[], next: FlatCall): boolean {
  const tail = before.slice(-WARN);
  return (
    tail.length === WARN &&
    tail.every((call) => call.tool === next.tool && call.isError === true && saysUnknown.test(resultText(call)))
  );
}

const saysUnknown = /unknown tool[:\s]+\S|tool\s+\S+\s+(?:not found|is not available)/i;
