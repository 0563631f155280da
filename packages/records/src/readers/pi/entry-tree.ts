/** The entries of a session that has branches: each one names the entry before it on its branch. */
export interface EntryTree {
  /** Adds an entry in the order of the file. */
  add(id: string, parent: string | undefined): void;
  /** The entries of the branch on which the session ended. */
  activeBranch(): ReadonlySet<string>;
}

/** Creates an empty tree. */
export function createEntryTree(): EntryTree {
  const parents = new Map<string, string | undefined>();
  const ids: string[] = [];
  return {
    add(id, parent) {
      if (parents.has(id)) return;
      parents.set(id, parent);
      ids.push(id);
    },
    activeBranch() {
      const branch = new Set<string>();
      let index = ids.length - 1;
      for (let id = ids[index]; id !== undefined && !branch.has(id); ) {
        branch.add(id);
        const parent = parents.get(id);
        if (parent !== undefined && !parents.has(parent)) {
          // A damaged line: the entry before it in the file is the best guess.
          index = ids.lastIndexOf(id) - 1;
          id = ids[index];
        } else id = parent;
      }
      return branch;
    },
  };
}
