import type { ShellArg } from "../../command/shell-arg.ts";
import { accessRisk, type FileAccess, type FileScope } from "../../files/file-access.ts";
import { beyond, building, editing, highestRisk, printable, type Risk, reading, unclear } from "../../risk/risk.ts";
import { wordList } from "../../risk/word-list.ts";
import { optionSpec, type SortedArgs, sortArgs } from "../options.ts";
import { type Invocation, type ProgramRule, valueRisks } from "../program-rule.ts";
import { discardingSubcommands } from "./discards.ts";
import { grepOptions, listingOptions, readOnlyOptions } from "./options.ts";

interface GitUsage {
  readonly options: string;
  readonly lowest: Risk;
  /** What happens to the files that the operands name; `none`: they are branches or texts. Default: `read`. */
  readonly operands?: FileAccess | "none";
  /** How many operands at the start are not files. */
  readonly texts?: number;
  readonly maxOperands?: number;
  /** The files of the workspace change, and links among them. */
  readonly changesFiles?: true;
}

/** Git does not follow links when it looks for the files of its operands, so what the line changes does not matter. */
function gitRule(usage: GitUsage): ProgramRule {
  const spec = optionSpec(usage.options);
  return (invocation) => {
    const sorted = sortArgs(invocation, spec);
    if ("tier" in sorted) return sorted;
    if (usage.changesFiles === true) invocation.scope.changes?.recordAll();
    return gitArgsRisk(invocation, sorted, usage);
  };
}

function gitArgsRisk({ name, scope }: Invocation, sorted: SortedArgs, usage: GitUsage): Risk {
  const { operands = "read", texts = 0, maxOperands } = usage;
  const extra = maxOperands === undefined ? undefined : sorted.operands[maxOperands];
  if (extra !== undefined)
    return unclear(`The effect of ${printable(extra.value)} on ${printable(name)} is not known.`, "unknown option");
  const { changes: _, ...withoutChanges } = scope;
  const files = operands === "none" ? [] : sorted.operands.filter((arg, at) => at >= texts || arg.type !== "plain");
  const access = operands === "none" ? "read" : operands;
  return highestRisk(
    [...files.map((arg) => pathspecRisk(withoutChanges, arg, access)), ...valueRisks(scope, sorted)],
    usage.lowest,
  );
}

/** `main..feature` and `HEAD:src/x` are no paths, but they stay inside when they are taken for one. */
function pathspecRisk(scope: FileScope, arg: ShellArg, access: FileAccess): Risk {
  const isRange = arg.type === "plain" && /^[\w@{}~^/-]*[\w}~^]\.{2,3}(?:[\w@{}~^][\w@{}~^/-]*)?$/.test(arg.value);
  return isRange ? reading : accessRisk(scope, arg, access);
}

const reads = wordList(`
  status diff log show rev-parse ls-tree describe shortlog merge-base rev-list name-rev
  check-ignore show-ref whatchanged cherry range-diff diff-tree diff-index diff-files for-each-ref count-objects
  show-branch check-attr verify-commit verify-tag cat-file version
`);
const talks = wordList("fetch pull clone ls-remote send-email request-pull svn p4");
const editsHistory = wordList("merge cherry-pick revert");

