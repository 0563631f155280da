import type { Gate } from "@sheepdog/agent";

/** A gate that always asks about the tools whose names match one of the globs; what it would refuse stays refused. */
export function pausingGate(gate: Gate, globs: readonly string[], attended: boolean): Gate {
  if (globs.length === 0) return gate;
  return {
    async decide(call, tool, context) {
      const decided = await gate.decide(call, tool, context);
      const glob = globs.find((each) => matches(each, tool.name));
      if (glob === undefined || decided.decision === "deny") return decided;
      const reason = `Calls of ${tool.name} are always asked about (security.pause_before has "${glob}").`;
      return attended
        ? { ...decided, decision: "ask", reason }
        : { ...decided, decision: "deny", reason: `${reason} Nobody is there to be asked.` };
    },
  };
}

/** `*` any characters, `?` one; the whole name, case ignored. */
function matches(glob: string, name: string): boolean {
  const pattern = glob
    .replaceAll(/\*+/g, "*")
    .replaceAll(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  return new RegExp(`^${pattern}$`, "i").test(name);
}
