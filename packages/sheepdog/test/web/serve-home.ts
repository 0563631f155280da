import { type ChildProcess, spawn } from "node:child_process";

/** `sheepdog serve` on a home. */
export interface ServedHome {
  readonly origin: string;
  /** An address with the token. */
  at(path: string): string;
  stop(): Promise<void>;
}

/** Serves a home that exists, on a free port. */
export async function serveHome(
  bin: string,
  home: string,
  { cwd = home, args = [] }: { readonly cwd?: string; readonly args?: readonly string[] } = {},
): Promise<ServedHome> {
  const child = spawn(process.execPath, [bin, "serve", "--no-open", "--port", "0", ...args], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", HOME: home, SHEEPDOG_HOME: home, TZ: "UTC" },
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
    origin,
    at: (path) => `${origin}${path}${hash}`,
    async stop() {
      child.kill("SIGTERM");
      await processEnd(child);
    },
  };
}

/** Resolves when a process has ended. */
export function processEnd(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.on("close", () => resolve());
  });
}
