/** The entries of a session that has branches: each one names the entry before it on its branch. */
export interface EntryTree {
  /** Adds an entry in the order of the file. */
  add(id: string, parent: string | undefined): void;
  /** The entries of the branch on which the session ended. */
  activeBranch(): ReadonlySet<string>;
}

/** Creates an empty tree. */
export function createEntryTree(): EntryTree {
  const entries = new Map<string, { readonly parent: string | undefined; readonly before: string | undefined }>();
  let last: string | undefined;
  return {
    add(id, parent) {
      if (entries.has(id)) return;
      entries.set(id, { parent, before: last });
      last = id;
    },
    activeBranch() {
      const branch = new Set<string>();
      for (let id = last; id !== undefined && !branch.has(id); ) {
        branch.add(id);
        const entry = entries.get(id);
        // Behind a damaged line, the entry before it in the file is the best guess.
        const isLost = entry?.parent !== undefined && !entries.has(entry.parent);
        id = isLost ? entry.before : entry?.parent;
      }
      return branch;
    },
  };
}
