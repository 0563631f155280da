import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join, relative } from "node:path";
import type { WorkspaceFixture } from "./workspace-fixture.ts";

/** A file that a command must not change, and what happened to it. */
export interface Change {
  /** Relative to the home folder. */
  readonly path: string;
  readonly what: "new" | "gone" | "different";
}

/** The state of each watched file, by its path in the home folder. */
export type Snapshot = ReadonlyMap<string, string>;

/** Where package managers and compilers keep their own files in the home folder. */
const toolFolders = new Set([".npm", ".cache", ".cargo", ".config", ".java", ".m2", ".cmake", ".gradle", ".local"]);
/** Files of the workspace that decide what git and the agent do. */
const settings = [".git/config", ".git/hooks", ".git/info", ".sheepdog"];

/** The state of everything outside the workspace, and of the settings in it, in a copy of the fixture. */
export function snapshot({ root, home, workspace }: WorkspaceFixture, copy: string): Snapshot {
  const homeCopy = join(copy, relative(root, home));
  const workspaceCopy = join(copy, relative(root, workspace));
  const states = new Map<string, string>();
  const add = (path: string, stateOf: (path: string) => string): void => {
    if (path === workspaceCopy) return;
    const name = relative(homeCopy, path);
    if (toolFolders.has(name) || name.endsWith(".sample")) return; // git init adds samples of hooks
    states.set(name, stateOf(path));
    if (lstatSync(path).isDirectory()) for (const entry of readdirSync(path)) add(join(path, entry), stateOf);
  };
  add(homeCopy, outsideState);
  for (const path of settings) if (exists(join(workspaceCopy, path))) add(join(workspaceCopy, path), contentOf);
  return states;
}

/** What is new, gone or different in the second snapshot. */
export function changesBetween(before: Snapshot, after: Snapshot): readonly Change[] {
  const gone = [...before.keys()].filter((path) => !after.has(path)).map((path) => ({ path, what: "gone" }) as const);
  const others = [...after].flatMap(([path, state]): readonly Change[] => {
    const previousState = before.get(path);
    if (previousState === state) return [];
    return [{ path, what: previousState === undefined ? "new" : "different" }];
  });
  return [...gone, ...others];
}

/** True for a path in a folder of the home that belongs to a package manager or compiler. */
export function isToolFile(home: string, path: string): boolean {
  return toolFolders.has(relative(home, path).split("/")[0] ?? "");
}

function outsideState(path: string): string {
  const { mode, mtimeMs } = lstatSync(path);
  const isFolder = lstatSync(path).isDirectory();
  return isFolder ? `folder ${mode}` : `${mode} ${mtimeMs} ${contentOf(path)}`; // a tool may add its folder to the home
}

function contentOf(path: string): string {
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) return `-> ${readlinkSync(path)}`;
  return stats.isFile() ? readFileSync(path, "utf8") : "";
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
