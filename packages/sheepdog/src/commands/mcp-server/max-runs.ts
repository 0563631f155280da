import { listRuns } from "../../saved-runs/list-runs.ts";
import { isLive } from "../../saved-runs/run-state.ts";
import { isMcpSession, ToolRefusal, type ToolServer } from "./tool-server.ts";

let starting: Promise<unknown> = Promise.resolve();

/**
 * Starts or resumes a run, unless as many runs as are allowed are alive. Runs outlive their clients and this server, so
 * those of all servers count.
 */
export function withinMaxRuns<T>(server: ToolServer, start: () => Promise<T>): Promise<T> {
  const { maxRuns } = server;
  const started = starting.then(async () => {
    if ((await liveRuns(server)) < maxRuns) return start();
    throw new ToolRefusal(
      `${maxRuns === 1 ? "1 run is" : `${maxRuns} runs are`} working already, which is the most at a time. Wait for ` +
        "one with watch_run, or end one with stop_run.",
    );
  });
  starting = started.catch(() => {}); // one after the other: a run that is starting is not listed yet
  return started;
}

async function liveRuns({ context: { stores, now }, maxRuns }: ToolServer): Promise<number> {
  const { runs } = await listRuns(stores, {
    at: now(),
    limit: maxRuns,
    isHeldOnly: true,
    isWanted: ({ sessionId, state }) => isMcpSession(sessionId) && isLive(state),
  });
  return runs.length;
}
