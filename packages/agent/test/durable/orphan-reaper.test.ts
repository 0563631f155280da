import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { runningProcesses } from "../../src/tools/processes/process-table.ts";
import { markVariable } from "../../src/tools/processes/process-tree.ts";
import { processFixture } from "./process-fixture.ts";

const { pathOf, start } = processFixture();

/** Everything that a process with this mark has started, itself included. */
const marked = (mark: string) =>
  runningProcesses()
    .filter(({ environment }) => environment.includes(mark))
    .map(({ name }) => name);
const isRunning = (wanted: number) => runningProcesses().some(({ pid }) => pid === wanted);
const canSee = process.platform === "linux"; // the only system that shows environments to everybody who asks

test.runIf(canSee)(
  "a command does not outlive an agent that was killed, nor does what left its group",
  { timeout: 60_000 },
  async () => {
    const [folder, mark] = [pathOf("killed"), "last-will-killed"];
    const stubborn =
      "trap '' TERM HUP INT; (setsid sleep 4391 &); (env -i sleep 4392 & echo $! > bare); touch begun; while true; do sleep 4393; done";
    const agent = start(
      "command",
      { folder, commands: ["echo one", stubborn] },
      { environment: { [markVariable]: mark } },
    );
    await vi.waitFor(() => expect(existsSync(join(folder, "begun"))).toBe(true), { timeout: 20_000 });
    const bare = Number(readFileSync(join(folder, "bare"), "utf8")); // no mark, but still in the group
    expect(marked(mark)).toEqual(expect.arrayContaining(["node", "sh", "bash", "sleep"]));
    expect(isRunning(bare)).toBe(true);
    agent.kill("SIGKILL");
    expect((await agent.ended).reports).toMatchObject([{ status: "ok", content: "one\n[exit code 0]" }]);
    await vi.waitFor(() => expect([marked(mark), isRunning(bare)]).toEqual([[], false]), { timeout: 20_000 });
  },
);

test.runIf(canSee)(
  "an agent that ends by itself leaves nobody behind, and waits for nobody",
  { timeout: 60_000 },
  async () => {
    const mark = "last-will-ended";
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

test.runIf(canSee)(
  "where the one who carries it out is killed, the agent goes on, and the next command has another one",
  { timeout: 60_000 },
  async () => {
    const [folder, mark] = [pathOf("shell"), "last-will-shell"];
    const killShell =
      "kill -KILL $(grep -lasF last-will-shell /proc/[0-9]*/environ | cut -d/ -f3 | while read p; do grep -lsx sh /proc/$p/comm; done | cut -d/ -f3)";
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
