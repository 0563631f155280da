import { isInside } from "../../protocol/is-inside.ts";

/**
 * What the commands of a line may have changed for the commands after them. The gate judges all paths before the line
 * runs, so a link that the line makes itself is not on the disk yet. Code of the project is not recorded: it could do
 * by itself what a link that it makes would allow.
 */
export interface LineChanges {
  /** Every path may lead elsewhere now, for example after `git switch`. */
  recordAll(): void;
  /** This path, or something below it, may be a link now. */
  recordLink(path: string): void;
  /** This path was removed or moved away. */
  recordRemoval(path: string): void;
  /** A file was named in a way that an unquoted variable would split or take for an option. */
  recordOddName(): void;
  /** A file was written that makes its folder a repository of git. */
  recordRepository(): void;
  readonly hasAny: boolean;
  readonly hasOddNames: boolean;
  readonly hasRepository: boolean;
  mayBeLink(path: string): boolean;
  isRemoved(path: string): boolean;
  readonly removals: ReadonlySet<string>;
}

export function createLineChanges(): LineChanges {
  let isAll = false;
  let hasOddNames = false;
  let hasRepository = false;
  const links = new Set<string>();
  const removals = new Set<string>();
  return {
    recordAll: () => {
      isAll = true;
      hasOddNames = true;
    },
    recordLink: (path) => links.add(path),
    recordRemoval: (path) => removals.add(path),
    recordOddName: () => {
      hasOddNames = true;
    },
    recordRepository: () => {
      hasRepository = true;
    },
    get hasRepository() {
      return hasRepository;
    },
    get hasAny() {
      return isAll || links.size > 0;
    },
    get hasOddNames() {
      return hasOddNames;
    },
    mayBeLink: (path) => isAll || [...links].some((link) => isInside(link, path)),
    isRemoved: (path) => [...removals].some((removed) => isInside(removed, path)),
    removals,
  };
}
