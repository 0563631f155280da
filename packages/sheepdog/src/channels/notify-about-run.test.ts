import type { AgentEvent, AgentEventBody, Run } from "@sheepdog/agent";
import { expect, test } from "vitest";
import { channelOf } from "../../test/channels/samples.ts";
import { scratchFolder } from "../../test/scratch-folder.ts";
import { resolveHome } from "../home.ts";
import { claimAccount } from "./delivery/lease.ts";
import { notifyAboutRun } from "./notify-about-run.ts";
import { readOutbox } from "./outbox.ts";

const file = scratchFolder();

test("the notice about a limit has the command that continues", async () => {
  const home = resolveHome({ SHEEPDOG_HOME: await file("home") });
  const channel = channelOf({ type: "desktop" });
  const lease = claimAccount(home, channel.account); // no process is started to deliver
  let publish = (_event: AgentEvent) => {};
  const send = (body: AgentEventBody) =>
    publish({ ...body, seq: 1, at: 1_000, sessionId: "ses_1", runId: "run_1", severity: "info" });
  // Only these fields are read.
  const run = { runId: "run_1", sessionId: "ses_1", limits: () => ({}) } as unknown as Run;
  const stop = notifyAboutRun(run, {
    ...{ home, env: {}, channels: [channel], workspace: "/my-app", isWatched: false, program: "sheepdog" },
    bus: {
      subscribe(subscription) {
        publish = typeof subscription === "function" ? subscription : subscription.listener;
        return () => {};
      },
    },
    resumeCommand: ({ sessionId, reason }) => `resume ${sessionId} ${reason}`,
    bell: () => {},
    onProblem: (sentence) => expect.unreachable(sentence),
  });
  const message = "25 turns are used.";
  const reached = { id: "e1", detector: "turns", level: "halt", effect: "stop", call: 3 } as const;
  send({
    type: "BudgetExceeded",
    intervention: { ...reached, evidence: [], count: 25, message, isApplied: true },
  });
  stop();
  expect(readOutbox(home, channel.account).map(({ notice }) => notice.command)).toEqual(["resume ses_1 max_turns"]);
  lease?.release();
});
