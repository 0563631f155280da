import { setTimeout as pause } from "node:timers/promises";
import type { Stores } from "@sheepdog/agent";
import { sendMessage } from "../../control/index.ts";
import { exitCode } from "../../exit-code.ts";
import type { Home } from "../../home.ts";
import { type Io, write, writeMessage } from "../../io.ts";
import { findRun } from "../../saved-runs/find-run.ts";
import { resumeHint } from "../../saved-runs/resume-command.ts";
import { describeState, isLive } from "../../saved-runs/run-state.ts";
import type { RunSummary } from "../../saved-runs/run-summary.ts";
import { type StoreContext, withStores } from "../../saved-runs/with-stores.ts";

/** How long it takes a run to hear an order, and to end in good order, at most. */
const hearMs = 3_000;
const endMs = 5_000;
const lookEveryMs = 100;

/** Ends a run that another process works off, in good order, and says how it ended. */
export async function stopCommand(id: string, io: Io): Promise<number> {
  return withStores(io, async ({ stores, home, config }) => {
    const found = await findRun(stores, id, Date.now());
    if (!found.ok) {
      await writeMessage(io, found.problem);
      return exitCode.usage;
    }
    const { sessionId, run, state } = found.summary;
    if (!isLive(state)) return tell(found.summary, "nobody works on it", { io, config });
    if (run.billingSessionId !== undefined) {
      await writeMessage(
        io,
        `${run.runId} is a subagent's run; stop the one that started it: sheepdog stop ${run.billingSessionId}`,
      );
      return exitCode.usage;
    }
    const heard = await hear(home, stores, run.runId, io);
    if (heard !== undefined) return heard;
    const ended = await untilEnded(stores, run.runId);
    if (ended !== undefined) return tell(ended, "stopped", { io, config });
    await writeMessage(
      io,
      `${run.runId} was told to stop and has not ended yet; \`sheepdog show ${sessionId}\` tells what it does`,
    );
    return exitCode.failed;
  });
}

/** Undefined where the run has heard it, or has ended. */
async function hear(home: Home, stores: Stores, runId: string, io: Io): Promise<number | undefined> {
  const sent = await sendMessage(home, runId, { type: "stop" }).catch((error: unknown) =>
    String(error instanceof Error ? error.message : error),
  );
  if (typeof sent === "string") {
    await writeMessage(io, `the order cannot be written (${sent})`);
    return exitCode.failed;
  }
  if ((await sent.taken(hearMs)).type !== "unheard") return undefined;
  const now = await findRun(stores, runId, Date.now());
  if (now.ok && !isLive(now.summary.state)) return undefined;
  await writeMessage(
    io,
    `${runId} does not listen: it is not worked off by \`sheepdog run\` or \`sheepdog chat\`, or its process hangs; nothing was done`,
  );
  return exitCode.failed;
}

async function untilEnded(stores: Stores, runId: string): Promise<RunSummary | undefined> {
  for (let left = endMs; left > 0; left -= lookEveryMs) {
    const found = await findRun(stores, runId, Date.now());
    if (found.ok && !isLive(found.summary.state)) return found.summary;
    await pause(lookEveryMs);
  }
  return undefined;
}

async function tell(
  kept: RunSummary,
  what: string,
  { io, config }: { readonly io: Io; readonly config: StoreContext["config"] },
): Promise<number> {
  const goOn = resumeHint(kept, { cwd: io.cwd, config });
  await write(io.stdout, `${kept.run.runId}: ${what} (${describeState(kept.state, kept.run.reason)})\n`);
  if (goOn !== undefined) await write(io.stderr, `${goOn}\n`);
  return exitCode.done;
}
