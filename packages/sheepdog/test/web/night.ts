import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bin } from "../e2e/sandbox.ts";

const script = fileURLToPath(new URL("../../../../scripts/night/play-night.mjs", import.meta.url));

/** `sheepdog serve` on a home with the runs of a scripted night. */
export interface NightServer {
  readonly home: string;
  readonly origin: string;
  /** An address with the token. */
  at(path: string): string;
  stop(): Promise<void>;
}

/** Plays the night into a folder and serves it. */
export async function playedNight(folder: string, args: readonly string[] = []): Promise<NightServer> {
  const [home, projects] = [join(folder, "home"), join(folder, "projects")];
  mkdirSync(projects, { recursive: true });
  await ended(
    spawn(process.execPath, [script, home, projects], { stdio: "inherit", env: { ...process.env, TZ: "UTC" } }),
  );
  const child = spawn(process.execPath, [bin, "serve", "--no-open", "--port", "0", ...args], {
    cwd: projects,
    env: { PATH: process.env["PATH"] ?? "", HOME: folder, SHEEPDOG_HOME: home, TZ: "UTC" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise<string>((resolve, reject) => {
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString("utf8");
      const found = /http:\/\/\S+#token=\S+/.exec(output);
      if (found !== null) resolve(found[0]);
    });
    child.on("close", () => reject(new Error(`Expected an address; the server ended with: ${output}`)));
  });
  const { origin, hash } = new URL(url);
  return {
    home,
    origin,
    at: (path) => `${origin}${path}${hash}`,
    async stop() {
      child.kill("SIGTERM");
      await ended(child);
    },
  };
}

function ended(child: ReturnType<typeof spawn>): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.on("close", () => resolve());
  });
}
