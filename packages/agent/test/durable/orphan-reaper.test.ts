import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { runningProcesses } from "../../src/tools/processes/process-table.ts";
import { markVariable } from "../../src/tools/processes/tree-mark.ts";
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
