import { spawn } from "node:child_process";
import { homedir } from "node:os";
import { join } from "node:path";
import type { PluginAnswer, PluginEvent } from "../hooks/plugin-event.ts";

/** A hook that takes longer is ended, and the agent continues. */
const TIMEOUT_MS = 10_000;

/** Asks `sheepdog hook opencode` about an event. Every failure is an empty answer: the agent continues. */
export function askHook(event: PluginEvent): Promise<PluginAnswer> {
  const home = process.env["SHEEPDOG_HOME"]?.trim() || join(homedir(), ".sheepdog");
  return new Promise((resolve) => {
    const hook = spawn(join(home, "bin", "sheepdog-hook"), ["opencode"], {
      stdio: ["pipe", "pipe", "ignore"],
      cwd: event.directory,
    });
    const timeout = setTimeout(() => hook.kill("SIGKILL"), TIMEOUT_MS);
    let stdout = "";
    hook.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    const finish = () => {
      clearTimeout(timeout);
      resolve(readAnswer(stdout));
    };
    hook.on("error", finish).on("close", finish);
    hook.stdin.on("error", () => {}); // the hook ended before it had read the event
    hook.stdin.end(JSON.stringify(event));
  });
}

function readAnswer(stdout: string): PluginAnswer {
  try {
    const answer: unknown = JSON.parse(stdout === "" ? "{}" : stdout);
    return typeof answer === "object" && answer !== null ? answer : {};
  } catch {
    return {}; // cut off when the hook was ended
  }
}
