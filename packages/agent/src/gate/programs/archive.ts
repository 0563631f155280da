import { resolve } from "node:path";
import type { ShellArg } from "../command/shell-arg.ts";
import { type FileScope, readRisk, writeRisk } from "../files/file-access.ts";
import { followingRisk } from "../files/found-files.ts";
import { physicalPath } from "../files/path-location.ts";
import { beyond, editing, highestRisk, type Risk, reading, unclear } from "../risk/risk.ts";
import { optionSpec, sortArgs } from "./options.ts";
import { type Invocation, type ProgramRule, valueRisks } from "./program-rule.ts";

/** Archives: listing only reads, packing writes one file, and unpacking writes whatever the archive says. */
export const archiveCommands: ReadonlyMap<string, ProgramRule> = new Map<string, ProgramRule>([
  ["tar", tar],
  ["bsdtar", tar],
  ["zip", zip],
  ["unzip", unzip],
  ["zipinfo", (invocation) => listed(invocation, "-12smlvhtzT")],
  [
    "jar",
    (invocation) =>
      /^-?t[vf]+$/.test(invocation.args[0]?.value ?? "")
        ? listed({ ...invocation, args: invocation.args.slice(1) }, "--help")
        : extraction("jar"),
  ],
  ["7z", () => extraction("7z")],
  ["cpio", () => extraction("cpio")],
]);

const tarOptions = optionSpec(`-ctrujJzZvphkPO -x -f: -C: -b: -X: --create --list --extract --file: --directory: --gzip
  --xz --bzip2 --zstd --verbose --exclude: --exclude-vcs --dereference --strip-components: --wildcards --no-recursion
  --auto-compress -a --owner: --group: --numeric-owner --sort: --mtime: --transform: --to-stdout --keep-old-files`);

function tar(invocation: Invocation): Risk {
  const [first, ...rest] = invocation.args;
  const isOldStyle = first?.type === "plain" && /^[a-zA-Z]+$/.test(first.value);
  const args = isOldStyle ? [...oldOptions(first.value, rest)] : invocation.args;
  const sorted = sortArgs({ ...invocation, args }, tarOptions);
  if ("tier" in sorted) return sorted;
  const { scope } = invocation;
  const has = (...names: readonly string[]): boolean => names.some((name) => sorted.options.has(name));
  const valuesOf = (...names: readonly string[]): readonly ShellArg[] =>
    sorted.values.flatMap(({ option, arg }) => (names.includes(option) ? [arg] : []));
  const archives = valuesOf("-f", "--file");
  const directories = valuesOf("-C", "--directory");
  const folders = directories.map((arg) => readRisk(scope, arg));
  if (archives.some(({ value }) => /^[^/]*:/.test(value)) || has("-P", "-X"))
    return unclear("The effect of these options of tar is not known.", "unknown option");
  const isPrinting = has("-O", "--to-stdout");
  if (has("-t", "--list") || (has("-x", "--extract") && isPrinting))
    return highestRisk([...archives.map((arg) => readRisk(scope, arg)), ...folders]);
  if (!has("-c", "--create")) return extraction("tar");
  if (sorted.operands.some(({ value }) => value.startsWith("@")))
    return unclear("tar would read another archive.", "file list");
  const isDereferencing = has("-h", "--dereference");
  if (folders.length > 0 && (isDereferencing || sorted.operands.some(({ value }) => value.includes(".."))))
    return unclear('tar -C with links or with paths that contain ".." is not understood.', "dynamic path");
  if (directories.length > 1) return unclear("tar with several folders to start in is not understood.", "dynamic path");
  return highestRisk(
    [
      ...archives.map((arg) => (arg.value === "-" ? reading : writeRisk(scope, arg))),
      ...folders,
      ...sorted.operands.map((arg) => readRisk(scopeBelow(scope, directories), arg)),
      ...(isDereferencing ? [followingRisk(scope, sorted.operands)] : []),
    ],
    archives.length > 0 && archives.every(({ value }) => value === "-") ? reading : editing,
  );
}

/** The operands in front of `-C` are found in the current folder, the others in its folder. */
function scopeBelow(scope: FileScope, directories: readonly ShellArg[]): FileScope {
  const moved = directories.flatMap(({ value }) =>
    scope.folders.map((folder) => physicalPath(folder, value) ?? resolve(folder, value)),
  );
  return { ...scope, folders: [...new Set([...scope.folders, ...moved])] };
}

/** `tar czf x.tgz src`: each letter that takes a value takes the next argument. */
function oldOptions(letters: string, rest: readonly ShellArg[]): readonly ShellArg[] {
  const pending = [...rest];
  const options = [...letters].flatMap((letter): readonly ShellArg[] => {
    const option: ShellArg = { type: "plain", value: `-${letter}` };
    const value = /[fCbX]/.test(letter) ? pending.shift() : undefined;
    return value === undefined ? [option] : [option, value];
  });
  return [...options, ...pending];
}

function extraction(name: string): Risk {
  return beyond(
    `What ${name} unpacks is known only when it runs: links and a .git folder may be among it.`,
    "archive extraction",
  );
}

const zipOptions = optionSpec("-rqvj9876543210yuXDo -x: -i: --recurse-paths --quiet --symlinks --exclude:");

/** Without `-y` zip packs what links lead to. */
function zip(invocation: Invocation): Risk {
  const sorted = sortArgs(invocation, zipOptions);
  if ("tier" in sorted) return sorted;
  const { scope } = invocation;
  const [archive, ...files] = sorted.operands;
  const isFollowing = !sorted.options.has("-y") && !sorted.options.has("--symlinks");
  return highestRisk(
    [
      ...(archive === undefined || archive.value === "-" ? [] : [writeRisk(scope, archive)]),
      ...files.map((arg) => readRisk(scope, arg)),
      ...(isFollowing && files.length > 0 ? [followingRisk(scope, files)] : []),
    ],
    editing,
  );
}

function unzip(invocation: Invocation): Risk {
  const isListing = invocation.args.some(
    (arg) => arg.type === "plain" && /^-[qZ1]*[lvtpcz][vq1]*$|^-Z1?$/.test(arg.value),
  );
  return isListing ? listed(invocation, "-lvtpczqZ1") : extraction("unzip");
}

function listed(invocation: Invocation, options: string): Risk {
  const sorted = sortArgs(invocation, optionSpec(options));
  if ("tier" in sorted) return sorted;
  const [archive] = sorted.operands;
  return highestRisk([
    ...(archive === undefined ? [] : [readRisk(invocation.scope, archive)]),
    ...valueRisks(invocation.scope, sorted),
  ]);
}
