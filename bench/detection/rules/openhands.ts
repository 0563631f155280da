import type { FlatCall, FlatRun } from "../flat-run.ts";
import { hasFailed } from "./failed.ts";
import { resultText, stableKey } from "./keys.ts";
import type { Rule } from "./rule.ts";

/** Ten actions and their observations: twenty events. */
const windowActions = 10;
const equalActions = 4;
const errors = 3;
const alternating = 6;

/**
 * OpenHands software-agent-sdk, StuckDetector (4/3/3/6): four equal actions with equal observations; the same action
 * fails three times; six actions and observations that alternate. It checks the last twenty events since a user
 * message. The thought of an action is not compared, which is generous. The check of monologues is left out: it is
 * about messages, not calls. First reaction: a nudge for errors, else the end of the run.
 */
export const openHands: Rule = {
  name: "OpenHands StuckDetector",
  firstReaction: firstStuck,
};

function firstStuck(run: FlatRun): number | undefined {
  for (const newest of run.calls) {
    const recent = run.calls
      .slice(Math.max(0, newest.index - windowActions + 1), newest.index + 1)
      .filter((call) => call.userTurn === newest.userTurn);
    if (isEqual(recent) || isFailing(recent) || isAlternating(recent)) return newest.index;
  }
  return undefined;
}

function isEqual(recent: readonly FlatCall[]): boolean {
  const tail = recent.slice(-equalActions).map(event);
  return tail.length === equalActions && new Set(tail).size === 1;
}

function isFailing(recent: readonly FlatCall[]): boolean {
  const tail = recent.slice(-errors);
  return tail.length === errors && new Set(tail.map(stableKey)).size === 1 && tail.every(hasFailed);
}

function isAlternating(recent: readonly FlatCall[]): boolean {
  const tail = recent.slice(-alternating).map(event);
  return tail.length === alternating && tail.every((each, index) => each === tail[index % 2]);
}

function event(call: FlatCall): string {
  return `${stableKey(call)}\n${resultText(call)}`;
}
