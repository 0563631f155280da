import { spawn } from "node:child_process";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";

/** What a process took. */
export interface ProcessCost {
  readonly ms: number;
  readonly maxRssMb: number;
  readonly stdout: string;
}

const reporter = fileURLToPath(new URL("report-memory.mjs", import.meta.url));

/** Runs node with these arguments and measures the whole process. Throws if it fails. */
export async function measureProcess(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<ProcessCost> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ["--import", reporter, ...args], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit", "pipe"],
  });
  const [stdout, memory, code] = await Promise.all([
    textOf(child.stdio[1]),
    textOf(child.stdio[3]),
    new Promise<number | null>((resolve) => child.on("close", resolve)),
  ]);
  if (code !== 0) throw new Error(`Expected exit code 0 of ${args.join(" ")}, got ${code}.`);
  return { ms: performance.now() - startedAt, maxRssMb: Number(memory) / 1_024, stdout };
}

async function textOf(stream: unknown): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream as NodeJS.ReadableStream) chunks.push(chunk as Buffer); // a pipe, by `stdio`
  return Buffer.concat(chunks).toString("utf8");
}
