import { bounds, short } from "./bounds.ts";
import { noSubagents } from "./brood.ts";
import type { Draft } from "./draft.ts";
import type { Episode } from "./episode.ts";
import { ofRun, restartLimits } from "./limits.ts";
import type { LimitName } from "./policy.ts";
import { streamEnded } from "./replies.ts";
import type { SignalOf } from "./signal.ts";
import { alive } from "./time.ts";

/** A run begins, or goes on in another process. */
export function onRunStart(state: Draft, signal: SignalOf<"run-start">): void {
  streamEnded(state);
  state.stopped = undefined;
  state.attended = signal.attended;
  state.tools = Object.fromEntries(
    signal.tools.slice(0, bounds.tools).map((tool) => [short(tool.name), tool.kind ?? null]),
  );
  // A run that goes on after a halt meets the block first, and is ended again if it insists: in an episode of its own.
  state.episodes = state.episodes.map(
    (episode): Episode =>
      episode.level === "halt" ? { ...episode, id: `e${++state.opened}`, level: "block", denials: 0 } : episode,
  );
  state.open = [];
  state.findings = [];
  alive(state);
  state.clock.waitingFor = undefined;
  const run = signal.run === undefined ? state.run : short(signal.run, bounds.id);
  if (run === state.run) state.limits = restartLimits(state.limits, false);
  else newRun(state);
  state.run = run;
}

/** Another run begins: it has its own tokens, money, turns, time and subagents. */
export function newRun(state: Draft): void {
  state.limits = restartLimits(state.limits, true);
  state.userLimits = Object.fromEntries(
    Object.entries(state.userLimits).filter(([name]) => !ofRun.includes(name as LimitName)),
  ); // the keys are limits
  state.isPriced = true;
  state.clock.workMs = 0;
  state.runTurns = 0;
  state.subagents = [];
  state.subagentTotals = noSubagents;
  state.chants = 0;
  state.messages = [];
  state.isNudged = false;
}
