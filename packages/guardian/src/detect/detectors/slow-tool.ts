import { nameWords } from "../../perceive/name-words.ts";
import type { Observation } from "../../state/observation.ts";
import type { Watcher } from "./detector.ts";

/**
 * A call that took longer than `stallMs`, and twice as long as every earlier call of the tool. While it ran only the
 * user was informed; now the model can act on it.
 */
export const slowTool: Watcher<"stall", "result"> = {
  name: "stall",
  reason: "stall",
  on: "result",
  notice({ history, clock }, _, { stallMs }) {
    const newest = history.at(-1);
    if (newest === undefined || stallMs <= 0) return undefined;
    const { tool, ms, atMs } = newest;
    const isJustFinished = atMs + ms === clock.workMs; // the signal may be about a call that was refused
    if (!isJustFinished || ms < stallMs || isExpected(newest, history.slice(0, -1))) return undefined;
    return { cause: `slow ${tool}`, count: 1, tool, silentSeconds: ms / 1_000, advice: "slow-tool" };
  },
};

/** Words in the names of tools that wait for a user or a subagent. */
const waitingWords: readonly string[] = ["ask", "question", "spawn", "task", "agent", "subagent", "delegate"];

/** It was meant to wait, its result says that it took too long, or an earlier call took about as long. */
function isExpected({ tool, kind, ms, outcome }: Observation, earlier: readonly Observation[]): boolean {
  if (kind === "wait" || outcome.status === "timeout") return true;
  if (nameWords(tool).some((word) => waitingWords.includes(word))) return true;
  return earlier.some((call) => call.tool === tool && 2 * call.ms > ms);
}
