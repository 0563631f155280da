import { spawnSync } from "node:child_process";
import { openBlobReader } from "./blob-reader.ts";
import { gitEnvironment } from "./git-environment.ts";
import { asObject, type Json, type JsonObject, parseJson } from "./json.ts";

/** A file of the commit that is read. */
export interface ClonedFile {
  readonly path: string;
  /** The id of its content. */
  readonly blob: string;
}

/** The files of one commit of a cloned repository. */
export interface Clone {
  /** The commit that is read: the wanted one, or HEAD if the clone does not have it. */
  readonly commit: string;
  /** The files below a folder, in the order of git. */
  files(folder: string): readonly ClonedFile[];
  /** The content as text; undefined when the clone does not have it, or for no blob. */
  text(blob: string | undefined): Promise<string | undefined>;
  /** The content as JSON; undefined as for `text`. Throws when it is no JSON. */
  json(blob: string | undefined): Promise<Json | undefined>;
  /** The content as a JSON object; undefined as for `text`. Throws when it is no JSON; other JSON is empty. */
  object(blob: string | undefined): Promise<JsonObject | undefined>;
  close(): void;
}

/** Opens a git directory at a commit, or at HEAD when the commit is missing. Throws when git cannot read it. */
export function openClone(gitDirectory: string, wantedCommit: string): Clone {
  const commit = resolveCommit(gitDirectory, wantedCommit) ?? resolveCommit(gitDirectory, "HEAD");
  if (commit === undefined) throw new Error(`Expected a commit in ${gitDirectory}; it has no HEAD.`);
  const blobs = openBlobReader(gitDirectory);
  const text = async (blob: string | undefined) =>
    blob === undefined ? undefined : (await blobs.read(blob))?.toString("utf8");
  const json = async (blob: string | undefined) => {
    const content = await text(blob);
    return content === undefined ? undefined : parseContent(content, blob);
  };
  const object = async (blob: string | undefined) => {
    const value = await json(blob);
    return value === undefined ? undefined : asObject(value);
  };
  return { commit, files: (folder) => listFiles(gitDirectory, commit, folder), text, json, object, close: blobs.close };
}

function parseContent(content: string, blob: string | undefined): Json {
  try {
    return parseJson(content);
  } catch (cause) {
    throw new Error(`Expected JSON in the blob ${blob}; it begins with ${content.slice(0, 40)}`, { cause });
  }
}

/** The id of a commit; undefined when the clone does not have it. */
function resolveCommit(gitDirectory: string, name: string): string | undefined {
  const id = git(gitDirectory, ["rev-parse", "--verify", "--quiet", `${name}^{commit}`]).trim();
  return id === "" ? undefined : id;
}

function listFiles(gitDirectory: string, commit: string, folder: string): readonly ClonedFile[] {
  const entries = git(gitDirectory, ["ls-tree", "-r", "-z", "--full-tree", commit, "--", folder]).split("\0");
  return entries.flatMap((entry) => {
    // <mode> blob <id>\t<path>
    const [, blob, path] = /^\d+ blob ([0-9a-f]+)\t([\s\S]*)$/.exec(entry) ?? [];
    return blob === undefined || path === undefined ? [] : [{ blob, path }];
  });
}

/** The output of git. Exit code 1 means "nothing"; throws when git fails otherwise. */
function git(gitDirectory: string, args: readonly string[]): string {
  const { error, status, stdout, stderr } = spawnSync("git", [`--git-dir=${gitDirectory}`, ...args], {
    encoding: "utf8",
    env: gitEnvironment,
    maxBuffer: 256 * 1024 * 1024, // a listing of a large repository
  });
  if (error !== undefined) throw new Error(`git could not be run: ${error.message}`, { cause: error });
  if (status !== 0 && status !== 1) throw new Error(`git failed in ${gitDirectory}: ${stderr.trim()}`);
  return stdout;
}
