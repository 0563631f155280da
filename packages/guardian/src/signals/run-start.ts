import { resumeMeters } from "../limits/meters.ts";
import type { SignalOf } from "../signal.ts";
import { bounds, shorten } from "../state/bounds.ts";
import { onActivity } from "../state/clock.ts";
import type { Draft } from "../state/draft.ts";
import { endStream } from "./end-stream.ts";
import { startNewRun } from "./new-run.ts";

/** A run starts, or resumes in another process. */
export function onRunStart(state: Draft, { attended, tools, run }: SignalOf<"run-start">): void {
  endStream(state);
  state.stopped = undefined;
  state.attended = attended;
  state.tools = Object.fromEntries(tools.slice(0, bounds.tools).map(({ name, kind }) => [shorten(name), kind ?? null]));
  reopenHaltedEpisodes(state);
  state.unanswered = [];
  onActivity(state);
  state.clock.waitingFor = undefined;
  const runId = run === undefined ? state.run : shorten(run, bounds.id);
  if (runId === state.run) state.limits = resumeMeters(state.limits);
  else startNewRun(state);
  state.run = runId;
}

/** A run that resumes after a halt is refused first, and ended again if it insists, in an episode of its own. */
function reopenHaltedEpisodes(state: Draft): void {
  state.episodes = state.episodes.map((episode) =>
    episode.level === "halt" ? { ...episode, id: `e${++state.issuedIds}`, level: "block", denials: 0 } : episode,
  );
}
