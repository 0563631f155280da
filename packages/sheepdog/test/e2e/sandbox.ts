import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Holder, isGone } from "@sheepdog/agent";
import {
  type AfterLast,
  type Script,
  startWireServer,
  type WireRequest,
  type WireServer,
  type WireServerOptions,
} from "@sheepdog/agent/testing";
import type { TestContext } from "vitest";
import { packageRoot } from "../../src/package-root.ts";

/** The path of the binary. */
export const bin = fileURLToPath(new URL("bin/sheepdog.js", packageRoot));

export { isBuilt } from "../is-built.ts";

/** The exit and the output of a process. */
export interface ProcessResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

/** A running process. */
interface RunningProcess {
  readonly child: ChildProcess;
  readonly ended: Promise<ProcessResult>;
  /** Resolves once its output contains the text. Rejects if it ends without. */
  says(text: string): Promise<void>;
  /** Its output so far. */
  said(): string;
}

/** An environment for the binary: a home, a workspace, and a model server. */
export interface Sandbox {
  readonly home: string;
  readonly workspace: string;
  readonly server: WireServer;
  readonly env: Readonly<Record<string, string>>;
  /** Writes the configuration of the user. */
  configure(toml: string): Promise<void>;
  /** Writes a file to the workspace. */
  file(name: string, content: string): Promise<string>;
  start(args: readonly string[], options?: RunOptions): RunningProcess;
  run(args: readonly string[], options?: RunOptions): Promise<ProcessResult>;
}

interface RunOptions {
  /** The content of stdin; empty by default. */
  readonly input?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  /** A line for `sh` that starts the binary, with the command as "$@". By default, it is started directly. */
  readonly shell?: string;
}

/** Creates a new home and workspace, and a server that replies with the script. All are removed after the test. */
export async function createSandbox(
  { onTestFinished }: Pick<TestContext, "onTestFinished">,
  script: Script<WireRequest>,
  afterLast: AfterLast<WireRequest> = "error",
  options: Pick<WireServerOptions, "opinion" | "judge"> = {},
): Promise<Sandbox> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "sheepdog-e2e-")));
  const [home, workspace] = [join(folder, "home"), join(folder, "work")];
  await mkdir(workspace);
  const server = await startWireServer(script, { ...options, afterLast });
  const children = new Set<ChildProcess>();
  onTestFinished(async () => {
    for (const child of children) child.kill("SIGKILL");
    for (const pid of deliveringProcesses(home)) process.kill(pid, "SIGKILL");
    await server.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    LANG: "C.UTF-8",
    SHEEPDOG_HOME: home,
    ANTHROPIC_API_KEY: "quiet-shepherd-canary-7731",
    ANTHROPIC_BASE_URL: server.url,
  };
  const start = (args: readonly string[], { input = "", env: more = {}, shell }: RunOptions = {}): RunningProcess => {
    const command = [process.execPath, bin, ...args];
    const [program = "", ...rest] = shell === undefined ? command : ["sh", "-c", shell, "sh", ...command];
    const child = spawn(program, rest, { cwd: workspace, env: { ...env, ...more }, stdio: ["pipe", "pipe", "pipe"] });
    children.add(child);
    child.stdin.on("error", () => {}); // it may end before it has read everything
    child.stdin.end(input);
    return watch(child, () => children.delete(child));
  };
  return {
    home,
    workspace,
    server,
    env,
    async configure(toml) {
      await mkdir(home, { recursive: true, mode: 0o700 });
      await writeFile(join(home, "config.toml"), toml);
    },
    async file(name, content) {
      const path = join(workspace, name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content);
      return path;
    },
    start,
    run: (args, options) => start(args, options).ended,
  };
}

/** The processes that deliver messages to people: they outlive the run that started them. */
function deliveringProcesses(home: string): readonly number[] {
  const folder = join(home, "channels/leases");
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => {
    const holder = JSON.parse(readFileSync(join(folder, name), "utf8")) as { readonly pid: number };
    return isGone(holder as Holder) ? [] : [holder.pid]; // our own file
  });
}

function watch(child: ChildProcess, onEnd: () => void): RunningProcess {
  let [out, err] = ["", ""];
  const checks = new Set<() => void>();
  const onData = (add: (text: string) => void) => (chunk: Buffer) => {
    add(chunk.toString("utf8"));
    for (const check of checks) check();
  };
  child.stdout?.on(
    "data",
    onData((text) => {
      out += text;
    }),
  );
  child.stderr?.on(
    "data",
    onData((text) => {
      err += text;
    }),
  );
  const ended = new Promise<ProcessResult>((resolve) => {
    child.on("close", (code, signal) => {
      onEnd();
      resolve({ code, signal, out, err });
    });
  });
  return {
    child,
    ended,
    said: () => out + err,
    says: (text) =>
      new Promise((resolve, reject) => {
        const check = () => {
          if (!(out + err).includes(text)) return;
          checks.delete(check);
          resolve();
        };
        checks.add(check);
        check();
        void ended.then(() => reject(new Error(`Expected the output ${JSON.stringify(text)}; got:\n${out}\n${err}`)));
      }),
  };
}
