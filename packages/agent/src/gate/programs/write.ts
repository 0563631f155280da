import { basename, dirname, join } from "node:path";
import { isInside } from "../../protocol/is-inside.ts";
import type { ShellArg } from "../command/shell-arg.ts";
import { accessRisk, type FileScope, readRisk, writeRisk } from "../files/file-access.ts";
import { escapePattern, matchingPaths, namesIn } from "../files/file-pattern.ts";
import { followingRisk, mayHoldLinks, writeBelowRisk } from "../files/found-files.ts";
import { locatePath, physicalPath } from "../files/path-location.ts";
import { wipeRisk } from "../files/wipe-risk.ts";
import { beyond, editing, highestRisk, printable, type Risk, unclear } from "../risk/risk.ts";
import { optionSpec, type SortedArgs, sortArgs } from "./options.ts";
import { type Invocation, type ProgramRule, valueRisks, writer } from "./program-rule.ts";

/** Programs that change the files they name. */
export const writingCommands: ReadonlyMap<string, ProgramRule> = new Map<string, ProgramRule>([
  ["mkdir", writer({ options: "-pv -m: --parents --verbose --mode:" })],
  ["touch", writer({ options: "-acmh -d: -t: -r< --no-create --date: --reference<" })],
  ["rmdir", writer({ options: "-pv --parents --verbose --ignore-fail-on-non-empty", operands: "remove" })],
  ["rm", remove],
  ["unlink", remove],
  ["tee", writer({ options: "-aip --append --ignore-interrupts" })],
  ["truncate", writer({ options: "-co -s: --size: --no-create" })],
  ["mv", move],
  ["cp", copy],
  ["install", install],
  ["ln", link],
  ["chmod", chmod],
  ["split", split],
  ["gzip", compressing("-cdfklqvt# --keep --force --decompress --stdout --best --fast")],
  ["gunzip", compressing("-cfklqvt --keep --force --stdout")],
  ["bzip2", compressing("-cdfkqvtz# --keep --force")],
  ["strip", writer({ options: "-sgdxS -o> --strip-all --strip-debug --strip-unneeded" })],
  ["xz", compressing("-cdfkqvtz# --keep --force")],
]);

/** It also writes the file without or with its extension. */
function compressing(options: string): ProgramRule {
  const rule = writer({ options });
  return (invocation) => {
    const others = invocation.args.flatMap((arg): readonly ShellArg[] => {
      if (arg.type !== "plain" || arg.value.startsWith("-")) return [];
      return [{ type: "plain", value: arg.value.replace(/\.(?:gz|bz2|xz|tgz|z)$/i, "") }];
    });
    const hidden = invocation.args.find(({ type }) => type === "glob" || type === "found");
    const risks = others.map((arg) => writeRisk(invocation.scope, arg));
    return highestRisk([
      rule(invocation),
      ...risks,
      ...(hidden === undefined ? [] : [writeRisk(invocation.scope, hidden)]),
    ]);
  };
}

const removeOptions = optionSpec("-rRfvdiI --recursive --force --verbose --dir --interactive? --one-file-system");

/** Removing one named folder is editing; what cannot be restored from anywhere is destruction. */
export function remove(invocation: Invocation): Risk {
  const { scope } = invocation;
  const sorted = sortArgs(invocation, removeOptions);
  if ("tier" in sorted) return sorted;
  const risks = sorted.operands.map((arg) => accessRisk(scope, arg, "remove"));
  for (const path of sorted.operands.flatMap((arg) => pathsOf(scope, arg))) scope.changes?.recordRemoval(path);
  return highestRisk([...risks, wipeRisk(scope) ?? editing], editing);
}

/** The real paths that an argument names, without following the last part. */
function pathsOf({ folders }: FileScope, arg: ShellArg): readonly string[] {
  return folders.flatMap((folder) => {
    const paths = arg.type === "glob" ? (matchingPaths(folder, arg.pattern) ?? []) : [arg.value];
    return paths.map((path) => join(physicalPath(folder, dirname(path)) ?? folder, basename(path)));
  });
}

interface Transfer {
  readonly sources: readonly ShellArg[];
  readonly target: ShellArg;
  readonly sorted: SortedArgs;
}

