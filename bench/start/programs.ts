import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { baselineName, baselineRoot, oursName, ownRoot } from "../measure/baseline.ts";

/** The executable and the arguments that come before all others. */
export type Command = readonly [executable: string, ...args: string[]];

/** A command-line program that is measured. */
export interface Program {
  readonly name: string;
  /** Throws when the program is not installed here. */
  command(): Command;
}

const node = process.execPath;

/** The shortest run of Node. */
export const floor: Program = { name: "node -e 0", command: () => [node, "-e", "0"] };

/** Sheepdog as this checkout builds it. */
export const ours: Program = sheepdogIn(oursName, ownRoot);

/** Sheepdog as the other checkout built it, when `BENCH_BASELINE` names one. */
export const baseline: Program | undefined =
  baselineRoot === undefined ? undefined : sheepdogIn(baselineName, baselineRoot);

export const pi: Program = {
  name: "pi",
  command: () => [node, peerFile("pi-coding-agent/node_modules/@mariozechner/pi-coding-agent/dist/cli.js")],
};

export const geminiCli: Program = {
  name: "gemini-cli",
  command: () => [node, peerFile("gemini-command/node_modules/@google/gemini-cli/bundle/gemini.js")],
};

/** A native program, like the two below: the package for this system contains it. */
export const opencode: Program = {
  name: "opencode",
  command() {
    const packages = peerFile("opencode/node_modules");
    const system = `opencode-${process.platform}-${process.arch}`;
    const folder = readdirSync(packages).find((name) => name.startsWith(system)) ?? system;
    return [peerFile(`opencode/node_modules/${folder}/bin/opencode`)];
  },
};

export const codex: Program = {
  name: "codex",
  command() {
    const vendor = `codex/node_modules/@openai/codex-${process.platform}-${process.arch}/vendor`;
    const [target = ""] = readdirSync(peerFile(vendor));
    return [peerFile(`${vendor}/${target}/bin/codex`)];
  },
};

export const claudeCode: Program = {
  name: "Claude Code",
  command: () => [
    peerFile(`claude-code/node_modules/@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`),
  ],
};

function sheepdogIn(name: string, root: string): Program {
  return { name, command: () => [node, join(root, "packages/sheepdog/bin/sheepdog.js")] };
}

/** The path of a file in `bench/peers`. The error names no folder of this machine. */
function peerFile(path: string): string {
  const file = fileURLToPath(new URL(`../peers/${path}`, import.meta.url));
  if (!existsSync(file)) throw new Error(`bench/peers/${path} is missing`);
  return file;
}
