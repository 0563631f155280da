import { bounds, short } from "./bounds.ts";
import { noBrood } from "./brood.ts";
import type { Episode } from "./episode.ts";
import { ofRun, restartLimits } from "./limits.ts";
import type { LimitName } from "./policy.ts";
import { streamEnded } from "./replies.ts";
import type { SignalOf } from "./signal.ts";
import type { GuardianState } from "./state.ts";

/** A run begins, or goes on in another process. */
export function onRunStart(state: GuardianState, signal: SignalOf<"run-start">): GuardianState {
  const { stopped: _, ...going } = streamEnded(state);
  const tools = Object.fromEntries(signal.tools.slice(0, bounds.tools).map((tool) => [short(tool.name), tool.kind ?? null]));
  // A run that goes on after a halt meets the block first, and is ended again if it insists: in an episode of its own.
  let opened = state.opened;
  const episodes = state.episodes.map(
    (episode): Episode => (episode.level === "halt" ? { ...episode, id: `e${++opened}`, level: "block", denials: 0 } : episode),
  );
  const run = signal.run === undefined ? {} : { run: short(signal.run, bounds.id) };
  const { waitingFor: __, ...clock } = { ...state.clock, idleMs: 0, stalledMs: 0 };
  const started = { ...going, ...run, clock, attended: signal.attended, tools, episodes, opened, open: [], found: [] };
  return signal.run !== undefined && run.run !== state.run ? newRun(started) : { ...started, limits: restartLimits(state.limits, false) };
}

/** The state at the beginning of another run: it has its own tokens, money, turns, time and sub-agents. */
export function newRun(state: GuardianState): GuardianState {
  const clock = { ...state.clock, workMs: 0 };
  const ownLimits = Object.fromEntries(Object.entries(state.ownLimits).filter(([name]) => !ofRun.includes(name as LimitName))); // the keys are limits
  return {
    ...state,
    limits: restartLimits(state.limits, true),
    ownLimits,
    isPriced: true,
    clock,
    runTurns: 0,
    children: [],
    brood: noBrood,
    chants: 0,
    messages: [],
    isNudged: false,
  };
}
