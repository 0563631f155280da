import type { Gate } from "@sheepdog/agent";

/** Wraps a gate so that tools whose name matches a glob always need approval. Calls it refuses stay refused. */
export function pausingGate(gate: Gate, globs: readonly string[], attended: boolean): Gate {
  if (globs.length === 0) return gate;
  return {
    async decide(call, tool, context) {
      const decision = await gate.decide(call, tool, context);
      const glob = globs.find((pattern) => matches(pattern, tool.name));
      if (glob === undefined || decision.decision === "deny") return decision;
      const reason = `Calls of ${tool.name} always need approval (security.pause_before has "${glob}").`;
      return attended
        ? { ...decision, decision: "ask", reason }
        : { ...decision, decision: "deny", reason: `${reason} No user is watching to approve it.` };
    },
  };
}

/** `*` matches any characters, `?` one. The glob matches the whole name and ignores case. */
function matches(glob: string, name: string): boolean {
  const pattern = glob
    .replaceAll(/\*+/g, "*")
    .replaceAll(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  return new RegExp(`^${pattern}$`, "i").test(name);
}
