/** JSON of a value; text of about the same length if it has no JSON (too deep, a cycle, a BigInt). Never throws. */
export function toSafeJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "null";
  } catch {
    return joinLeaves(value);
  }
}

/** All keys and leaves, without recursion and each object once. */
function joinLeaves(root: unknown): string {
  const seen = new Set<object>();
  const pending: unknown[] = [root];
  const leaves: string[] = [];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value !== "object" || value === null) {
      leaves.push(String(value));
      continue;
    }
    if (seen.has(value)) continue;
    seen.add(value);
    try {
      for (const [key, child] of Object.entries(value)) pending.push(child, key);
    } catch {
      leaves.push("unreadable"); // a getter threw
    }
  }
  return leaves.reverse().join(",");
}
