import { lstatSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { isInside } from "../../protocol/is-inside.ts";
import { printableName } from "../printable-name.ts";
import { areSameParts } from "./armed-parts.ts";
import { disarmRepository, hasHarmlessSettings } from "./disarm-repository.ts";
import { createRepositorySearch, type FoundRepositories, type Repository } from "./find-repositories.ts";
import { type GitFolders, linkedWorktree } from "./git-folders.ts";
import { type Gitlinks, readGitlinks, removeGitlinks } from "./gitlinks.ts";
import { protectedInGit } from "./mounts.ts";
import { removeFile } from "./remove-file.ts";

/** Watches the repositories in the folders of a workspace, from one command to the next. */
export interface NestedRepositories {
  /** Called before a command, with the repository of the workspace, which mounts protect. */
  beforeCommand(git: GitFolders | undefined): RepositoriesBefore;
}

interface RepositoriesBefore {
  /** Called after the command. Disarms what is new or changed; returns sentences about what was removed. */
  afterCommand(git: GitFolders | undefined): readonly string[];
}

/** The `path` is where git is found: not in the workspace. */
export function nestedRepositories(workspace: string, path: string): NestedRepositories {
  const search = createRepositorySearch(workspace);
  let links: Gitlinks | undefined;
  let hasSaidWhy = false;
  let running = 0;
  let before = { ...nothing, startMs: 0 };
  const look = (git: GitFolders | undefined): LookedAt => {
    links = git === undefined ? undefined : readGitlinks(git, path, links);
    const folders = git === undefined ? [] : (links?.paths ?? []).map((name) => join(git.root, textOf(name)));
    return { ...search.run(folders), links: links?.paths ?? [] };
  };
  return {
    beforeCommand(git) {
      const startMs = Date.now();
      if (running === 0) before = { ...look(git), startMs }; // else one command could prepare what another one keeps
      running += 1;
      return {
        afterCommand(gitNow) {
          running -= 1;
          const after = look(gitNow);
          const isNew = (repository: Repository) => !before.isCut || birthTimeOf(repository) >= before.startMs;
          const changes = after.repositories
            .filter((repository) => mayBeChanged(repository, { workspace, git }))
            .map((repository): Change => ({ repository, known: knownState(repository, before) }))
            .filter(({ repository, known }) =>
              known === undefined ? isNew(repository) : !areSameParts(known.parts, repository.parts),
            );
          const taken = gitNow === undefined ? [] : removeArmedLinks(gitNow, { path, before, after, changes });
          const isUnsaid = !after.isComplete && (before.isComplete || !hasSaidWhy);
          hasSaidWhy ||= isUnsaid;
          return [
            ...changes.flatMap((change) => undo(change, { workspace, path, before, after })),
            ...taken,
            ...(isUnsaid ? ["Not all folders could be searched for git repositories that start programs."] : []),
          ];
        },
      };
    },
  };
}

/** A search, with the submodules in the index of the workspace's own repository. */
interface LookedAt extends FoundRepositories {
  readonly links: readonly string[];
}

const nothing: LookedAt = { repositories: [], isCut: false, isComplete: true, links: [] };

interface Change {
  readonly repository: Repository;
  /** The repository before the command. */
  readonly known: Repository | undefined;
}

/** At the same place, or at another one if it was moved. A folder that becomes `.git` is a new repository. */
function knownState(
  { entry, gitFolder, identity }: Repository,
  { repositories }: FoundRepositories,
): Repository | undefined {
  const isDotGit = (name: string) => basename(name).toLowerCase() === ".git";
  return (
    repositories.find((other) => other.entry === entry && other.gitFolder === gitFolder) ??
    repositories.find(
      (other) => identity !== undefined && other.identity === identity && isDotGit(other.entry) === isDotGit(entry),
    )
  );
}

interface CommandArea {
  readonly workspace: string;
  readonly git: GitFolders | undefined;
}

/** False for a git folder whose configuration and hooks the command could not write to. */
function mayBeChanged({ gitFolder }: Repository, { workspace, git }: CommandArea): boolean {
  if (gitFolder === undefined) return true;
  if (git === undefined) return isInside(workspace, gitFolder);
  const { common, worktree } = git;
  if (gitFolder === common || gitFolder === worktree) return false;
  if (protectedInGit.some((name) => isInside(join(common, name), gitFolder))) return false;
  return isInside(workspace, gitFolder) || isInside(common, gitFolder);
}

interface Searches {
  readonly path: string;
  readonly before: LookedAt;
  readonly after: LookedAt;
}

function undo(
  { repository, known }: Change,
  { workspace, path, before, after }: Searches & { readonly workspace: string },
): readonly string[] {
  const { entry, gitFolder, identity, parts } = repository;
  const name = printableName(relative(workspace, entry));
  const isKnownFolder = before.repositories.some((other) => other.gitFolder === gitFolder);
  if (gitFolder === undefined || (identity === undefined && known === undefined && isKnownFolder))
    return removeFile(entry) ? [`The file ${name} was removed: git would use a repository that is not protected.`] : [];
  const common = linkedWorktree(entry, gitFolder)?.common;
  const hasCheckedCommon = after.repositories.some((other) => other.entry === common);
  const ownCommon = hasCheckedCommon ? [...parts.files].filter(([file]) => file === "commondir") : [];
  const kept = known?.parts ?? { settings: undefined, files: new Map(ownCommon), steps: [] };
  return disarmRepository(gitFolder, path, kept)
    ? [`Hooks and settings that can start programs were removed from the git repository ${name}.`]
    : [];
}

/** A submodule that is new in the index, and that had settings of its own before: they stay, but not in the index. */
function removeArmedLinks(
  git: GitFolders,
  { path, before, after, changes }: Searches & { readonly changes: readonly Change[] },
): readonly string[] {
  const armed = after.links.filter((name) => {
    if (before.links.includes(name)) return false;
    const entry = join(git.root, textOf(name), ".git");
    const repository = after.repositories.find((other) => other.entry === entry);
    if (repository?.gitFolder === undefined) return textOf(name).includes("\ufffd");
    if (changes.some((change) => change.repository === repository)) return false; // it is disarmed
    const { files } = repository.parts;
    return (
      files.has("hooks") || files.has("hooks/post-index-change") || !hasHarmlessSettings(repository.gitFolder, path)
    );
  });
  if (armed.length > 0) removeGitlinks(git, path, armed);
  return armed.map(
    (name) =>
      `${printableName(textOf(name))} was taken out of the index: git status would start programs of its settings.`,
  );
}

function textOf(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString("utf8");
}

function birthTimeOf({ entry }: Repository): number {
  return lstatSync(entry).birthtimeMs;
}
