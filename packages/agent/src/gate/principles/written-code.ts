import { dirname, relative, resolve } from "node:path";
import { isInside } from "../../protocol/is-inside.ts";
import { knownArgs, programOf, type SimpleCommand } from "../command/simple-command.ts";
import { physicalPath } from "../files/path-location.ts";
import type { GateContext } from "../gate.ts";
import { building } from "../risk/risk.ts";
import { wordList } from "../risk/word-list.ts";

/** They run code also where the rest of the command reaches beyond the workspace. */
const interpreters = new Set(wordList("node tsx ts-node python python3 bash sh dash ruby perl php"));

/** The files in which a program finds the commands of a project. */
const manifests: ReadonlyMap<string, readonly string[]> = new Map([
  ...["npm", "pnpm", "yarn", "bun"].map((name): [string, readonly string[]] => [name, ["package.json"]]),
  ["make", ["Makefile", "makefile", "GNUmakefile"]],
  ["just", ["justfile", "Justfile", ".justfile"]],
  ["rake", ["Rakefile"]],
  ["go", ["go.mod"]],
  ["cmake", ["CMakeLists.txt"]],
  ["cargo", ["Cargo.toml", "build.rs"]],
  ...["gradle", "gradlew"].map((name): [string, readonly string[]] => [name, ["build.gradle", "build.gradle.kts"]]),
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

/** A command that runs code may run each file it names, and the files in which its program finds commands. */
function codeOf(command: SimpleCommand, folder: string, workspace: string): readonly string[] {
  const [program] = command.words;
  const name = programOf(command);
  if (command.risk.tier !== building.tier && !interpreters.has(name)) return [];
  const args = knownArgs(command).map((arg) => arg.replace(/^--?[\w-]+=/, ""));
  const module = args[args.indexOf("-m") + 1]?.replaceAll(".", "/");
  const named = [
    program?.value ?? "",
    ...args,
    `${module}.py`,
    `${module}/__main__.py`,
    `node_modules/.bin/${args[0]}`,
  ];
  const manifestFiles = foldersUpTo(workspace, folder).flatMap((parent) =>
    (manifests.get(name) ?? []).map((file) => resolve(parent, file)),
  );
  return [...named.flatMap((path) => physicalPath(folder, path) ?? []), ...manifestFiles];
}

function foldersUpTo(top: string, folder: string): readonly string[] {
  if (folder === top || !isInside(top, folder)) return [folder];
  return [folder, ...foldersUpTo(top, dirname(folder))];
}
