/** The members of each group, groups in alphabetical order. */
export function groupsOf<T>(
  members: Iterable<T>,
  groupOf: (member: T) => string,
): readonly (readonly [group: string, members: readonly T[]])[] {
  const groups = new Map<string, T[]>();
  for (const member of members) {
    const group = groupOf(member);
    const others = groups.get(group) ?? [];
    groups.set(group, others);
    others.push(member);
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
}
