import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ScriptedTurn, startWireServer, type WireRequest } from "@sheepdog/agent/testing";
import { contractOf } from "@sheepdog/integrations/hooks";
import { bin } from "./run-hook.ts";

const peer = new URL("../../../../bench/peers/claude-code/node_modules/", import.meta.url);
const program = fileURLToPath(new URL(`@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`, peer));

/** Whether the real Claude Code is installed: node bench/install.mjs claude-code. */
export const isClaudeCodeInstalled: boolean = existsSync(new URL(".installed-lock.json", peer));

export interface ClaudeCodeRun {
  /** The requests of the agent to its model, oldest first. */
  readonly requests: readonly WireRequest[];
  readonly stdout: string;
  readonly code: number | null;
}

export interface ClaudeCodeOptions {
  /** A folder for its home, its workspace and Sheepdog's home. */
  readonly folder: string;
  /** What the model answers to each request. */
  readonly model: (request: number) => ScriptedTurn;
  readonly hookFlags?: string;
  readonly flags?: readonly string[];
  readonly config?: string;
}

/** Runs the real Claude Code with its hooks attached, against a server that speaks the format of its model. */
export async function runClaudeCode(options: ClaudeCodeOptions): Promise<ClaudeCodeRun> {
  const { folder, model, hookFlags = "", flags = ["--dangerously-skip-permissions"], config = "" } = options;
  const [home, workspace, sheepdogHome] = ["home", "workspace", "sheepdog"].map((name) => join(folder, name));
  if (home === undefined || workspace === undefined || sheepdogHome === undefined) throw new Error("unreachable");
  for (const dir of [home, workspace, sheepdogHome]) await mkdir(dir, { recursive: true });
  await writeFile(join(sheepdogHome, "config.toml"), config);
  const command = `"${process.execPath}" "${bin}" hook claude-code ${hookFlags}`.trim();
  const handlers = [{ hooks: [{ type: "command", command }] }];
  const events = contractOf("claude-code")?.events ?? [];
  const settings = join(folder, "settings.json");
  await writeFile(settings, JSON.stringify({ hooks: Object.fromEntries(events.map((name) => [name, handlers])) }));
  const requests: WireRequest[] = [];
  const server = await startWireServer([], {
    afterLast(request) {
      const { tools } = request.body;
      if (!Array.isArray(tools) || tools.length === 0) return { text: "A title" };
      requests.push(request);
      return model(requests.length - 1);
    },
  });
  try {
    const child = spawn(program, ["--model", "claude-sonnet-4-5", "--settings", settings, ...flags, "-p", "Fix it."], {
      cwd: workspace,
      env: {
        PATH: process.env["PATH"],
        HOME: home,
        SHEEPDOG_HOME: sheepdogHome,
        IS_SANDBOX: "1",
        ANTHROPIC_API_KEY: "no-key-needed",
        ANTHROPIC_BASE_URL: server.url,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        DISABLE_TELEMETRY: "1",
        DISABLE_ERROR_REPORTING: "1",
        DISABLE_AUTOUPDATER: "1",
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let stdout = "";
    child.stdout.on("data", (text) => {
      stdout += text;
    });
    const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
    return { requests, stdout, code };
  } finally {
    await server.close();
  }
}
