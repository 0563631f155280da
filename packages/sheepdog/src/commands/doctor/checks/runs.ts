import { existsSync } from "node:fs";
import { isLeaseActive, type SessionSummary, sqliteStores } from "@sheepdog/agent";
import { counted } from "../../../render/terminal/amounts.ts";
import { type Check, ok, warn } from "../finding.ts";
import { databaseFinding } from "./database.ts";

const shownAtMost = 5;

/** Which runs go on, and which were broken off. */
export const runsCheck: Check = {
  name: "runs",
  async run(world) {
    if (!existsSync(world.home.database)) return [ok("None yet.")];
    if ((await databaseFinding(world)).status !== "ok") return [warn("What ran cannot be read: see database.")];
    const stores = await sqliteStores({ path: world.home.database, quickCheck: false });
    try {
      const open = (await stores.sessions.list()).filter(
        ({ lastRun }) =>
          lastRun !== undefined && lastRun.endedAt === undefined && lastRun.billingSessionId === undefined,
      );
      const running = open.filter((session) => isGoingOn(session, world.now()));
      const broken = open.filter((session) => !running.includes(session));
      return [
        ok(
          running.length === 0
            ? "None goes on now."
            : `${counted(running.length, "run")} now: ${running.map(({ sessionId }) => sessionId).join(", ")}.`,
        ),
        ...broken
          .slice(0, shownAtMost)
          .map(({ sessionId, lastRun }) =>
            warn(`Broken off: “${short(lastRun?.prompt ?? "")}”.`, `sheepdog run --resume ${sessionId}`),
          ),
        ...(broken.length > shownAtMost
          ? [
              warn(
                `${counted(broken.length - shownAtMost, "more run")} broken off.`,
                "sheepdog runs --state broken-off",
              ),
            ]
          : []),
      ];
    } finally {
      await stores.close();
    }
  },
};

function isGoingOn({ holder, renewedAt }: SessionSummary, at: number): boolean {
  return holder !== undefined && isLeaseActive(holder, renewedAt ?? at, at);
}

function short(prompt: string): string {
  const line = prompt.trim().split("\n", 1)[0] ?? "";
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
