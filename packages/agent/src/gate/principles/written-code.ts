import { dirname, relative, resolve } from "node:path";
import { isInside } from "../../protocol/is-inside.ts";
import { knownArgs, programOf, type SimpleCommand } from "../command/simple-command.ts";
import { physicalPath } from "../files/path-location.ts";
import type { GateContext } from "../gate.ts";
import { wordList } from "../risk/word-list.ts";

const interpreters = new Set(wordList("node tsx ts-node python python3 bash sh zsh ruby perl php"));

/** The files in which a program finds the commands of a project. */
const manifests: ReadonlyMap<string, readonly string[]> = new Map([
  ...["npm", "pnpm", "yarn", "bun"].map((name): [string, readonly string[]] => [name, ["package.json"]]),
  ["make", ["Makefile", "makefile", "GNUmakefile"]],
  ["cargo", ["Cargo.toml", "build.rs"]],
  ["gradle", ["build.gradle", "build.gradle.kts"]],
  ["mvn", ["pom.xml"]],
  ["tox", ["tox.ini", "pyproject.toml"]],
]);

/** The files that the agent wrote in this session and that these commands would run, relative to the workspace. */
export function findWrittenCode(commands: readonly SimpleCommand[], context: GateContext): readonly string[] {
  const { wasWritten } = context;
  if (wasWritten === undefined) return [];
  const workspace = physicalPath(resolve(context.workspace), ".") ?? context.workspace;
  const files = commands.flatMap((command) => command.folders.flatMap((folder) => codeOf(command, folder, workspace)));
  return [...new Set(files)].filter((file) => wasWritten(file)).map((file) => relative(workspace, file));
}

function codeOf(command: SimpleCommand, folder: string, workspace: string): readonly string[] {
  const [program] = command.words;
  if (program?.type !== "plain") return [];
  const at = (path: string) => physicalPath(folder, path) ?? [];
  const name = programOf(command);
  if (program.value.includes("/")) return [at(program.value)].flat();
  if (interpreters.has(name)) return scriptsOf(command).flatMap(at);
  const files = manifests.get(name) ?? [];
  return foldersUpTo(workspace, folder).flatMap((parent) => files.map((file) => resolve(parent, file)));
}

/** The script of an interpreter is its first operand; a test runner has several. */
function scriptsOf(command: SimpleCommand): readonly string[] {
  const args = knownArgs(command);
  const operands = args.filter((arg) => !arg.startsWith("-"));
  return args.includes("--test") ? operands : operands.slice(0, 1);
}

function foldersUpTo(top: string, folder: string): readonly string[] {
  if (folder === top || !isInside(top, folder)) return [folder];
  return [folder, ...foldersUpTo(top, dirname(folder))];
}
