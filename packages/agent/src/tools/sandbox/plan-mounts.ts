import { accessSync, constants, existsSync, lstatSync, readdirSync, readlinkSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { readRegularFile } from "@sheepdog/records/files";
import { isInside } from "../../protocol/is-inside.ts";
import { toolVariables } from "../processes/passed-variables.ts";
import { isGitFolder } from "./git-folder.ts";
import { findGitFolders, type GitFolders } from "./git-folders.ts";
import * as table from "./mounts.ts";
import { realPath } from "./real-path.ts";

/** One folder or file of the sandbox, at the same path as outside. */
export interface Mount {
  readonly path: string;
  /**
   * `read-only` and `writable` show what is outside, `private` is an empty folder that the command can write to,
   * `empty-folder` and `empty-file` cannot be written to, `link` is a link to `target`.
   */
  readonly type: "read-only" | "writable" | "private" | "empty-folder" | "empty-file" | "link";
  readonly target?: string;
}

/** What the plan depends on. All paths are real paths. */
export interface MountFacts {
  readonly workspace: string;
  readonly home: string;
  /** More folders with secrets, such as the one of the agent's database. */
  readonly hidden: readonly string[];
  /** The environment of the command. */
  readonly environment: Readonly<Record<string, string>>;
}

/** All mounts for a command, parents before children: a child covers a part of its parent. */
export function planMounts(facts: MountFacts): readonly Mount[] {
  const system = systemMounts();
  const git = findGitFolders(facts.workspace, facts.home);
  const tools = toolMounts(facts, system);
  const mounts: readonly Mount[] = [
    ...system,
    ...table.privateFolders.map((path) => ({ path, type: "private" }) as const),
    { path: facts.home, type: "private" },
    ...tools,
    ...emptied(table.homeSecrets.map((name) => join(facts.home, name))),
    ...(git === undefined ? [] : [{ path: git.root, type: "read-only" } as const]),
    { path: facts.workspace, type: "writable" },
    ...present(table.protectedInWorkspace.map((name) => join(facts.workspace, name)).filter(isNoLink)),
    ...(git === undefined ? [] : gitMounts(git)),
    ...(isGitFolder(facts.workspace) ? protectedParts(facts.workspace) : []),
    ...emptied(facts.hidden),
  ];
  return byDepth(mounts);
}

/** The folders of PATH as real paths: a folder that is itself a link may be hidden. */
export function visiblePath(path: string): string {
  return [...new Set(path.split(":").flatMap((folder) => realPath(folder) ?? []))].join(":");
}

/** The same path may be planned twice: the later entry counts. */
function byDepth(mounts: readonly Mount[]): readonly Mount[] {
  const depth = ({ path }: Mount) => path.split("/").length;
  return [...new Map(mounts.map((mount) => [mount.path, mount])).values()].sort((a, b) => depth(a) - depth(b));
}

function systemMounts(): readonly Mount[] {
  const visible = table.systemFolders.flatMap((path): readonly Mount[] => {
    if (!existsSync(path)) return [];
    const isLink = lstatSync(path).isSymbolicLink();
    return [isLink ? { path, type: "link", target: readlinkSync(path) } : { path, type: "read-only" }];
  });
  return [...visible, ...kernelSettings(), ...emptied(table.systemSecrets)];
}

/**
 * All of /proc that belongs to no process, as far as it is a folder or its owner can write to it. Root can change the
 * whole system there without any privilege, and have the kernel start programs outside: /proc/sys, /proc/sysrq-trigger.
 */
function kernelSettings(): readonly Mount[] {
  const names = readdirSync("/proc").filter((name) => !/^\d/.test(name)); // processes end while they are listed
  return present(names.map((name) => `/proc/${name}`).filter(isFolderOrWritable));
}

function isFolderOrWritable(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined || stats.isSymbolicLink()) return false;
  return stats.isDirectory() || (stats.mode & 0o222) !== 0;
}

/** Tools in the home folder and wherever else PATH and other variables lead. */
function toolMounts({ workspace, home, environment }: MountFacts, system: readonly Mount[]): readonly Mount[] {
  const programs = [...(environment["PATH"] ?? "").split(":"), dirname(process.execPath)];
  const paths = [
    ...table.homeTools.map((name) => join(home, name)),
    ...toolVariables.flatMap((name) => realPath(environment[name] ?? "") ?? []),
    ...programs.flatMap((folder) => installationOf(folder, home)),
  ];
  const isVisible = (path: string) =>
    isInside(workspace, path) || system.some((mount) => mount.type === "read-only" && isInside(mount.path, path));
  const isTooWide = (path: string) => isInside(path, home) || isInside(path, workspace);
  return present(paths.filter((path) => !isVisible(path) && !isTooWide(path)));
}

/** A folder with programs, or the whole installation that it belongs to: programs need their libraries. */
function installationOf(folder: string, home: string): readonly string[] {
  const real = realPath(folder);
  if (real === undefined) return [];
  const parent = dirname(real);
  const isInstallation =
    basename(real) === "bin" && ["lib", "libexec", "share"].some((name) => existsSync(join(parent, name)));
  return isInstallation && parent !== join(home, ".local") ? [parent] : [real];
}

/**
 * Each git folder is a mount of its own, and so is each protected part: a mount cannot be renamed, so the protected
 * parts cannot be replaced.
 */
function gitMounts({ entry, common, worktree }: GitFolders): readonly Mount[] {
  return [
    ...present([entry].filter(isNoLink)),
    { path: common, type: "writable" },
    ...protectedParts(common),
    ...(worktree === undefined ? [] : worktreeMounts(worktree, common)),
  ];
}

/** Parts that are missing and that git would use are empty, so that they cannot be added. */
function protectedParts(common: string): readonly Mount[] {
  const emptyFolders = table.emptyInGit.map((name) => join(common, name));
  return [
    ...present(table.protectedInGit.map((name) => join(common, name))),
    ...worktreeConfig(common, common),
    ...missing([join(common, "config")], "empty-file"),
    ...missing(emptyFolders, "empty-folder"),
  ];
}

function worktreeMounts(worktree: string, common: string): readonly Mount[] {
  return [
    { path: worktree, type: "writable" },
    ...present(table.protectedInGit.map((name) => join(worktree, name))),
    ...worktreeConfig(worktree, common),
  ];
}

function worktreeConfig(folder: string, common: string): readonly Mount[] {
  return hasWorktreeConfig(common) ? missing([join(folder, "config.worktree")], "empty-file") : [];
}

/** True if git reads `config.worktree`. A command cannot change that. */
function hasWorktreeConfig(common: string): boolean {
  const config = join(common, "config");
  return existsSync(config) && /worktreeconfig/i.test(readRegularFile(config));
}

function present(paths: readonly string[]): readonly Mount[] {
  return paths.filter((path) => existsSync(path)).map((path) => ({ path, type: "read-only" }));
}

/** Where the command could add them: the sandbox makes them first, and the mount stays empty. */
function missing(paths: readonly string[], type: "empty-folder" | "empty-file"): readonly Mount[] {
  return paths.filter((path) => !existsSync(path) && isWritable(dirname(path))).map((path) => ({ path, type }));
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Files and folders whose content is hidden. */
function emptied(paths: readonly string[]): readonly Mount[] {
  return paths.flatMap((path): readonly Mount[] => {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats === undefined ? [] : [{ path, type: stats.isFile() ? "empty-file" : "empty-folder" }];
  });
}

/** A mount cannot take the place of a link: it would be made where the link leads to. */
function isNoLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === false;
}
