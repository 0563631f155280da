import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readRisk, writeRisk } from "./file-access.ts";
import { isWithin } from "./path-location.ts";
import { beyond, building, editing, highestRisk, printable, type Risk, reading, unclear } from "./risk.ts";
import { assessArgs, type Invocation, type Usage } from "./rule.ts";
import type { ShellArg } from "./shell-arg.ts";
import { anyWord } from "./word-list.ts";

const readOnlyLongOptions = anyWord(`
  stat shortstat numstat dirstat name-only name-status cached staged merge-base oneline graph all decorate
  no-decorate no-color color patch no-patch word-diff summary follow reverse merges no-merges first-parent
  abbrev-commit abbrev no-ext-diff no-textconv raw minimal patience histogram check quiet exit-code full-index
  ignore-space-change ignore-all-space ignore-blank-lines find-renames diff-filter since until after before author
  committer grep format pretty date max-count skip unified porcelain short long branch untracked-files ignored
  show-stash ahead-behind show-toplevel show-prefix git-dir is-inside-work-tree verify abbrev-ref symbolic-full-name
  list contains merged no-merged sort points-at remotes tags heads others exclude-standard modified deleted stage
  line-porcelain always dirty count left-right topo-order date-order show-current verbose relative function-context
  no-renames no-index no-prefix text show get name-rev root parents children cherry-pick left-only right-only
  no-walk full-history simplify-merges ignore-case fixed-strings perl-regexp extended-regexp line-number
  files-with-matches count-only word-regexp tree blob cc
`);
const readOnlyShortOptions = String.raw`^-(?:\d+|[nspuwbMCSGLivarzU]\d*|vv|[SGLn].+)$`;
const readOnlyOptions = new RegExp(`${readOnlyShortOptions}|^--${readOnlyLongOptions}(?:=.*)?$`);
const readOnly: Usage = { options: readOnlyOptions };
const listingNames = anyWord(`
  list all remotes show-current contains merged no-merged sort points-at verbose format no-color color
`);
const isListing = new RegExp(`^(?:-[avrl]+|-vv|--${listingNames}(?:=.*)?)$`);

/** The risk of git, by its subcommand. Network access and changes to uncommitted work have a high risk. */
export function git(invocation: Invocation): Risk {
  const gitCall = readSubcommand(invocation);
  if ("tier" in gitCall) return gitCall;
  const { name, rest, folder, folderRisk } = gitCall;
  const { workspace, folders } = invocation.scope;
  if (folders.some((from) => isInBareRepository(workspace, resolve(from, folder))))
    return unclear("The folder looks like a bare repository, whose configuration can name programs for git to run.");
  const inner = { ...invocation, name: `git ${name}`, args: rest };
  return highestRisk([assessSubcommand(name, inner), folderRisk]);
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
    if (arg?.type !== "plain") return unclear("The subcommand of git is known only when it runs.");
    if (arg.value === "--no-pager" || arg.value === "-P") continue;
    if (arg.value === "--version") return reading;
    if (arg.value === "-C") {
      const target = args[at + 1];
      if (target?.type !== "plain" || folder !== ".")
        return unclear("The folder that git works in is known only when it runs.");
      folder = target.value;
      folderRisk = readRisk(scope, target);
      if (args.slice(at + 2).some((later) => later.value.includes("..")))
        return unclear('git -C with paths that contain ".." is not understood.');
      at += 1;
      continue;
    }
    if (arg.value.startsWith("-"))
      return unclear(`The option ${printable(arg.value)} of git can make it run other programs.`);
    return { name: arg.value, rest: args.slice(at + 1), folder, folderRisk };
  }
  return reading;
}

/** Git treats a folder with HEAD and objects as a repository; any file of the project may be its configuration. */
function isInBareRepository(workspace: string, from: string): boolean {
  for (let folder = from; isWithin(workspace, folder) && !existsSync(join(folder, ".git")); folder = dirname(folder)) {
    if (existsSync(join(folder, "HEAD")) && existsSync(join(folder, "objects"))) return true;
    if (folder === dirname(folder)) return false;
  }
  return false;
}

