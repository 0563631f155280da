import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { emptyEnvironment } from "../start/environment.ts";
import { ours } from "../start/programs.ts";

/** A running `sheepdog serve`. */
export interface SheepdogServer {
  readonly origin: string;
  readonly token: string;
  /** Resident memory in MB. */
  memory(): number;
  /** Processor time in milliseconds so far; undefined where the system does not tell. */
  cpuMs(): number | undefined;
  stop(): Promise<void>;
}

/** Starts the built program on a home, on a free port. */
export async function startSheepdogServer(home: string): Promise<SheepdogServer> {
  const [program, ...args] = ours.command();
  const env = { ...emptyEnvironment(home), SHEEPDOG_HOME: home };
  const child = spawn(program, [...args, "serve", "--no-open", "--port", "0"], {
    cwd: home,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const { origin, hash } = new URL(await printedAddress(child));
  return {
    origin,
    token: hash.replace("#token=", ""),
    memory: () => Number(spawnSync("ps", ["-o", "rss=", "-p", String(child.pid)], { encoding: "utf8" }).stdout) / 1_024,
    cpuMs: () => processorMs(child.pid),
    async stop() {
      const ended = new Promise((resolve) => child.on("exit", resolve));
      child.kill("SIGTERM");
      await ended;
    },
  };
}

function printedAddress({ stdout, ...child }: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = "";
    stdout?.on("data", (chunk: Buffer) => {
      output += chunk.toString("utf8");
      const [address] = /http:\/\/\S+#token=\S+/.exec(output) ?? [];
      if (address !== undefined) resolve(address);
    });
    stdout?.on("end", () => reject(new Error(`Expected an address; the server (${child.pid}) printed ${output}.`)));
  });
}

const millisPerTick = 10;

/** User and system time from Linux's list of processes. */
function processorMs(pid: number | undefined): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    return (Number(fields[11]) + Number(fields[12])) * millisPerTick;
  } catch {
    return undefined; // not Linux
  }
}
