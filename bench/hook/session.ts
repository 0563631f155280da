import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ownRoot } from "../measure/baseline.ts";
import { emptyEnvironment } from "../start/environment.ts";

const bin = join(ownRoot, "packages/sheepdog/bin/sheepdog.js");

/** What one start took, in milliseconds. */
export interface Start {
  readonly clockMs: number;
  /** Processor time in user and in system mode. */
  readonly cpuMs: number;
}

/** A session of Claude Code with a home of its own, whose hooks are started one by one. */
export interface HookSession {
  /** A hook before a new call. */
  beforeCall(): Start;
  /** A hook at the end of a turn with one call. */
  turnEnd(): Start;
  close(): Promise<void>;
}

/** The shortest run of Node. */
export function startNode(home: string): Start {
  return startOnce(["-e", "0"], home, "");
}

const requestsBefore = 400;
const turnsBefore = 60;

/**
 * Opens a session that has a history: the guardian's memory is full, and the recording has hundreds of requests.
 * `isServed` starts `sheepdog serve` for the same home.
 */
export async function openSession({ isServed }: { readonly isServed: boolean }): Promise<HookSession> {
  const home = mkdtempSync(join(tmpdir(), "sheepdog-bench-"));
  const recording = join(home, "session.jsonl");
  writeFileSync(recording, Array.from({ length: requestsBefore }, (_, index) => `${recordedReply(index)}\n`).join(""));
  let calls = 0;
  const event = (name: string, more: object) =>
    JSON.stringify({
      session_id: "bench",
      transcript_path: recording,
      cwd: home,
      permission_mode: "default",
      hook_event_name: name,
      ...more,
    });
  const newCall = () => {
    const index = calls++;
    const command = `grep -rn "name${index}" src/module${index % 7} | head -20`;
    return { tool_name: "Bash", tool_input: { command, description: "Search" }, tool_use_id: `toolu_${index}` };
  };
  const hook = (name: string, more: object) => startOnce([bin, "hook", "claude-code"], home, event(name, more));
  const turnEnd = () => {
    const call = newCall();
    const response = `src/a.ts:${calls}: const name = ${calls};\n`.repeat(10);
    return hook("PostToolBatch", { tool_calls: [{ ...call, tool_response: response }] });
  };
  hook("SessionStart", { source: "startup" });
  for (let turn = 0; turn < turnsBefore; turn++) turnEnd();
  const stopServer = isServed ? await startServer(home) : async () => {};
  return {
    beforeCall: () => hook("PreToolUse", newCall()),
    turnEnd,
    async close() {
      await stopServer();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function recordedReply(index: number): string {
  const usage = { input_tokens: 12, cache_read_input_tokens: 40_000 + index, output_tokens: 300 };
  const content = [{ type: "text", text: "Some words of a reply. ".repeat(40) }];
  return JSON.stringify({
    type: "assistant",
    timestamp: new Date(Date.now() - 60_000).toISOString(),
    message: { id: `msg_${index}`, model: "claude-sonnet-4-5", content, usage },
  });
}

/** Runs Node and lets the shell time it, which states milliseconds. Throws unless the program ends well. */
function startOnce(args: readonly string[], home: string, input: string): Start {
  const script = 'TIMEFORMAT="%3R %3U %3S"; time "$@" >/dev/null';
  const { status, signal, stderr } = spawnSync("bash", ["-c", script, "bash", process.execPath, ...args], {
    input,
    cwd: home,
    env: { ...emptyEnvironment(home), LC_ALL: "C" },
    timeout: 60_000,
    encoding: "utf8",
  });
  const [clock = Number.NaN, user = Number.NaN, system = Number.NaN] = stderr.trim().split(" ").map(Number);
  if (status !== 0 || Number.isNaN(system))
    throw new Error(`Expected ${args.join(" ")} to exit with 0; got ${signal ?? status}: ${stderr}`);
  return { clockMs: clock * 1_000, cpuMs: (user + system) * 1_000 };
}

async function startServer(home: string): Promise<() => Promise<void>> {
  const server = spawn(process.execPath, [bin, "serve", "--no-open", "--port", "0"], {
    cwd: home,
    env: emptyEnvironment(home),
    stdio: "ignore",
  });
  const ended = new Promise<void>((resolve) => server.on("exit", () => resolve()));
  const socket = join(home, ".sheepdog/attach/hooks.sock");
  for (let tries = 0; !existsSync(socket); tries++) {
    if (tries === 200) throw new Error("Expected `sheepdog serve` to listen for hooks within 10 seconds.");
    await pause(50);
  }
  return async () => {
    server.kill("SIGINT");
    await ended;
  };
}
