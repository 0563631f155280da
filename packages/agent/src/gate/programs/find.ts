import type { FoundArg, ShellArg } from "../command/shell-arg.ts";
import { accessRisk } from "../files/file-access.ts";
import { followingRisk } from "../files/found-files.ts";
import { editing, highestRisk, printable, type Risk, reading, unclear } from "../risk/risk.ts";
import { wordList } from "../risk/word-list.ts";
import type { Invocation } from "./program-rule.ts";

const testsWithValue = new Set(
  wordList(`
    -name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -maxdepth -mindepth -size
    -newer -anewer -cnewer -newermt -newerat -newerct -mtime -mmin -ctime -cmin -atime -amin -perm -user -group -uid
    -gid -links -inum -samefile -printf -fstype -used -lname -ilname
  `),
);
const testsAlone = new Set(
  wordList(`
    -not -and -or -a -o ! ( ) , -empty -print -print0 -prune -quit -ls -depth -d -xdev -mount -true -false -readable
    -writable -executable -nouser -nogroup -daystart -noleaf -ignore_readdir_race -warn -nowarn -delete -follow
    -L -H -P -E -X -s -x -O0 -O1 -O2 -O3
  `),
);

/** What a call of find searches, and what it runs on what it finds. */
export interface Search {
  readonly paths: readonly ShellArg[];
  readonly found: FoundArg;
  readonly isFollowing: boolean;
  readonly isDeleting: boolean;
  /** The commands of `-exec`. */
  readonly commands: readonly (readonly ShellArg[])[];
}

/** Reads the arguments of find; a risk when one of them is not understood. */
export function readSearch(args: readonly ShellArg[]): Search | Risk {
  const paths: ShellArg[] = [];
  const words: string[] = [];
  const commands: (readonly ShellArg[])[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] as ShellArg; // `at` is within
    const isStart = words.every((word) => /^-[LHPEXsx]$|^-O\d$/.test(word));
    if (arg.type === "dynamic")
      return unclear(`What ${printable(arg.value)} makes find do is known only when it runs.`, "dynamic argument");
    if (isStart && !/^[-!(),]/.test(arg.value)) {
      if (arg.type === "glob" && arg.prefix === "") return optionFromName(arg);
      paths.push(arg);
    } else if (arg.type !== "plain") return optionFromName(arg);
    else if (arg.value === "-exec") {
      const end = args.findIndex((later, index) => index > at && /^[;+]$/.test(later.value) && later.type === "plain");
      if (end < 0) return unclear("The command behind -exec has no end.", "syntax error");
      commands.push(args.slice(at + 1, end));
      words.push("-exec");
      at = end;
    } else if (testsWithValue.has(arg.value)) {
      const value = args[at + 1];
      if (value?.type !== "plain" && value?.type !== "glob") return optionFromName(value ?? arg);
      words.push(arg.value, value.value);
      at += 1;
    } else if (testsAlone.has(arg.value)) words.push(arg.value);
    else
      return unclear(
        `find would do ${printable(arg.value)}, which can run, write or delete.`,
        /^-(?:exec|ok)/.test(arg.value) ? "command from arguments" : "unknown option",
      );
  }
  const tests = testsBeforeAction(words);
  const below: readonly ShellArg[] = paths.length === 0 ? [{ type: "plain", value: "." }] : paths;
  const isFollowing = words.some((word) => /^-(?:L|H|follow)$/.test(word));
  return {
    paths: below,
    isFollowing,
    isDeleting: words.includes("-delete"),
    commands,
    found: {
      type: "found",
      value: `find ${below.map(({ value }) => value).join(" ")}`,
      below,
      hasOnlyFiles: !isFollowing && hasOnlyFiles(tests),
      separator: "none",
      ...namesIn(tests),
      excludes: excludesIn(tests),
      findsExcluded: true,
    },
  };
}

/** Only tests in front of an action restrict what it is done with; a second action has tests of its own. */
function testsBeforeAction(words: readonly string[]): readonly string[] {
  const action = words.findIndex(isAction);
  if (action < 0) return words;
  const hasMore = words.slice(action + 1).some((word) => isAction(word) || /^(?:-o|-or|,)$/.test(word));
  return hasMore ? [] : words.slice(0, action);
}

