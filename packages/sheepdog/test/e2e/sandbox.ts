import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type AfterLast,
  type Script,
  startWireServer,
  type WireRequest,
  type WireServer,
} from "@sheepdog/agent/testing";
import type { TestContext } from "vitest";
import { packageRoot } from "../../src/package-root.ts";

/** The binary. */
export const bin = fileURLToPath(new URL("bin/sheepdog.js", packageRoot));

/** Whether there is a binary to start. */
export const isBuilt = existsSync(new URL("dist/cli.js", packageRoot));
if (!isBuilt) console.warn("The command is not built: its tests as a process are skipped. Run: npm run build");

/** How a process ended, and what it said. */
export interface ProcessResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

/** A process that goes on. */
interface RunningProcess {
  readonly child: ChildProcess;
  readonly ended: Promise<ProcessResult>;
  /** Resolves once what it has said so far, on both outputs, holds the text. Rejects where it ends without. */
  says(text: string): Promise<void>;
}

/** A place to run the binary in: a home, a folder to work in, and a model. */
export interface Sandbox {
  readonly home: string;
  readonly workspace: string;
  readonly server: WireServer;
  readonly env: Readonly<Record<string, string>>;
  /** Writes a file into the workspace. */
  file(name: string, content: string): Promise<string>;
  start(args: readonly string[], how?: RunOptions): RunningProcess;
  run(args: readonly string[], how?: RunOptions): Promise<ProcessResult>;
}

interface RunOptions {
  /** What it reads from stdin; nothing, at once, where it is not said. */
  readonly input?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  /** A line for `sh` that starts it, with the command as "$@"; it is started directly where nothing is said. */
  readonly shell?: string;
}

/** A fresh home and workspace, and a server that answers with the script; all of it goes with the test. */
export async function createSandbox(
  { onTestFinished }: Pick<TestContext, "onTestFinished">,
  script: Script<WireRequest>,
  afterLast: AfterLast<WireRequest> = "error",
): Promise<Sandbox> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "sheepdog-e2e-")));
  const [home, workspace] = [join(folder, "home"), join(folder, "work")];
  await mkdir(workspace);
  const server = await startWireServer(script, { afterLast });
  const going = new Set<ChildProcess>();
  onTestFinished(async () => {
    for (const child of going) child.kill("SIGKILL");
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
    going.add(child);
    child.stdin.on("error", () => {}); // it may end before it has read all
    child.stdin.end(input);
    return watched(child, () => going.delete(child));
  };
  return {
    home,
    workspace,
    server,
    env,
    async file(name, content) {
      const path = join(workspace, name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content);
      return path;
    },
    start,
    run: (args, how) => start(args, how).ended,
  };
}

function watched(child: ChildProcess, onEnd: () => void): RunningProcess {
  let [out, err] = ["", ""];
  const hearing = new Set<() => void>();
  const hear = (add: (text: string) => void) => (chunk: Buffer) => {
    add(chunk.toString("utf8"));
    for (const look of hearing) look();
  };
  child.stdout?.on(
    "data",
    hear((text) => {
      out += text;
    }),
  );
  child.stderr?.on(
    "data",
    hear((text) => {
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
    says: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (!(out + err).includes(text)) return;
          hearing.delete(look);
          resolve();
        };
        hearing.add(look);
        look();
        void ended.then(() => reject(new Error(`It ended without saying ${JSON.stringify(text)}:\n${out}\n${err}`)));
      }),
  };
}
