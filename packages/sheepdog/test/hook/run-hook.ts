import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { SpoolLine } from "@sheepdog/integrations/hooks";
import { packageRoot } from "../../src/package-root.ts";

export const bin: string = fileURLToPath(new URL("bin/sheepdog.js", packageRoot));

export interface HookExit {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts `sheepdog hook claude-code` with a home of its own, as the agent does. */
export function startHook(
  home: string,
  stdin: string | object,
  env: Readonly<Record<string, string>> = {},
): { readonly child: ChildProcess; readonly exit: Promise<HookExit> } {
  const child = spawn(process.execPath, [bin, "hook", "claude-code"], {
    cwd: "/",
    env: { PATH: process.env["PATH"], HOME: join(home, ".."), SHEEPDOG_HOME: home, ...env },
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (text) => {
    stdout += text;
  });
  child.stderr.on("data", (text) => {
    stderr += text;
  });
  child.stdin.on("error", () => {}); // killed before it has read
  child.stdin.end(typeof stdin === "string" ? stdin : JSON.stringify(stdin));
  return { child, exit: new Promise((resolve) => child.on("close", (code) => resolve({ code, stdout, stderr }))) };
}

/** Runs it to its end. */
export function runHook(...args: Parameters<typeof startHook>): Promise<HookExit> {
  return startHook(...args).exit;
}

export const silent: HookExit = { code: 0, stdout: "", stderr: "" };

/** An event of a session in the words of Claude Code. */
export function event(name: string, more: object = {}): object {
  return { session_id: "s1", cwd: "/", hook_event_name: name, permission_mode: "default", ...more };
}

export function failingCall(index: number, command = "npm test") {
  const call = { tool_name: "Bash", tool_input: { command }, tool_use_id: `c${index}` };
  return {
    before: event("PreToolUse", call),
    after: event("PostToolUseFailure", { ...call, error: "Exit code 1\nError: 1 test failed" }),
    end: event("PostToolBatch", { tool_calls: [{ ...call, tool_response: "Exit code 1\nError: 1 test failed" }] }),
  };
}

export function sessionFile(home: string, name: string): string {
  return join(home, "attach", "claude-code", name);
}

export function spool(home: string, session = "s1"): readonly SpoolLine[] {
  const text = readFileSync(sessionFile(home, `${session}.jsonl`), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as SpoolLine); // written by the hook
}
