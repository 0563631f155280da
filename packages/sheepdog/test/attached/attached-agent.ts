import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ScriptedCall, startWireServer, type WireRequest, type WireServer } from "@sheepdog/agent/testing";
import type { SpoolLine } from "@sheepdog/integrations/hooks";
import type { TestContext } from "vitest";
import { packageRoot } from "../../src/package-root.ts";
import { isBuilt } from "../is-built.ts";

const bin = fileURLToPath(new URL("bin/sheepdog.js", packageRoot));

/** A program below bench/peers, which is installed by name: `node bench/install.mjs <name>`. */
export interface Peer {
  /** Whether it can be driven: it is installed, and the binary of Sheepdog is built. */
  readonly isReady: boolean;
  /** For the name of a test that is skipped without it. */
  readonly hint: string;
  /** The path of a file of its node_modules. */
  path(file: string): string;
}

export function peer(name: string): Peer {
  const modules = new URL(`../../bench/peers/${name}/node_modules/`, packageRoot);
  const isInstalled = existsSync(fileURLToPath(new URL(".installed-lock.json", modules)));
  return {
    isReady: isInstalled && isBuilt,
    hint: isInstalled ? "" : ` (run: node bench/install.mjs ${name})`,
    path: (file) => fileURLToPath(new URL(file, modules)),
  };
}

/** How the program of an agent ended. */
interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A folder with a home of Sheepdog, a workspace, and a model server, for the program of a coding agent. */
export interface AttachedAgent {
  readonly folder: string;
  readonly server: WireServer;
  write(path: string, content: string): Promise<string>;
  /** `sheepdog attach <agent> --write`. */
  attach(agent: string, env?: Readonly<Record<string, string>>): Promise<void>;
  run(command: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended>;
  /** A command of Sheepdog in the same home. */
  sheepdog(...args: readonly string[]): Promise<Ended>;
  /** The requests of the agent's own loop. Programs also ask for titles, without tools. */
  requests(): readonly WireRequest[];
  /** What the hooks of the only session recorded. */
  spool(agent: string): readonly SpoolLine[];
}

/** A model that makes this call in every reply, at most `MAX_REPLIES` times: a loop that only others can end. */
export async function createAttachedAgent(
  { onTestFinished }: Pick<TestContext, "onTestFinished">,
  call: ScriptedCall,
): Promise<AttachedAgent> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "sheepdog-attached-")));
  const [home, workspace] = [join(folder, "sheepdog"), join(folder, "work")];
  let replies = 0;
  const server = await startWireServer([], {
    afterLast: ({ body, index }) => {
      if (!hasTools(body) || replies === MAX_REPLIES) return { text: "Done.", usage };
      replies++;
      return { calls: [{ ...call, id: `call_${index}` }], usage };
    },
  });
  const running = new Set<() => void>();
  onTestFinished(async () => {
    for (const end of running) end();
    await server.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const write = async (path: string, content: string): Promise<string> => {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content, { mode: 0o755 });
    return file;
  };
  await mkdir(workspace);
  await write("work/status.sh", statusScript);
  const run: AttachedAgent["run"] = ([program = "", ...args], env = {}) => {
    const child = spawn(program, args, {
      cwd: workspace,
      env: { PATH: process.env["PATH"] ?? "", HOME: folder, LANG: "C.UTF-8", SHEEPDOG_HOME: home, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true, // a process group of its own, which is ended with everything that it started
    });
    const end = () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      } catch {
        // it has ended
      }
    };
    running.add(end);
    let [out, err] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      out += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      err += text;
    });
    return new Promise((resolve, reject) => {
      child.on("error", reject).on("close", (code) => resolve({ code, out, err }));
    });
  };

  return {
    folder,
    server,
    write,
    async attach(agent, env = {}) {
      const { code, err } = await run([process.execPath, bin, "attach", agent, "--write"], env);
      if (code !== 0) throw new Error(err);
    },
    run,
    sheepdog: (...args) => run([process.execPath, bin, ...args]),
    requests: () => server.requests.filter(({ body }) => hasTools(body)),
    spool(agent) {
      const dir = join(home, "attach", agent);
      const [file, ...others] = readdirSync(dir).filter((name) => name.endsWith(".jsonl"));
      if (file === undefined || others.length > 0)
        throw new Error(`Expected one spool in ${dir}, got ${readdirSync(dir)}`);
      const lines = readFileSync(join(dir, file), "utf8").trim().split("\n");
      return lines.map((line) => JSON.parse(line) as SpoolLine); // our own file
    },
  };
}

/** What a build says about itself: something else at each look. */
const statusScript = `#!/bin/sh
echo . >> ../modules
echo "building: $(wc -l < ../modules) of 40 modules are compiled"
`;

const usage = { input: 1_000, cacheRead: 400, output: 50 };

/** More than the guardian lets pass. */
const MAX_REPLIES = 16;

function hasTools({ tools }: Readonly<Record<string, unknown>>): boolean {
  return Array.isArray(tools) && tools.length > 0;
}

/** The answers that changed something, in order: `tell`, `deny`, `stop`. */
export function answersOf(lines: readonly SpoolLine[]): readonly string[] {
  return lines.flatMap((line) => (line.type === "answer" ? [line.parts.join("+")] : []));
}

/** The newest totals. */
export function usageOf(lines: readonly SpoolLine[]): Extract<SpoolLine, { readonly type: "usage" }> | undefined {
  return lines.filter((line) => line.type === "usage").at(-1);
}
