import { dirname, join, relative, resolve } from "node:path";
import { isInside } from "../protocol/is-inside.ts";
import { knownArgs, programOf, type SimpleCommand } from "./command/simple-command.ts";
import { physicalPath } from "./files/path-location.ts";
import type { GateContext } from "./gate.ts";
import { building } from "./risk/risk.ts";
import { wordList } from "./risk/word-list.ts";

/** They run code also where the rest of the command reaches beyond the workspace. */
const interpreters = new Set(wordList("node tsx ts-node python python3 bash sh dash ruby perl php"));

/** Hooks that git runs, and where projects keep them; `.git/hooks` is protected. */
const hooks = wordList(`
  pre-commit prepare-commit-msg commit-msg post-commit pre-push pre-rebase post-checkout post-merge post-rewrite
  pre-merge-commit reference-transaction
`);
const hookFolders = [".husky", ".husky/_", ".githooks", "hooks", "githooks"];

/** The files in which a program finds the commands of a project. */
const manifests: ReadonlyMap<string, readonly string[]> = new Map([
  ...["npm", "pnpm", "yarn", "bun"].map((name): [string, readonly string[]] => [name, ["package.json"]]),
  ["git", hookFolders.flatMap((folder) => hooks.map((hook) => `${folder}/${hook}`))],
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

/**
 * The files that the agent wrote in this session and that these commands would run, relative to the workspace.
 * `writtenNow`: files that the same call writes.
 */
export function findWrittenCode(
  commands: readonly SimpleCommand[],
  { wasWritten: wasWrittenBefore, ...context }: GateContext,
  writtenNow: readonly string[],
): readonly string[] {
  if (wasWrittenBefore === undefined) return [];
  const now = new Set(writtenNow);
  const wasWritten = (file: string) => now.has(file) || wasWrittenBefore(file);
  const workspace = physicalPath(resolve(context.workspace), ".") ?? context.workspace;
  const files = commands.flatMap((command) => command.folders.flatMap((folder) => codeOf(command, folder, workspace)));
  return [...new Set(files)].filter((file) => wasWritten(file)).map((file) => relative(workspace, file));
}

/** A command that runs code may run each file it names, and the files in which its program finds commands. */
function codeOf(command: SimpleCommand, folder: string, workspace: string): readonly string[] {
  const [program] = command.words;
  const name = programOf(command);
  const manifestFiles = foldersUpTo(workspace, folder).flatMap((parent) =>
    (manifests.get(name) ?? []).map((file) => resolve(parent, file)),
  );
  if (command.risk.tier < building.tier) return [];
  const args = knownArgs(command).map((arg) => arg.replace(/^--?[\w-]+=/, ""));
  if (command.risk.tier > building.tier && !interpreters.has(name)) {
    const below = args.flatMap((arg) => (manifests.get(name) ?? []).map((file) => join(arg, file)));
    return [...manifestFiles, ...below.flatMap((path) => physicalPath(folder, path) ?? [])]; // `npm publish ./x`
  }
  const module = args[args.indexOf("-m") + 1]?.replaceAll(".", "/");
  const named = [
    ...(program?.value.includes("/") === true ? [program.value] : []),
    ...args,
    `${module}.py`,
    `${module}/__main__.py`,
    `node_modules/.bin/${args[0]}`,
  ];
  return [...named.flatMap((path) => physicalPath(folder, path) ?? []), ...manifestFiles];
}

function foldersUpTo(top: string, folder: string): readonly string[] {
  if (folder === top || !isInside(top, folder)) return [folder];
  return [folder, ...foldersUpTo(top, dirname(folder))];
}