export const gitSubcommands: ReadonlyMap<string, ProgramRule> = new Map<string, ProgramRule>([
  ...reads.map((name): [string, ProgramRule] => [name, gitRule({ options: readOnlyOptions, lowest: reading })]),
  ...["blame", "annotate"].map((name): [string, ProgramRule] => [
    name,
    gitRule({ options: `${readOnlyOptions} -S<`, lowest: reading }),
  ]),
  ["ls-files", gitRule({ options: `${readOnlyOptions} -x: -X<`, lowest: reading })],
  ...talks.map((name): [string, ProgramRule] => [
    name,
    ({ scope, args }) => {
      scope.changes?.recordAll();
      const starting = args.find(
        ({ type, value }) =>
          type !== "plain" || (/^-[cu]|^--(?:[cruet]|no-[cruet])/.test(value) && !value.startsWith("--re")),
      );
      const risk = beyond(`git ${name} contacts another machine.`, "network access");
      if (starting === undefined) return risk;
      const why = `The option ${printable(starting.value)} of git ${name} may name a program.`;
      return highestRisk([risk, unclear(why, "environment injection")]);
    },
  ]),
  ...editsHistory.map((name): [string, ProgramRule] => [
    name,
    gitRule({
      options: `-nx -m: -X: -s: --no-edit --no-ff --ff-only --ff --squash --no-commit --abort --continue --quit
        --message:        --strategy: --strategy-option: --mainline: --quiet --stat --no-stat
        --allow-unrelated-histories --signoff`,
      lowest: building,
      operands: "none",
      changesFiles: true,
    }),
  ]),
  ...discardingSubcommands(gitRule),
  ["reflog", reflog],
  ["grep", gitRule({ options: grepOptions, lowest: reading })],
  ["branch", branch],
  ["tag", branch],
  ["remote", remote],
  ["config", config],
  ["worktree", listOnly(/^list$/, "Makes or removes other working folders of the repository.")],
  ["submodule", listOnly(/^(?:status|summary)$/, "git submodule contacts another machine or runs commands.")],
  ["notes", listOnly(/^(?:list|show)$/, "Changes notes of commits.")],
  ["bisect", listOnly(/^log$/, "Checks out other commits and may run commands.")],
  ["symbolic-ref", gitRule({ options: "-q --short --quiet", lowest: reading, operands: "none", maxOperands: 1 })],
  ["hash-object", gitRule({ options: "-t: --stdin", lowest: reading })],
  ["fsck", gitRule({ options: "--full --no-dangling --unreachable", lowest: reading, operands: "none" })],
  [
    "add",
    gitRule({
      options: "-AuNvnp --all --update --intent-to-add --verbose --dry-run --renormalize --ignore-errors",
      lowest: editing,
    }),
  ],
  ["stage", gitRule({ options: "-AuNvn --all --update", lowest: editing })],
  [
    "mv",
    gitRule({ options: "-fknv --force --verbose --dry-run", lowest: editing, operands: "remove", changesFiles: true }),
  ],
  ["rm", removeTracked],
  [
    "am",
    gitRule({
      options: "-3qs --3way --quiet --signoff --abort --continue --skip --quit",
      lowest: building,
      changesFiles: true,
    }),
  ],
  [
    "init",
    gitRule({ options: "-q -b: --quiet --initial-branch:", lowest: editing, operands: "write", maxOperands: 1 }),
  ],
  [
    "apply",
    gitRule({
      options:
        "-vR -p: --check --stat --numstat --summary --cached --index --reverse --verbose --3way --reject --whitespace:",
      lowest: editing,
      changesFiles: true,
    }),
  ],
  [
    "format-patch",
    gitRule({ options: "-# -o> -n -k --stdout --output-directory> --cover-letter", lowest: editing, operands: "none" }),
  ],
  ["archive", gitRule({ options: "-o> --output> --format: --prefix: -#", lowest: editing })],
  ["commit", commit],
]);

