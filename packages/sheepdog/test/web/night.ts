import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bin } from "../e2e/sandbox.ts";
import { processEnd, type ServedHome, serveHome } from "./serve-home.ts";

const script = fileURLToPath(new URL("../../../../scripts/night/play-night.mjs", import.meta.url));

/** Plays a scripted night into a folder and serves it. */
export async function playedNight(folder: string): Promise<ServedHome> {
  const [home, projects] = [join(folder, "home"), join(folder, "projects")];
  mkdirSync(projects, { recursive: true });
  const env = { ...process.env, TZ: "UTC" };
  await processEnd(spawn(process.execPath, [script, home, projects], { stdio: ["ignore", "ignore", "inherit"], env }));
  return serveHome(bin, home, { cwd: projects });
}
