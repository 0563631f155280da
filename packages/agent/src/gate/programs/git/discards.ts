import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { beyond, building, editing, highestRisk, printable, type Risk, reading, unclear } from "../../risk/risk.ts";
import { anyWord } from "../../risk/word-list.ts";
import type { Invocation, ProgramRule } from "../program-rule.ts";
import { readOnlyOptions } from "./options.ts";

type MakeRule = (usage: {
  readonly options: string;
  readonly lowest: Risk;
  readonly operands?: "read" | "none";
  readonly texts?: number;
  readonly changesFiles?: true;
}) => ProgramRule;

/** Subcommands that can throw away work: changes that are not committed, or commits. */
export function discardingSubcommands(gitRule: MakeRule): readonly (readonly [string, ProgramRule])[] {
  const textsOf = ({ args }: Invocation): readonly string[] => args.map(({ value }) => value);
  const stashed = gitRule({
    options: "-um: -u --include-untracked --message: --keep-index --index --staged --quiet -q -k",
    lowest: building,
    operands: "read",
    texts: 1,
    changesFiles: true,
  });
  const switched = (invocation: Invocation): Risk => {
    const isNewBranch = invocation.args.length === 2 && /^-[cb]$|^--create$/.test(invocation.args[0]?.value ?? "");
    return gitRule({
      options: "-qdt -c: -b: --create: --quiet --detach --track? --no-track --guess --no-guess",
      lowest: building,
      operands: "none",
      ...(isNewBranch ? {} : { changesFiles: true as const }),
    })(invocation);
  };
  return [
    ["switch", switched],
    [
      "checkout",
      (invocation) => {
        const texts = textsOf(invocation);
        const names = texts.filter((text) => text !== "-q" && text !== "--quiet");
        const isBranch = names.length === 1 && isNoFile(invocation, names[0] ?? "");
        if ((texts[0] === "-b" && texts.length <= 3) || isBranch) return switched(invocation);
        invocation.scope.changes?.recordAll();
        const isWide = texts.some((text) => /^(?:\.|\.\/|:\/|\*|-f|--force)$/.test(text));
        const reason = "git checkout can throw away changes that are not committed.";
        return isWide ? unclear(reason, "discard changes") : beyond(reason, "discard changes");
      },
    ],
    [
      "restore",
      (invocation) => {
        const texts = textsOf(invocation);
        const options = texts.filter((text) => text.startsWith("-") && text !== "--");
        if (options.length > 0 && options.every((option) => /^(?:--staged|-S|-q|--quiet)$/.test(option)))
          return gitRule({ options: "-Sq --staged --quiet", lowest: editing })(invocation);
        const reason = "git restore throws away changes that are not committed.";
        const isWide = texts.some((text) => /^(?:\.|\.\/|:\/|\*)$/.test(text));
        return isWide ? unclear(reason, "discard changes") : beyond(reason, "discard changes");
      },
    ],
    [
      "reset",
      (invocation) =>
        textsOf(invocation).every((text) => !text.startsWith("-") || /^(?:-q|--quiet|--mixed|--soft|--)$/.test(text))
          ? gitRule({ options: "-q --quiet --mixed --soft", lowest: editing })(invocation)
          : unclear("git reset can throw away changes that are not committed.", "discard changes"),
    ],
    [
      "stash",
      (invocation) => {
        const [first = ""] = textsOf(invocation);
        if (first === "list" || first === "show")
          return gitRule({ options: readOnlyOptions, lowest: reading })({
            ...invocation,
            args: invocation.args.slice(1),
          });
        if (first === "drop" || first === "clear")
          return unclear("Throws away changes that are stored nowhere else.", "discard changes");
        return stashed(invocation);
      },
    ],
    [
      "clean",
      (invocation) => {
        const options = textsOf(invocation).filter((text) => text.startsWith("-"));
        const isTrial =
          options.every((option) => /^(?:-[ndxX]+|--dry-run)$/.test(option)) &&
          options.some((option) => /^-\w*n|^--dry-run$/.test(option));
        return isTrial ? reading : unclear("git clean deletes files that are not committed.", "recursive delete");
      },
    ],
    ["push", push],
    [
      "rebase",
      ({ scope }) => {
        scope.changes?.recordAll();
        return beyond("git rebase rewrites commits.", "history rewrite");
      },
    ],
    ...["filter-branch", "filter-repo", "gc", "prune", "replace", "update-ref"].map((name): [string, ProgramRule] => [
      name,
      () => unclear(`git ${name} can rewrite commits or remove them for good.`, "history rewrite"),
    ]),
  ];
}

/** `git checkout main` switches, unless there is a file of this name, which it would restore. */
function isNoFile({ scope, args }: Invocation, name: string): boolean {
  if (!/^[A-Za-z][\w./-]*$/.test(name) || args.some(({ type }) => type !== "plain")) return false;
  return scope.changes?.hasAny !== true && scope.folders.every((folder) => !existsSync(resolve(folder, name)));
}

const pushOptions = new RegExp(
  `^-[a-z]*$|^--${anyWord(`
    set-upstream tags follow-tags all branches verbose quiet dry-run porcelain progress atomic no-verify force delete
    mirror prune force-with-lease(?:=.*)? force-if-includes no-progress no-tags
  `)}$`,
);

/** A repository on this machine has hooks, and `ext::` names a program: both would run outside the sandbox. */
function isLocal({ folders }: Invocation["scope"], text: string): boolean {
  const paths = folders.flatMap((folder) => ["", ".git"].map((ending) => resolve(folder, text + ending)));
  return (
    /^(?:\.{0,2}\/|\.{1,2}$|file:)|::/.test(text) ||
    paths.some((path) => existsSync(join(path, "HEAD")) || existsSync(join(path, ".git")))
  );
}

function push({ args, scope }: Invocation): Risk {
  const texts = args.map(({ value }) => value);
  const local = args.find(({ type, value }) => type !== "plain" || (!value.startsWith("-") && isLocal(scope, value)));
  if (local !== undefined)
    return highestRisk([
      unclear(
        `${printable(local.value)} may name a program for git push, or a repository with hooks.`,
        "environment injection",
      ),
      beyond("Sends commits to another machine.", "network access"),
    ]);
  const unknown = texts.find((text) => text.startsWith("-") && !pushOptions.test(text));
  if (unknown !== undefined)
    return unclear(`The option ${printable(unknown)} of git push is not known.`, "environment injection");
  const rewrites = texts.some((text) =>
    /^(?:--force.*|-[a-z]*f[a-z]*|-d|--delete|--mirror|--prune|\+.*|:.+)$/.test(text),
  );
  return rewrites
    ? highestRisk([
        unclear("Rewrites or removes commits on another machine.", "history rewrite"),
        beyond("Sends commits to another machine.", "network access"),
      ])
    : beyond("Sends commits to another machine.", "network access");
}