const isAction = (word: string): boolean => /^-(?:exec|delete|print|print0|printf|ls|quit)$/.test(word);

/** The rule of find. Commands behind `-exec` are judged with what may be found. */
export function find({ args, scope, assessInner }: Invocation): Risk {
  const search = readSearch(args);
  if ("tier" in search) return search;
  const { paths, found, isFollowing, isDeleting, commands } = search;
  return highestRisk(
    [
      ...paths.map((path) => accessRisk(scope, path, "read")),
      ...(isFollowing ? [followingRisk(scope, paths)] : []),
      ...(isDeleting ? [accessRisk(scope, found, "remove")] : []),
      ...commands.map((command) => assessInner(withFound(command, "{}", found))),
    ],
    isDeleting ? editing : reading,
  );
}

/** A command in which a mark stands for what was found. */
export function withFound(command: readonly ShellArg[], mark: string, found: FoundArg): readonly ShellArg[] {
  return command.map((arg): ShellArg => {
    if (!arg.value.includes(mark)) return arg;
    return arg.value === mark ? found : { type: "dynamic", value: arg.value, isQuoted: true };
  });
}

function optionFromName(arg: ShellArg): Risk {
  return unclear(
    `A file found by ${printable(arg.value)} could be taken for an option of find.`,
    "option from a file name",
  );
}

/** The words outside of brackets; undefined when there is an "or" among them. */
function outerWords(words: readonly string[]): readonly string[] | undefined {
  let depth = 0;
  const outer = words.filter((word) => {
    if (word === "(") depth += 1;
    if (word === ")") depth -= 1;
    return depth === 0 && word !== ")";
  });
  return outer.some((word) => /^(?:-o|-or|,)$/.test(word)) ? undefined : outer;
}

function hasOnlyFiles(words: readonly string[]): boolean {
  const outer = outerWords(words) ?? [];
  return outer.some(
    (word, at) => word === "-type" && outer[at + 1] === "f" && !/^(?:!|-not)$/.test(outer[at - 1] ?? ""),
  );
}

/** The patterns of the names: of `-name x`, or of `( -name x -o -name y )`. */
function namesIn(words: readonly string[]): Pick<FoundArg, "names"> {
  const outer = outerWords(words);
  if (outer === undefined) return {};
  const at = outer.findIndex((word, index) => word === "-name" && !/^(?:!|-not)$/.test(outer[index - 1] ?? ""));
  if (at >= 0) return { names: [toPattern(outer[at + 1] ?? "")] };
  const start = words.indexOf("(");
  const group =
    start < 0 || /^(?:!|-not)$/.test(words[start - 1] ?? "") ? [] : words.slice(start + 1, words.indexOf(")"));
  const isList =
    group.length > 0 && group.every((word, index) => [/^-name$/, /./, /^-(?:o|or)$/][index % 3]?.test(word) === true);
  return isList && group.length % 3 === 2 ? { names: group.filter((_, index) => index % 3 === 1).map(toPattern) } : {};
}

/** A bracket counts as any characters: its end is not always the next one. */
const toPattern = (text: string): string => text.replace(/\[.*/s, "*");

/** Folders below which the search finds nothing: `-not -path '*\/x/*'`, `-path ./x -prune -o`, `-name x -prune -o`. */
function excludesIn(words: readonly string[]): readonly string[] {
  const isOuter = outerWords(words) !== undefined;
  return words.flatMap((word, at) => {
    const value = words[at + 1] ?? "";
    const [, start = "", name = "", end] = /^(\.\/|\*\/)?([\w.@-]+)(\/\*)?$/.exec(value) ?? [];
    const isNegated = isOuter && /^(?:!|-not)$/.test(words[at - 1] ?? "") && !words.includes("(");
    if (word === "-path" && isNegated && end !== undefined && start !== "") return [start === "./" ? `/${name}` : name];
    const isFirst = at === 0 && words[2] === "-prune" && /^-(?:o|or)$/.test(words[3] ?? "");
    if (word === "-name" && isFirst && name !== "" && start === "") return [name];
    return word === "-path" && isFirst && start !== "" && end === undefined ? [start === "./" ? `/${name}` : name] : [];
  });
}
