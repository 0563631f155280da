import { execFileSync } from "node:child_process";
import { type BlobReader, openBlobReader } from "./blob-reader.ts";
import { gitEnvironment } from "./git-environment.ts";
import { type Json, parseJson } from "./json.ts";

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
  /** The content as text; undefined when the clone does not have it. */
  text(blob: string): Promise<string | undefined>;
  /** The content as JSON; undefined when the clone does not have it. Throws when it is no JSON. */
  json(blob: string): Promise<Json | undefined>;
  close(): void;
}

/** Opens a git directory at a commit, or at HEAD when the commit is missing. Throws when git cannot read it. */
export function openClone(gitDirectory: string, wantedCommit: string): Clone {
  const commit = resolveCommit(gitDirectory, wantedCommit) ?? resolveCommit(gitDirectory, "HEAD");
  if (commit === undefined) throw new Error(`Expected a commit in ${gitDirectory}; git found neither it nor HEAD.`);
  const blobs: BlobReader = openBlobReader(gitDirectory);
  const text = async (blob: string) => (await blobs.read(blob))?.toString("utf8");
  return {
    commit,
    files: (folder) => listFiles(gitDirectory, commit, folder),
    text,
    json: async (blob) => {
      const content = await text(blob);
      return content === undefined ? undefined : parseJson(content);
    },
    close: blobs.close,
  };
}

function resolveCommit(gitDirectory: string, name: string): string | undefined {
  try {
    return git(gitDirectory, ["rev-parse", "--verify", "--quiet", `${name}^{commit}`]).trim();
  } catch {
    return undefined; // the caller tries another name, then reports
  }
}

function listFiles(gitDirectory: string, commit: string, folder: string): readonly ClonedFile[] {
  const entries = git(gitDirectory, ["ls-tree", "-r", "-z", "--full-tree", commit, "--", folder]).split("\0");
  return entries.flatMap((entry) => {
    // <mode> blob <id>\t<path>
    const [, blob, path] = /^\d+ blob ([0-9a-f]+)\t([^]*)$/.exec(entry) ?? [];
    return blob === undefined || path === undefined ? [] : [{ blob, path }];
  });
}

function git(gitDirectory: string, args: readonly string[]): string {
  const listingBytes = 256 * 1024 * 1024;
  return execFileSync("git", [`--git-dir=${gitDirectory}`, ...args], {
    encoding: "utf8",
    env: gitEnvironment,
    maxBuffer: listingBytes,
    stdio: ["ignore", "pipe", "pipe"],
  });
}