/** All operands but the last are sources, the last is the destination; `-t` names the destination first. */
function readTransfer(invocation: Invocation, options: string): Transfer | Risk {
  const sorted = sortArgs(invocation, optionSpec(options));
  if ("tier" in sorted) return sorted;
  const given = sorted.values.find(({ option }) => /^(?:-t|--target-directory)$/.test(option))?.arg;
  const target = given ?? sorted.operands.at(-1);
  const sources = given === undefined ? sorted.operands.slice(0, -1) : sorted.operands;
  if ((target?.type !== "plain" && target?.type !== "glob") || sources.length === 0)
    return unclear(`Where ${invocation.name} puts things is known only when it runs.`, "dynamic path");
  return { sources, target, sorted };
}

/** The risk of writing to the destination, or to files of the same names inside it. */
function targetRisk(scope: FileScope, { sources, target }: Transfer, access: "write" | "remove"): Risk {
  if (target.type === "glob") return accessRisk(scope, target, access);
  const names = sources.flatMap((source) =>
    source.type === "plain" ? [basename(source.value)] : pathsOf(scope, source).map((path) => basename(path)),
  );
  const targets = [`${target.value}/x`, ...names.map((name) => `${target.value}/${name}`)];
  const isFolder = locatePath(scope.workspace, scope.folders[0] ?? scope.workspace, target.value) === "root";
  return highestRisk([
    ...targets.map((value) => accessRisk(scope, { type: "plain", value }, access)),
    ...(isFolder ? [] : [accessRisk(scope, target, access)]),
  ]);
}

/** A folder with a file HEAD is a repository for git, with a configuration that can name programs. */
function recordRepository(scope: FileScope, sources: readonly ShellArg[]): void {
  const paths = sources.flatMap((arg) => pathsOf(scope, arg));
  const isPart = (path: string) => basename(path) === "HEAD" || namesIn(path).includes("HEAD");
  if (paths.some(isPart)) scope.changes?.recordRepository();
}

/** Links among the sources are links at the destination, and may lead elsewhere from there. */
function recordLinks({ changes, ...scope }: FileScope, { sources, target }: Transfer): void {
  if (changes === undefined || !mayHoldLinks({ changes, ...scope }, sources)) return;
  if (target.type === "glob") changes.recordAll();
  for (const folder of scope.folders) {
    const place = physicalPath(folder, target.value) ?? folder;
    const isKnownFolder = namesIn(place).length > 0 && !changes.isRemoved(place);
    if (!isKnownFolder) changes.recordLink(place);
    for (const source of sources.flatMap((arg) => pathsOf(scope, arg)))
      changes.recordLink(join(place, basename(source)));
  }
}

function move(invocation: Invocation): Risk {
  const transfer = readTransfer(invocation, "-fnvuiT -t> --force --no-clobber --verbose --target-directory>");
  if ("tier" in transfer) return transfer;
  const { scope } = invocation;
  const moved = transfer.sources.flatMap((arg) => pathsOf(scope, arg));
  if (scope.folders.some((folder) => moved.some((path) => isInside(path, folder))))
    return unclear("Moves the folder that the commands after it run in.", "dynamic path");
  const risk = highestRisk(
    [...transfer.sources.map((arg) => accessRisk(scope, arg, "remove")), targetRisk(scope, transfer, "remove")],
    editing,
  );
  recordLinks(scope, transfer);
  recordRepository(scope, transfer.sources);
  for (const path of moved) scope.changes?.recordRemoval(path);
  return risk;
}

const copyOptions = `-rRapfnvuLPdHxls -t> --recursive --archive --no-clobber --verbose --force --update?
  --dereference --no-dereference --preserve? --target-directory> --reflink? --sparse:`;

function copy(invocation: Invocation): Risk {
  const transfer = readTransfer(invocation, copyOptions);
  if ("tier" in transfer) return transfer;
  const { scope } = invocation;
  const { sources, target, sorted } = transfer;
  const has = (...names: readonly string[]): boolean => names.some((name) => sorted.options.has(name));
  if (has("-l", "-s")) return beyond("Makes links instead of copies.", "link out of the workspace");
  const isRecursive = has("-r", "-R", "-a", "--recursive", "--archive");
  const risks = [...sources.map((arg) => readRisk(scope, arg)), targetRisk(scope, transfer, "write")];
  if (isRecursive) {
    if (has("-L", "-H", "--dereference")) risks.push(followingRisk(scope, sources));
    const places = sources.map(
      (source): ShellArg => ({ type: "plain", value: `${target.value}/${basename(source.value)}` }),
    );
    const isPlain = sources.every(({ type }) => type === "plain");
    risks.push(writeBelowRisk(scope, isPlain ? places : [target]));
  }
  if (isRecursive || has("-P", "-d", "--no-dereference")) recordLinks(scope, transfer);
  recordRepository(scope, sources);
  return highestRisk(risks, editing);
}

