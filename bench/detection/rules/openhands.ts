import type { FlatCall, FlatRun } from "../flat-run.ts";
import type { Reaction } from "../reaction.ts";
import { hasFailed } from "./failed.ts";
import { resultText, stableKey } from "./keys.ts";
import { at, type Rule, tunedTo } from "./rule.ts";

/** Ten actions and their observations: twenty events. */
const windowActions = 10;

/**
 * OpenHands software-agent-sdk, StuckDetector (4/3/3/6): four equal actions with equal observations; the same action
 * fails three times; six actions and observations that alternate. It checks the last twenty events since a user
 * message. The thought of an action is not compared, which is generous. The check of monologues is left out: it is
 * about messages, not calls. Three failures get a nudge; a fourth, and everything else, ends the run.
 */
export const openHands: Rule = {
  name: "OpenHands StuckDetector",
  reactions: (run) => stuck(run, 4),
  tuned: tunedTo([3, 4, 5], stuck),
};

/** The other thresholds follow from that of equal actions: one less for failures, twice that to alternate. */
function* stuck(run: FlatRun, equalActions: number): Generator<Reaction> {
  for (const newest of run.calls) {
    const recent = run.calls
      .slice(Math.max(0, newest.index - windowActions + 1), newest.index + 1)
      .filter((call) => call.userTurn === newest.userTurn);
    if (
      isEqual(recent, equalActions) ||
      isFailing(recent, equalActions) ||
      isAlternating(recent, 2 * (equalActions - 1))
    )
      yield at(newest, "stop");
    else if (isFailing(recent, equalActions - 1)) yield at(newest, "hint");
  }
}

function isEqual(recent: readonly FlatCall[], times: number): boolean {
  const tail = recent.slice(-times).map(event);
  return tail.length === times && new Set(tail).size === 1;
}

function isFailing(recent: readonly FlatCall[], times: number): boolean {
  const tail = recent.slice(-times);
  return tail.length === times && new Set(tail.map(stableKey)).size === 1 && tail.every(hasFailed);
}

function isAlternating(recent: readonly FlatCall[], times: number): boolean {
  const tail = recent.slice(-times).map(event);
  return tail.length === times && tail.every((each, index) => each === tail[index % 2]);
}

function event(call: FlatCall): string {
  return `${stableKey(call)}\n${resultText(call)}`;
}
