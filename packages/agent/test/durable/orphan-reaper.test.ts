import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { runningProcesses } from "../../src/tools/processes/process-table.ts";
import { markVariable } from "../../src/tools/processes/tree-mark.ts";
import { sandboxModes } from "../../src/tools/testing/sandbox-modes.ts";
import { processFixture } from "./process-fixture.ts";

const { pathOf, start } = processFixture();

/** Names of all processes with this mark in their environment. */
const marked = (mark: string) =>
  runningProcesses()
    .filter(({ environment }) => environment.includes(mark))
    .map(({ name }) => name);
const isRunning = (processId: number) => runningProcesses().some(({ pid }) => pid === processId);
const canListProcesses = process.platform === "linux"; // only Linux shows the environment of other processes

test.runIf(canListProcesses)(
  "a command does not outlive a killed agent, even when it left its process group",
  { timeout: 60_000 },
  async () => {
    const [folder, mark] = [pathOf("killed"), "reaper-killed"];
    const longCommand =
      "trap '' TERM HUP INT; (setsid sleep 4391 &); (env -i sleep 4392 & echo $! > bare); touch begun; " +
      "while true; do sleep 4393; done";
    const agent = start(
      "command",
      { folder, commands: ["echo one", longCommand] },
      { environment: { [markVariable]: mark } },
    );
    await vi.waitFor(() => expect(existsSync(join(folder, "begun"))).toBe(true), { timeout: 20_000 });
    const unmarkedPid = Number(readFileSync(join(folder, "bare"), "utf8")); // without the mark, but in the group
    expect(marked(mark)).toEqual(expect.arrayContaining(["node", "sh", "bash", "sleep"]));
    expect(isRunning(unmarkedPid)).toBe(true);
    agent.kill("SIGKILL");
    expect((await agent.ended).reports).toMatchObject([{ status: "ok", content: "one\n[exit code 0]" }]);
    await vi.waitFor(() => expect([marked(mark), isRunning(unmarkedPid)]).toEqual([[], false]), { timeout: 20_000 });
  },
);

test.runIf(canListProcesses)(
  "an agent that ends by itself leaves no process behind and waits for none",
  { timeout: 60_000 },
  async () => {
    const mark = "reaper-ended";
    const agent = start(
      "command",
      { folder: pathOf("ended"), commands: ["echo one", "echo two"] },
      { environment: { [markVariable]: mark } },
    );
    const { code, reports } = await agent.ended;
    expect([code, reports.length]).toEqual([0, 2]);
    await vi.waitFor(() => expect(marked(mark)).toEqual([]), { timeout: 20_000 });
  },
);

test.runIf(canListProcesses)(
  "when the reaper is killed, the agent continues and the next command starts another reaper",
  { timeout: 60_000 },
  async () => {
    const [folder, mark] = [pathOf("shell"), "reaper-shell"];
    const killShell =
      "kill -KILL $(grep -lasF reaper-shell /proc/[0-9]*/environ | cut -d/ -f3 | " +
      "while read p; do grep -lsx sh /proc/$p/comm; done | cut -d/ -f3)";
    const agent = start(
      "command",
      { folder, commands: [`${killShell}; sleep 0.2`, "touch begun; sleep 4394"] },
      { environment: { [markVariable]: mark } },
    );
    await vi.waitFor(() => expect(existsSync(join(folder, "begun"))).toBe(true), { timeout: 20_000 });
    agent.kill("SIGKILL");
    await agent.ended;
    await vi.waitFor(() => expect(marked(mark)).toEqual([]), { timeout: 20_000 });
  },
);

/** Processes that sleep this long, whatever their environment, session and parent. */
const sleepers = (seconds: string) =>
  runningProcesses().filter(({ pid }) => readArguments(pid).join(" ") === `sleep ${seconds}`);

function readArguments(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").slice(0, -1);
  } catch {
    return []; // it has ended
  }
}

describe.for(await sandboxModes())("$name", ({ isAvailable, sandbox }) => {
  const isSandboxed = sandbox !== undefined;

  test.runIf(canListProcesses && isAvailable).for([
    ["SIGKILL", "4401"],
    ["SIGTERM", "4402"],
    ["SIGINT", "4403"],
    ["SIGHUP", "4404"],
  ] as const)(
    "a daemon without parent, session, group and environment does not outlive %s of the agent",
    { timeout: 60_000 },
    async ([signal, number]) => {
      const seconds = `${number}${isSandboxed ? ".5" : ""}`;
      const folder = pathOf(`${signal}-${isSandboxed}`);
      const daemon = `setsid env -i sleep ${seconds} &`;
      const script = `echo '${daemon}' > daemon.sh; sh daemon.sh; sleep 0.2; touch begun; sleep ${seconds}`;
      const agent = start("command", { folder, commands: [script], isSandboxed });
      await vi.waitFor(() => expect(existsSync(join(folder, "begun"))).toBe(true), { timeout: 20_000 });
      await vi.waitFor(() => expect(sleepers(seconds)).toHaveLength(2), { timeout: 10_000 });
      agent.kill(signal);
      await agent.ended;
      await vi.waitFor(() => expect(sleepers(seconds)).toEqual([]), { timeout: 20_000 });
    },
  );

  test.runIf(canListProcesses && isAvailable)(
    "such a daemon does not outlive its command either, and the result names it",
    { timeout: 60_000 },
    async () => {
      const commands = ["echo 'setsid env -i sleep 4405 &' > daemon.sh; sh daemon.sh; sleep 0.1"];
      const { reports } = await start("command", { folder: pathOf(`ended-${isSandboxed}`), commands, isSandboxed })
        .ended;
      expect(reports).toMatchObject([
        { status: "ok", content: "[processes it left running were killed: sleep]\n[exit code 0]" },
      ]);
      expect(sleepers("4405")).toEqual([]);
    },
  );
});