function assessSubcommand(name: string, inner: Invocation): Risk {
  const { args } = inner;
  const first = args[0]?.value ?? "";
  const options = args.filter((arg) => arg.type === "plain" && arg.value.startsWith("-")).map(({ value }) => value);
  switch (name) {
    case "status":
    case "diff":
    case "log":
    case "show":
    case "rev-parse":
    case "ls-files":
    case "ls-tree":
    case "blame":
    case "describe":
    case "shortlog":
    case "reflog":
    case "merge-base":
    case "rev-list":
    case "name-rev":
    case "check-ignore":
    case "show-ref":
      if (name === "reflog" && /^(?:expire|delete|drop)$/.test(first))
        return unclear("Removes the entries that lost work can be recovered from.");
      return assessArgs(inner, readOnly, { fileRisk: readRisk, lowest: reading });
    case "grep":
      return assessArgs(
        inner,
        { options: /^-[niIwlLcEFGPhHvoe]+$|^-[ABC]\d+$/, texts: 1 },
        { fileRisk: readRisk, lowest: reading },
      );
    case "cat-file":
      return assessArgs(inner, { options: /^-[tsep]$/ }, { fileRisk: readRisk, lowest: reading });
    case "branch":
    case "tag":
      if (args.every((arg) => arg.type === "plain" && isListing.test(arg.value))) return reading;
      return assessArgs(
        inner,
        { options: /^-[am]$|^--(?:annotate|message|track|no-track)(?:=.*)?$/, hasTextOnly: true, hasTextOptions: true },
        { fileRisk: readRisk, lowest: editing },
      );
    case "remote":
      return args.length === 0 || (args.length === 1 && first === "-v")
        ? reading
        : beyond("Changes or contacts the project's remotes.");
    case "add":
    case "mv":
      return assessArgs(
        inner,
        { options: /^-[AuNfvn]+$|^--(?:all|update|intent-to-add|verbose|dry-run)$/ },
        { fileRisk: name === "add" ? readRisk : writeRisk, lowest: editing },
      );
    case "rm":
      return assessArgs(
        inner,
        { options: /^-[rnqf]+$|^--(?:cached|dry-run|quiet)$/ },
        { fileRisk: writeRisk, lowest: editing },
      );
    case "init":
      return args.every(
        (arg) => arg.type === "plain" && /^-(?:q|b)$|^--(?:quiet|initial-branch=[\w/-]+)$|^[\w-]+$/.test(arg.value),
      )
        ? editing
        : unclear("Creates a repository in a way that is not understood.");
    case "commit":
      return commit(args);
    case "switch":
      return assessArgs(
        inner,
        { options: /^-[cqd]$|^-$|^--(?:create|quiet|detach|track|no-track)(?:=.*)?$/, hasTextOnly: true },
        { fileRisk: readRisk, lowest: building },
      );
    case "checkout":
      return first === "-b" && args.length === 2 && args[1]?.type === "plain"
        ? building
        : beyond("git checkout can throw away changes that are not committed.");
    case "restore":
      return options.includes("--staged") && options.length === 1
        ? assessArgs(inner, { options: /^--staged$/ }, { fileRisk: readRisk, lowest: editing })
        : beyond("git restore throws away changes that are not committed.");
    case "reset":
      return options.every((option) => /^(?:-q|--quiet|--mixed|--soft|--)$/.test(option))
        ? assessArgs(inner, { hasTextOptions: true }, { fileRisk: readRisk, lowest: editing })
        : unclear("git reset can throw away changes that are not committed.");
    case "stash":
      return stash(first, inner);
    case "clean":
      return options.every((option) => /^(?:-[nd]+|--dry-run)$/.test(option)) &&
        options.some((option) => /n/.test(option))
        ? reading
        : unclear("git clean deletes files that are not committed.");
    case "push":
      return beyond("Sends commits to another machine.");
    case "fetch":
    case "pull":
    case "clone":
    case "ls-remote":
    case "submodule":
      return beyond(`git ${name} talks to another machine.`);
    default:
      return unclear(`The subcommand "git ${printable(name)}" is not known.`);
  }
}

/** Without a message on the command line git opens an editor. Hooks are the project's own code. */
function commit(args: readonly ShellArg[]): Risk {
  let hasMessage = false;
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at];
    if (arg?.type !== "plain") return unclear("The arguments of git commit are known only when it runs.");
    if (/^-(?:[aqvs]*m)$|^--message$/.test(arg.value)) {
      const message = args[at + 1];
      if (message === undefined || (message.type === "dynamic" && !message.isQuoted))
        return unclear("The message of the commit is known only when it runs.");
      hasMessage = true;
      at += 1;
    } else if (arg.value.startsWith("--message=") || arg.value === "--no-edit") hasMessage = true;
    else if (
      !/^-[aqvs]+$|^--(?:all|quiet|verbose|signoff|allow-empty|amend|no-verify|dry-run)$/.test(arg.value) &&
      arg.value.startsWith("-")
    )
      return unclear(`The effect of the option ${printable(arg.value)} of git commit is not known.`);
  }
  return hasMessage ? building : beyond("Opens an editor for the message of the commit.");
}

function stash(first: string, inner: Invocation): Risk {
  if (first === "list" || first === "show")
    return assessArgs({ ...inner, args: inner.args.slice(1) }, readOnly, { fileRisk: readRisk, lowest: reading });
  if (first === "drop" || first === "clear") return unclear("Throws away changes that are stored nowhere else.");
  return assessArgs(
    inner,
    { options: /^-[um]$|^--(?:include-untracked|message|keep-index|index)(?:=.*)?$/, texts: 1 },
    { fileRisk: readRisk, lowest: building },
  );
}
