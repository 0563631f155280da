import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { startWireServer } from "../../packages/agent/dist/testing/index.js";
import { ownRoot } from "../measure/baseline.ts";

/** A run of the built command. */
export interface MeasuredRun {
  readonly turns: number;
  /** How long the model takes for each reply. */
  readonly replyMs: number;
  /** The configuration of the user. */
  readonly config: string;
}

/** Runs `sheepdog run` in a fresh home, and returns how long the process took, in milliseconds on the clock. */
export async function runOnce({ turns, replyMs, config }: MeasuredRun): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "sheepdog-bench-"));
  const [home, workspace] = [join(folder, "home"), join(folder, "work")];
  mkdirSync(home, { mode: 0o700 });
  mkdirSync(workspace);
  for (let turn = 0; turn < turns; turn += 1) writeFileSync(join(workspace, `${turn}.txt`), "");
  writeFileSync(join(home, "config.toml"), `${config}\n[agent]\nmax_turns = 0\n`);
  const call = (turn: number) => ({ calls: [{ tool: "glob", input: { pattern: `${turn}.*` } }], delayMs: replyMs });
  const script = [...Array.from({ length: turns - 1 }, (_, turn) => call(turn)), { text: "Done.", delayMs: replyMs }];
  const server = await startWireServer(script);
  try {
    return await timed(["run", "--quiet", "Look around."], {
      cwd: workspace,
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: folder,
        SHEEPDOG_HOME: home,
        ANTHROPIC_API_KEY: "bench",
        ANTHROPIC_BASE_URL: server.url,
      },
    });
  } finally {
    await server.close();
    await endDelivery(home);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Ends the process that would try to deliver for a day, so that it does not disturb the next run. */
async function endDelivery(home: string): Promise<void> {
  const folder = join(home, "channels/leases");
  if (!existsSync(join(home, "channels"))) return;
  for (let waitedMs = 0; waitedMs < 5_000; waitedMs += 50) {
    const leases = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".json")) : [];
    for (const name of leases) {
      const { pid } = JSON.parse(readFileSync(join(folder, name), "utf8")) as { readonly pid: number }; // a lease
      process.kill(pid, "SIGKILL");
    }
    if (leases.length > 0) return;
    await setTimeout(50);
  }
}

function timed(args: readonly string[], options: { readonly cwd: string; readonly env: Record<string, string> }) {
  const script = join(ownRoot, "packages/sheepdog/bin/sheepdog.js");
  return new Promise<number>((resolve, reject) => {
    const startedAt = performance.now();
    const child = spawn(process.execPath, [script, ...args], { ...options, stdio: "ignore" });
    child.on("error", reject);
    child.on("close", (code) => {
      const ms = performance.now() - startedAt;
      if (code === 0) resolve(ms);
      else reject(new Error(`Expected the run to end well; it exited with ${code}.`));
    });
  });
}
