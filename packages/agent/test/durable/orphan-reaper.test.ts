import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { runningProcesses } from "../../src/tools/processes/process-table.ts";
import { markVariable } from "../../src/tools/processes/process-tree.ts";
import { processFixture } from "./process-fixture.ts";

const { pathOf, start } = processFixture();

/** The names of all processes with this mark: the agent and everything it started. */
const marked = (mark: string) =>
  runningProcesses()
    .filter(({ environment }) => environment.includes(mark))
    .map(({ name }) => name);
const isRunning = (processId: number) => runningProcesses().some(({ pid }) => pid === processId);
const exposesEnvironments = process.platform === "linux";

test.runIf(exposesEnvironments)(
  "a killed agent leaves no process of its command behind, also none that left the process group",
  { timeout: 60_000 },
  async () => {
    const [folder, mark] = [pathOf("killed"), "orphan-reaper-killed"];
    const unkillable = [
      "trap '' TERM HUP INT",
      "(setsid sleep 4391 &)",
      "(env -i sleep 4392 & echo $! > unmarked)",
      "touch started",
      "while true; do sleep 4393; done",
    ].join("; ");
    const agent = start(
      "command",
      { folder, commands: ["echo one", unkillable] },
      { environment: { [markVariable]: mark } },
    );
    await vi.waitFor(() => expect(existsSync(join(folder, "started"))).toBe(true), { timeout: 20_000 });
    const unmarked = Number(readFileSync(join(folder, "unmarked"), "utf8")); // has no mark, but is in the group
    expect(marked(mark)).toEqual(expect.arrayContaining(["node", "sh", "bash", "sleep"]));
    expect(isRunning(unmarked)).toBe(true);
    agent.kill("SIGKILL");
    expect((await agent.ended).reports).toMatchObject([{ status: "ok", content: "one\n[exit code 0]" }]);
    await vi.waitFor(() => expect([marked(mark), isRunning(unmarked)]).toEqual([[], false]), { timeout: 20_000 });
  },
);

test.runIf(exposesEnvironments)(
  "an agent that exits leaves no process behind and does not wait for the reaper",
  { timeout: 60_000 },
  async () => {
    const mark = "orphan-reaper-ended";
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

test.runIf(exposesEnvironments)(
  "when the reaper is killed, the agent continues, and the next command starts another reaper",
  { timeout: 60_000 },
  async () => {
    const [folder, mark] = [pathOf("shell"), "orphan-reaper-shell"];
    const markedPids = `grep -lasF ${mark} /proc/[0-9]*/environ | cut -d/ -f3`;
    const shellPids = `${markedPids} | while read p; do grep -lsx sh /proc/$p/comm; done | cut -d/ -f3`;
    const killReaper = `kill -KILL $(${shellPids})`;
    const agent = start(
      "command",
      { folder, commands: [`${killReaper}; sleep 0.2`, "touch started; sleep 4394"] },
      { environment: { [markVariable]: mark } },
    );
    await vi.waitFor(() => expect(existsSync(join(folder, "started"))).toBe(true), { timeout: 20_000 });
    agent.kill("SIGKILL");
    await agent.ended;
    await vi.waitFor(() => expect(marked(mark)).toEqual([]), { timeout: 20_000 });
  },
);
