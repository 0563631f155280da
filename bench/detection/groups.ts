/** The members of each group, groups in alphabetical order. */
export function groupsOf<T>(
  members: Iterable<T>,
  groupOf: (member: T) => string,
): readonly (readonly [group: string, members: readonly T[]])[] {
  const groups = new Map<string, T[]>();
  for (const member of members) {
    const group = groupOf(member);
    const known = groups.get(group);
    if (known === undefined) groups.set(group, [member]);
    else known.push(member);
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
}
