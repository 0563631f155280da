import type { FlatCall, FlatRun } from "../flat-run.ts";
import { hasFailed } from "./failed.ts";
import { resultText, stableKey } from "./keys.ts";
import type { Rule } from "./rule.ts";

/** Twenty events: ten actions and their observations. */
const WINDOW = 10;
const EQUAL = 4;
const ERRORS = 3;
const ALTERNATING = 6;

/**
 * OpenHands software-agent-sdk, StuckDetector (4/3/3/6): four equal actions with equal observations; the same action failing three times;
 * six actions and observations that alternate. The last twenty events since a person spoke. An action's thought is left out of the
 * comparison, which is generous. Its monologue check is left out: it is about messages, not calls. First reaction: a nudge for errors, else the end of the run.
 */
export const openHands: Rule = {
  name: "OpenHands StuckDetector",
  firstReaction: firstStuck,
};

function firstStuck(run: FlatRun): number | undefined {
  for (const newest of run.calls) {
    const recent = run.calls
      .slice(Math.max(0, newest.index - WINDOW + 1), newest.index + 1)
      .filter((call) => call.personTurn === newest.personTurn);
    if (isEqual(recent) || isFailing(recent) || isAlternating(recent)) return newest.index;
  }
  return undefined;
}

function isEqual(recent: readonly FlatCall[]): boolean {
  const tail = recent.slice(-EQUAL).map(event);
  return tail.length === EQUAL && new Set(tail).size === 1;
}

function isFailing(recent: readonly FlatCall[]): boolean {
  const tail = recent.slice(-ERRORS);
  return tail.length === ERRORS && new Set(tail.map(stableKey)).size === 1 && tail.every(hasFailed);
}

function isAlternating(recent: readonly FlatCall[]): boolean {
  const tail = recent.slice(-ALTERNATING).map(event);
  return tail.length === ALTERNATING && tail.every((each, place) => each === tail[place % 2]);
}

function event(call: FlatCall): string {
  return `${stableKey(call)}\n${resultText(call)}`;
}
