import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { vi } from "vitest";
import { bashTool } from "../bash-tool.ts";
import { findSandbox, type SandboxOptions } from "../sandbox/find-sandbox.ts";
import { createToolWorkspace, type ToolWorkspace } from "./tool-workspace.ts";

/** What no command in the sandbox may see. */
export const canary = "canary-value";

/** A workspace for tests of the sandbox, with a home folder of its own. */
export interface SandboxWorkspace extends ToolWorkspace {
  readonly home: string;
  /** Writes a file, and returns its path. */
  file(path: string, content?: string): Promise<string>;
  /** Runs git in the workspace, outside the sandbox. */
  git(...args: readonly string[]): string;
  /** Runs a command in the sandbox. Returns the text of its result. */
  run(command: string, options?: SandboxRunOptions): Promise<string>;
}

interface SandboxRunOptions extends Partial<SandboxOptions> {
  readonly leavesSandbox?: boolean;
  readonly signal?: AbortSignal;
}

/** Creates the workspace. Its home folder is that of this process until `remove` is called. */
export async function createSandboxWorkspace(): Promise<SandboxWorkspace> {
  const bench = await createToolWorkspace();
  const home = join(bench.outside, "home");
  await writeFileAt(
    join(home, ".gitconfig"),
    `[user]\n\tname = A B\n\temail = a@example.org\n[http]\n\textraheader = ${canary}`,
  );
  vi.stubEnv("HOME", home);
  return {
    ...bench,
    home,
    file: writeFileAt,
    git: (...args) => execFileSync("git", args, { cwd: bench.workspace, encoding: "utf8", stdio: "pipe" }),
    async run(command, { leavesSandbox = false, signal, workspace = bench.workspace, ...rest } = {}) {
      const found = await findSandbox({ workspace, ...rest });
      if (!found.isAvailable) throw new Error(`Expected a sandbox: ${found.reason}`);
      const bash = bashTool({ sandbox: found.sandbox, graceMs: 300 });
      const outcome = await bash.run({ command }, { ...bench.context(signal), workspace, leavesSandbox });
      return typeof outcome === "string" ? outcome : outcome.content;
    },
    async remove() {
      vi.unstubAllEnvs();
      await bench.remove();
    },
  };
}

async function writeFileAt(path: string, content: string = canary): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  return path;
}
