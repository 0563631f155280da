/** An event and the one that it follows; one without a parent follows the event before it in the file order. */
export interface EventLink {
  readonly id: string;
  readonly parent: unknown;
}

/** The ids from the newest event of a conversation back to its first; undefined when the end is not recorded. */
export function activeBranch(links: readonly EventLink[], leaf: string | undefined): ReadonlySet<string> | undefined {
  if (leaf === undefined) return undefined;
  const parents = new Map<string, string | undefined>();
  let previous: string | undefined;
  for (const { id, parent } of links) {
    parents.set(id, typeof parent === "string" ? parent : previous);
    previous = id;
  }
  if (!parents.has(leaf)) return undefined;
  const branch = new Set<string>();
  for (let id: string | undefined = leaf; id !== undefined && !branch.has(id); id = parents.get(id)) branch.add(id);
  return branch;
}