function install(invocation: Invocation): Risk {
  const transfer = readTransfer(invocation, "-vpC -m: -t> --mode: --verbose --target-directory>");
  if ("tier" in transfer) return transfer;
  const { scope } = invocation;
  return highestRisk(
    [...transfer.sources.map((arg) => readRisk(scope, arg)), targetRisk(scope, transfer, "write")],
    editing,
  );
}

/** A link out of the workspace would make files outside look as if they were inside. */
function link(invocation: Invocation): Risk {
  const { scope, args } = invocation;
  const leadsUp = args.some((arg) => arg.type !== "plain" || /^\/|(?:^|\/)\.\.(?:\/|$)/.test(arg.value));
  if (leadsUp) return beyond("Makes a link that may lead out of the workspace.", "link out of the workspace");
  const sorted = sortArgs(invocation, optionSpec("-sfnvr --symbolic --force --relative --no-dereference"));
  if ("tier" in sorted) return sorted;
  const [source, ...others] = sorted.operands;
  const target = others.at(-1) ?? { type: "plain" as const, value: basename(source?.value ?? "x") };
  const risk = highestRisk(
    sorted.operands.map((arg) => accessRisk(scope, arg, "remove")),
    editing,
  );
  for (const path of pathsOf(scope, target)) scope.changes?.recordLink(path);
  return risk;
}

function chmod(invocation: Invocation): Risk {
  const { args, scope } = invocation;
  const mode = args.find((arg) => arg.type !== "plain" || !/^-[RvfcLPH]+$/.test(arg.value));
  if (mode?.type !== "plain" || !/^(?:[ugoa]*[-+=][rwxX]*(?:,[ugoa]*[-+=][rwxX]*)*|0?[0-7]{3})$/.test(mode.value))
    return unclear(`Sets permissions that are not understood (${printable(mode?.value ?? "")}).`, "permission change");
  const rest = args.filter((arg) => arg !== mode);
  const sorted = sortArgs({ ...invocation, args: rest }, optionSpec("-RvfcLPH --recursive --verbose"));
  if ("tier" in sorted) return sorted;
  const isRecursive = sorted.options.has("-R") || sorted.options.has("--recursive");
  const isFollowing = sorted.options.has("-L") || sorted.options.has("-H");
  if (isRecursive && /^0?[0-7]?[0-7][2367]$|^[oa]?\+.*w/.test(mode.value))
    return unclear("Lets every user change whole folders.", "permission change");
  const operandRisks = sorted.operands.map((arg) => writeRisk(scope, arg));
  if (isRecursive && operandRisks.some(({ tier }) => tier >= 3))
    return unclear("Changes the permissions of whole folders outside the workspace.", "permission change");
  return highestRisk(
    [
      ...operandRisks,
      ...(isRecursive ? [writeBelowRisk(scope, sorted.operands)] : []),
      ...(isRecursive && isFollowing ? [followingRisk(scope, sorted.operands)] : []),
    ],
    editing,
  );
}

const startingWith = (prefix: string): ShellArg => ({
  type: "glob",
  value: `${prefix}*`,
  prefix,
  pattern: `${escapePattern(prefix)}*`,
});

const splitOptions = optionSpec(`-dxeu -a: -b: -C: -l: -n: -t: --lines: --bytes: --numeric-suffixes?
  --suffix-length: --additional-suffix:`);

function split(invocation: Invocation): Risk {
  const sorted = sortArgs(invocation, splitOptions);
  if ("tier" in sorted) return sorted;
  const [file, prefix] = sorted.operands;
  const { scope } = invocation;
  if (/(?:^|\/)(?:\.|H)[^/]*$/.test(prefix?.value ?? ""))
    return unclear("The files that split makes get names that are not clear.", "unknown option");
  return highestRisk(
    [
      ...(file === undefined ? [] : [readRisk(scope, file)]),
      writeRisk(scope, startingWith(prefix?.value ?? "x")),
      ...(prefix === undefined ? [] : [writeRisk(scope, prefix)]),
      ...valueRisks(scope, sorted),
    ],
    editing,
  );
}
