import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isInside } from "../../../protocol/is-inside.ts";
import { hasGitParts, isGitFolder } from "../../../tools/sandbox/git-folder.ts";
import { realFolder } from "../../../tools/sandbox/git-folders.ts";
import type { ShellArg } from "../../command/shell-arg.ts";
import { readRisk } from "../../files/file-access.ts";
import { physicalPath } from "../../files/path-location.ts";
import { highestRisk, printable, type Risk, reading, unclear } from "../../risk/risk.ts";
import { anyWord } from "../../risk/word-list.ts";
import type { Invocation } from "../program-rule.ts";
import { gitSubcommands } from "./subcommands.ts";
import { hasUsualSettings } from "./usual-settings.ts";

/** The risk of git, by its subcommand. Network access and changes to uncommitted work have a high risk. */
export function git(invocation: Invocation): Risk {
  const gitCall = readSubcommand(invocation);
  if ("tier" in gitCall) return gitCall;
  const { name, rest, folder, folderRisk } = gitCall;
  const { workspace, folders } = invocation.scope;
  const isMissing = folders.some((from) => !existsSync(resolve(from, folder))); // what is in it is not known yet
  const hasNewRepository = invocation.scope.changes?.hasRepository === true || (isMissing && name !== "init");
  if (
    hasNewRepository ||
    folders.some((from) => usesForeignSettings(workspace, physicalPath(from, folder) ?? resolve(from, folder)))
  )
    return unclear(
      "What git finds in the folder is not known, or is a configuration that can name programs for it to run.",
      "environment injection",
    );
  const rule = gitSubcommands.get(name);
  if (rule === undefined) return unclear(`The subcommand "git ${printable(name)}" is not known.`, "unknown subcommand");
  const scope = { ...invocation.scope, folders: folders.map((from) => resolve(from, folder)) };
  return highestRisk([rule({ ...invocation, name: `git ${name}`, args: rest, scope }), folderRisk]);
}

interface GitCall {
  readonly name: string;
  readonly rest: readonly ShellArg[];
  /** The folder of `-C`, relative to the current folder. */
  readonly folder: string;
  /** The risk of working in that folder. */
  readonly folderRisk: Risk;
}

/** Reads the options in front of the subcommand; most of them decide what git runs. */
function readSubcommand({ args, scope }: Invocation): GitCall | Risk {
  let folderRisk = reading;
  let folder = ".";
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at];
    if (arg?.type !== "plain") return unclear("The subcommand of git is known only when it runs.", "dynamic argument");
    if (/^(?:--no-pager|-P|--no-optional-locks|--literal-pathspecs)$/.test(arg.value)) continue;
    if (arg.value === "--version" || (arg.value === "--help" && args.length === at + 1)) return reading;
    if (arg.value === "-c" && isSettingForPrinting(args[at + 1])) {
      at += 1;
      continue;
    }
    if (arg.value === "-C") {
      const target = args[at + 1];
      if (target?.type !== "plain" || folder !== ".")
        return unclear("The folder that git works in is known only when it runs.", "dynamic path");
      folder = target.value;
      folderRisk = readRisk(scope, target);
      if (
        args.slice(at + 2).some((later) => later.value.includes("..") && !/^[\w@~^/.-]*\w\.{2,3}\w/.test(later.value))
      )
        return unclear('git -C with paths that contain ".." is not understood.', "dynamic path");
      at += 1;
      continue;
    }
    if (arg.value.startsWith("-"))
      return unclear(
        `The option ${printable(arg.value)} of git can make it run other programs.`,
        "environment injection",
      );
    return { name: arg.value, rest: args.slice(at + 1), folder, folderRisk };
  }
  return reading;
}

const printingSettings = new RegExp(
  `^${anyWord(String.raw`
    color\.\w+=\w+ core\.(?:quotepath|abbrev)=\w+ core\.pager=cat advice\.\w+=\w+ user\.(?:name|email)=[^\n]*
    commit\.gpgsign=false diff\.(?:renames|renamelimit|context)=\w+ log\.\w+=\w+ init\.defaultbranch=[\w/-]+
  `)}$`,
  "i",
);

/** Settings for one call that only change how git prints. */
function isSettingForPrinting(arg: ShellArg | undefined): boolean {
  return arg?.type === "plain" && printingSettings.test(arg.value);
}

/**
 * Whether git uses a repository in the workspace whose configuration may be any file of the project: a folder that
 * looks like a bare repository, or a nested one with settings that are not the usual ones.
 */
function usesForeignSettings(workspace: string, from: string): boolean {
  const root = physicalPath(workspace, ".") ?? workspace;
  for (let folder = from; isInside(root, folder); folder = dirname(folder)) {
    const gitFolder = realFolder(join(folder, ".git"));
    if (gitFolder !== undefined && isGitFolder(gitFolder)) {
      const isProtected = folder === root || isInside(join(root, ".git"), gitFolder) || !isInside(root, gitFolder);
      return !isProtected && !hasUsualSettings(gitFolder);
    }
    if (hasGitParts(folder)) return true;
    if (folder === dirname(folder)) return false;
  }
  return false;
}