/** Git expands patterns itself, and matches them in all folders. */
function removeTracked(invocation: Invocation): Risk {
  if (invocation.args.some((arg) => arg.type === "plain" && /[*?[]|^:/.test(arg.value)))
    return unclear("Removes whatever a pattern of git finds, in all folders.", "recursive delete");
  return gitRule({
    options: "-rnqf --cached --dry-run --quiet --force --ignore-unmatch",
    lowest: editing,
    operands: "remove",
  })(invocation);
}

function listOnly(harmless: RegExp, reason: string): ProgramRule {
  return ({ args }) =>
    args[0]?.type === "plain" && harmless.test(args[0].value) && args.length <= 3
      ? reading
      : beyond(reason, "unknown subcommand");
}

function reflog(invocation: Invocation): Risk {
  const first = invocation.args[0]?.value ?? "";
  if (/^(?:expire|delete|drop)$/.test(first))
    return unclear("Removes the entries that lost work can be recovered from.", "history rewrite");
  return gitRule({ options: readOnlyOptions, lowest: reading })(invocation);
}

const removesBranch = /^-[a-zA-Z]*[dD][a-zA-Z]*$|^--delete$/;
const forces = /^-[a-zA-Z]*[DMCf][a-zA-Z]*$|^--(?:force|move|copy)$/;

/** Lists, makes or removes branches and tags. A branch that is not merged may hold the only copy of some work. */
function branch(invocation: Invocation): Risk {
  const texts = invocation.args.map(({ value }) => value);
  const isRemoving = texts.some((text) => removesBranch.test(text));
  const isTag = invocation.name.endsWith("tag");
  if (texts.some((text) => forces.test(text)) || (isTag && isRemoving))
    return unclear(
      "Removes or replaces a branch or a tag, which may hold the only copy of some work.",
      "history rewrite",
    );
  const isList = gitRule({ options: listingOptions, lowest: reading, operands: "none" })(invocation);
  const lists = texts.some((text) => /^(?:-[a-z]*l|--list|--(?:no-)?(?:merged|contains)|--points-at)/.test(text));
  if (isList.tier === 0 && (lists || texts.every((text) => text.startsWith("-")))) return isList;
  const options = `-amdtsvuq -F< --annotate --message: --track? --no-track --delete --set-upstream-to:
        --unset-upstream
    --move --sign`;
  return gitRule({ options, lowest: editing, operands: "none" })(invocation);
}

function remote({ args }: Invocation): Risk {
  const texts = args.map(({ value }) => value);
  const isListing = texts.length === 0 || /^(?:-v|--verbose|show|get-url [\w.-]+)$/.test(texts.join(" "));
  return isListing ? reading : beyond("Changes or contacts the project's remotes.", "network access");
}

const ownSettings = /^user\.(?:name|email)$/i;
const configReads = optionSpec(`-lz --get --get-all --get-regexp --list --show-origin --show-scope --name-only --null
  --local --global --system --worktree --includes --type: --bool --int --path --default:`);

/** Reading is fine. Other settings than the author can name programs that git runs. */
function config(invocation: Invocation): Risk {
  const [first] = invocation.args;
  const isNewRead = first?.type === "plain" && /^(?:get|list)$/.test(first.value);
  const sorted = sortArgs({ ...invocation, args: isNewRead ? invocation.args.slice(1) : invocation.args }, configReads);
  if ("tier" in sorted) return sorted;
  if (["--global", "--system"].some((option) => sorted.options.has(option)))
    return beyond("Uses the configuration of git outside the workspace.", "path outside the workspace");
  const isCommand = /^(?:edit|set|unset|rename-section|remove-section|add)$/.test(sorted.operands[0]?.value ?? "");
  if (isCommand)
    return unclear("Changes the configuration of git, which can name programs to run.", "environment injection");
  const isReading =
    isNewRead || sorted.operands.length <= 1 || [...sorted.options].some((option) => /^-(?:l|-list|-get)/.test(option));
  if (isReading) return reading;
  const isOwn = ownSettings.test(sorted.operands[0]?.value ?? "") && sorted.operands.length === 2;
  const isLocal = [...sorted.options].every((option) => option === "--local");
  return isOwn && isLocal
    ? editing
    : unclear("Changes the configuration of git, which can name programs to run.", "environment injection");
}

const commitOptions = optionSpec(`-aqvsnu -m: -F< --all --quiet --verbose --signoff --allow-empty --amend --no-verify
  --dry-run --message: --no-edit --file< --author: --date: --no-gpg-sign --allow-empty-message --fixup: --squash:
  --trailer: --only --include --no-status --reset-author`);

/** Without a message on the command line git opens an editor. Hooks are the project's own code. */
function commit(invocation: Invocation): Risk {
  const quoted = invocation.args.map((arg, at, all): ShellArg => {
    const isMessage = /^-[a-z]*m$|^--message$/.test(all[at - 1]?.value ?? "");
    return isMessage && arg.type === "dynamic" && arg.isQuoted ? { type: "plain", value: "message" } : arg;
  });
  const sorted = sortArgs({ ...invocation, args: quoted }, commitOptions);
  if ("tier" in sorted) return sorted;
  const hasMessage = ["-m", "-F", "--message", "--file", "--no-edit", "--fixup", "--dry-run"].some((option) =>
    sorted.options.has(option),
  );
  if (!hasMessage) return beyond("Opens an editor for the message of the commit.", "interactive program");
  const { scope } = invocation;
  const files = sorted.operands.map((arg) => accessRisk(scope, arg, "read"));
  return highestRisk([...files, ...valueRisks(scope, sorted)], building);
}
