/** The JSON of a value; where it has none (too deep, a cycle, a BigInt), something of about its length. Never throws. */
export function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "null";
  } catch {
    return leavesOf(value);
  }
}

/** Its keys and leaves one after the other: no recursion, each object once. */
function leavesOf(root: unknown): string {
  const seen = new Set<object>();
  const open: unknown[] = [root];
  const leaves: string[] = [];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== "object" || value === null) {
      leaves.push(String(value));
      continue;
    }
    if (seen.has(value)) continue;
    seen.add(value);
    try {
      for (const [key, child] of Object.entries(value)) open.push(child, key);
    } catch {
      leaves.push("unreadable"); // a getter that throws
    }
  }
  return leaves.reverse().join(",");
}
