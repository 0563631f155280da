import { existsSync } from "node:fs";
import { isLeaseActive, openForReading, type SessionSummary } from "@sheepdog/agent";
import { counted } from "../../render/terminal/amounts.ts";
import { openRequests, openSentences } from "../../saved-runs/open-requests.ts";
import { type Check, ok, warn } from "../finding.ts";
import { databaseFinding } from "./database.ts";

const MAX_SHOWN = 5;

/** Lists running runs, runs that broke off, and requests without a known cost. */
export const runsCheck: Check = {
  name: "runs",
  async run(context) {
    if (!existsSync(context.home.database)) return [ok("There are no runs yet.")];
    if ((await databaseFinding(context)).status !== "ok") return [warn("Runs cannot be read; see database above.")];
    const { stores } = await openForReading({ path: context.home.database });
    try {
      const unfinished = (await stores.sessions.list()).filter(
        ({ lastRun }) =>
          lastRun !== undefined && lastRun.endedAt === undefined && lastRun.billingSessionId === undefined,
      );
      const running = unfinished.filter((session) => isRunning(session, context.now()));
      const open = await openRequests(stores, context.now());
      const brokenOff = unfinished.filter((session) => !running.includes(session));
      return [
        ok(
          running.length === 0
            ? "No run is running."
            : `${counted(running.length, "run")} running: ${running.map(({ sessionId }) => sessionId).join(", ")}.`,
        ),
        ...brokenOff
          .slice(0, MAX_SHOWN)
          .map(({ sessionId, lastRun }) =>
            warn(`Broken off: “${firstLine(lastRun?.prompt ?? "")}”.`, `sheepdog run --resume ${sessionId}`),
          ),
        ...(brokenOff.length > MAX_SHOWN
          ? [
              warn(
                `${counted(brokenOff.length - MAX_SHOWN, "more run")} broken off.`,
                "sheepdog runs --state broken-off",
              ),
            ]
          : []),
        ...openSentences(open).map((sentence) => ok(sentence)),
      ];
    } finally {
      await stores.close();
    }
  },
};

function isRunning({ holder, renewedAt }: SessionSummary, at: number): boolean {
  return holder !== undefined && isLeaseActive(holder, renewedAt ?? at, at);
}

function firstLine(prompt: string): string {
  const line = prompt.trim().split("\n", 1)[0] ?? "";
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
