// Starts `sheepdog serve` on a home, with the clock of the night.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { morning } from "./play-night.mjs";

const bin = fileURLToPath(new URL("../../packages/sheepdog/bin/sheepdog.js", import.meta.url));
const clock = new URL("./clock-at.mjs", import.meta.url).href;

/** Starts the program with the clock of the night. */
export function startProgram(args, { home, cwd, env = {} }) {
  return spawn(process.execPath, ["--import", clock, bin, ...args], {
    cwd,
    env: { PATH: process.env["PATH"], HOME: home, SHEEPDOG_HOME: home, NIGHT_NOW: String(morning), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Resolves with the address, which has the token, and a function that ends the server. */
export async function startServer({ home, projects, env = {} }) {
  const child = startProgram(["serve", "--no-open", "--port", "0"], { home, cwd: projects, env });
  let output = "";
  const url = await new Promise((resolve, reject) => {
    const read = (chunk) => {
      output += chunk;
      const [found] = /http:\/\/\S+#token=\S+/.exec(output) ?? [];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.on("close", () => reject(new Error(`The server ended: ${output}`)));
  });
  const stop = () =>
    new Promise((resolve) => {
      child.on("close", resolve);
      child.kill("SIGTERM");
    });
  return { url, origin: new URL(url).origin, stop };
}
