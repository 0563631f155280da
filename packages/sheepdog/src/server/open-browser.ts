import { spawn } from "node:child_process";
import type { Io } from "../io.ts";

/**
 * Opens an address in the user's browser if there is a screen. A browser that cannot be opened is no failure: the
 * address is printed too.
 */
export function openBrowser(url: string, env: Io["env"], platform: NodeJS.Platform = process.platform): void {
  const command = browserCommand(env, platform);
  if (command === undefined) return;
  const child = spawn(command, [url], { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}

/** The program that opens addresses; undefined in CI, over SSH, and without a screen. */
export function browserCommand(env: Io["env"], platform: NodeJS.Platform): string | undefined {
  if (env["CI"] || env["SSH_CONNECTION"]) return undefined;
  if (platform === "darwin") return "open";
  if (platform === "win32") return "explorer";
  return env["DISPLAY"] || env["WAYLAND_DISPLAY"] ? "xdg-open" : undefined;
}
