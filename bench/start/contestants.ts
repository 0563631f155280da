import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Something that is started: a program with what stands before its flags. */
export interface Contestant {
  readonly name: string;
  /** Throws where it cannot be used here. */
  open(): readonly [program: string, ...before: string[]];
}

const node = process.execPath;

/** The least a program for Node can take. */
export const floor: { readonly name: string; readonly command: readonly [program: string, ...args: string[]] } = {
  name: "node -e 0",
  command: [node, "-e", "0"],
};

/** What is asked of everybody. */
export const flags = ["--version", "--help"] as const;

export const ours: Contestant = {
  name: "sheepdog",
  open: () => [node, fileOf("../../packages/sheepdog/bin/sheepdog.js")],
};

/** Other agents' command lines, as npm installs them. */
export const peers: readonly Contestant[] = [
  {
    name: "gemini-cli",
    open: () => [node, fileOf("../peers/gemini-command/node_modules/@google/gemini-cli/bundle/gemini.js")],
  },
  { name: "opencode", open: () => [opencode()] },
  {
    name: "pi",
    open: () => [node, fileOf("../peers/pi-coding-agent/node_modules/@mariozechner/pi-coding-agent/dist/cli.js")],
  },
];

/** A program of its own, not one for Node: its package for this system holds it. */
function opencode(): string {
  const packages = `../peers/opencode/node_modules/`;
  const [name] = readdirSync(fileOf(packages)).filter((each) =>
    each.startsWith(`opencode-${process.platform}-${process.arch}`),
  );
  return fileOf(`${packages}${name}/bin/opencode`);
}

function fileOf(path: string): string {
  const file = fileURLToPath(new URL(path, import.meta.url));
  if (!existsSync(file)) throw new Error(`${path.replace("../", "bench/")} is not there`); // without the folders of this machine
  return file;
}
