import type { FoundArg, ShellArg } from "../command/shell-arg.ts";
import { accessRisk, type FileScope } from "../files/file-access.ts";
import { matchingPaths } from "../files/file-pattern.ts";
import { followingRisk } from "../files/found-files.ts";
import { editing, highestRisk, printable, type Risk, reading, unclear } from "../risk/risk.ts";
import { wordList } from "../risk/word-list.ts";
import { restrictionsOf, type Term } from "./find-tests.ts";
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
  /** The values of tests that the shell may replace by names of files. */
  readonly filePatterns: readonly FilePattern[];
}

type FilePattern = Extract<ShellArg, { type: "glob" }>;

/** Reads the arguments of find; a risk when one of them is not understood. */
export function readSearch(args: readonly ShellArg[]): Search | Risk {
  const paths: ShellArg[] = [];
  const terms: Term[] = [];
  const commands: (readonly ShellArg[])[] = [];
  const filePatterns: FilePattern[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] as ShellArg; // `at` is within
    const isStart = terms.every(({ word }) => /^-[LHPEXsx]$|^-O\d$/.test(word));
    if (arg.type === "dynamic") return dynamicArgument(arg);
    if (isStart && !/^[-!(),]/.test(arg.value)) {
      if (arg.type === "glob" && arg.prefix === "") return optionFromName(arg);
      paths.push(arg);
    } else if (arg.type !== "plain") return optionFromName(arg);
    else if (arg.value === "-exec") {
      const command = commandAt(args, at + 1);
      if ("tier" in command) return command;
      commands.push(command);
      terms.push({ word: "-exec" });
      at += command.length + 1;
    } else if (testsWithValue.has(arg.value)) {
      const value = args[at + 1];
      if (value?.type !== "plain" && value?.type !== "glob") return optionFromName(value ?? arg);
      if (value.type === "glob") filePatterns.push(value);
      terms.push({ word: arg.value, value: value.value, isFilePattern: value.type === "glob" });
      at += 1;
    } else if (testsAlone.has(arg.value)) terms.push({ word: arg.value });
    else
      return unclear(
        `find would do ${printable(arg.value)}, which can run, write or delete.`,
        /^-(?:exec|ok)/.test(arg.value) ? "command from arguments" : "unknown option",
      );
  }
  const below: readonly ShellArg[] = paths.length === 0 ? [{ type: "plain", value: "." }] : paths;
  const startsHere = below.every(({ value }) => value === ".");
  const isFollowing = terms.some(({ word }) => /^-(?:L|H|follow)$/.test(word));
  const { hasOnlyFiles, ...restrictions } = restrictionsOf(terms, startsHere);
  return {
    paths: below,
    isFollowing,
    isDeleting: terms.some(({ word }) => word === "-delete"),
    commands,
    filePatterns,
    found: {
      type: "found",
      value: `find ${below.map(({ value }) => value).join(" ")}`,
      below,
      hasOnlyFiles: !isFollowing && hasOnlyFiles,
      separator: "none",
      ...restrictions,
      findsExcluded: true,
    },
  };
}

/** The command behind `-exec`, up to `;`, or up to a `+` directly behind `{}`. */
function commandAt(args: readonly ShellArg[], start: number): readonly ShellArg[] | Risk {
  const isPlain = (arg: ShellArg | undefined, value: string): boolean => arg?.type === "plain" && arg.value === value;
  const end = args.findIndex(
    (arg, at) => at >= start && (isPlain(arg, ";") || (isPlain(arg, "+") && at > start && isPlain(args[at - 1], "{}"))),
  );
  if (end < 0) return unclear("The command behind -exec has no end.", "syntax error");
  const command = args.slice(start, end);
  // it could be ";", which would end the command
  const unknown = command.find(({ type }) => type === "dynamic" || type === "found");
  return unknown === undefined ? command : dynamicArgument(unknown);
}

function dynamicArgument({ value }: ShellArg): Risk {
  return unclear(`What ${printable(value)} makes find do is known only when it runs.`, "dynamic argument");
}

/** The rule of find. Commands behind `-exec` are judged with what may be found. */
export function find({ args, scope, assessInner }: Invocation): Risk {
  const search = readSearch(args);
  if ("tier" in search) return search;
  const { paths, found, isFollowing, isDeleting, commands, filePatterns } = search;
  const unsafe =
    filePatterns.find((arg) => !findsPlainNames(scope, arg, 1)) ??
    commands.flat().find((arg) => arg.type === "glob" && !findsPlainNames(scope, arg, Number.POSITIVE_INFINITY));
  if (unsafe !== undefined) return optionFromName(unsafe);
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

/** Whether a pattern finds few enough files, and none that find would take for a word of its own. */
function findsPlainNames({ folders, changes }: FileScope, { pattern }: FilePattern, most: number): boolean {
  if (changes?.hasOddNames === true) return false;
  return folders.every((folder) => {
    const paths = matchingPaths(folder, pattern);
    return paths !== undefined && paths.length <= most && paths.every((path) => /^[\w./@][\w./@%+=:,-]*$/.test(path));
  });
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
