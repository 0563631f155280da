import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AgentRuns } from "./rounds.ts";

/** Complete runs, and whether the agents were cut off from every network but loopback. */
export interface MeasuredRuns extends AgentRuns {
  readonly isIsolated: boolean;
}

/** Enters namespaces in which loopback is the only network; the rest of the command line runs there. */
const isolated = [
  ...["unshare", "--map-root-user", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"],
  ...["sh", "-c", 'ip link set lo up && exec "$@"', "sh"],
];

/** Measures complete runs of all agents, without a network where the system allows that. */
export function measureAgentRuns(rounds: number): MeasuredRuns {
  const isIsolated = run([...isolated, "true"], "ignore") === 0;
  const folder = mkdtempSync(join(tmpdir(), "sheepdog-bench-"));
  const file = join(folder, "runs.json");
  const script = fileURLToPath(new URL("child.ts", import.meta.url));
  const child = [process.execPath, "--import", "tsx", script, String(rounds), isIsolated ? "isolated" : "open", file];
  try {
    const status = run([...(isIsolated ? isolated : []), ...child], "inherit");
    if (status !== 0)
      throw new Error(`Expected the measurement of complete runs to end well; it exited with ${status}.`);
    return { ...(JSON.parse(readFileSync(file, "utf8")) as AgentRuns), isIsolated }; // what child.ts writes
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run([executable = "", ...args]: readonly string[], output: "ignore" | "inherit"): number | null {
  return spawnSync(executable, args, { stdio: ["ignore", output, output] }).status;
}
