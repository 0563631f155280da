import { classifyCall } from "./classify-call.ts";
import type { Gate, GateDecision, Tier } from "./gate.ts";
import { type Risk, unclear } from "./risk.ts";

/** What passes without being asked about: reading only, also editing in the workspace, also building and testing there. */
export type GateMode = "read" | "edit" | "build";

export interface GateOptions {
  /** False where nobody can be asked: what would be asked about is then denied. */
  readonly attended?: boolean;
  /** `build` if absent. */
  readonly mode?: GateMode;
  /** Hosts, as in `example.org` or `localhost:3000`, that reading tools may ask. */
  readonly hosts?: readonly string[];
}

const highest = { read: 0, edit: 1, build: 2 } as const satisfies Record<GateMode, Tier>;

/**
 * A gate that goes by rules alone. It looks at the real arguments, follows links as they are at that moment, and asks about everything it does not
 * fully understand; it does not replace a sandbox, for what it lets the project's own code do it cannot see.
 */
export function createGate({ attended = true, mode = "build", hosts = [] }: GateOptions = {}): Gate {
  const surroundings = { hosts: new Set(hosts) };
  return {
    async decide(call, tool, { workspace }): Promise<GateDecision> {
      let verdict: Risk;
      try {
        verdict = classifyCall(call, tool, { ...surroundings, workspace });
      } catch (error) {
        verdict = unclear(`The call could not be looked at: ${error instanceof Error ? error.message : String(error)}`); // then it is asked about
      }
      const { tier, reason, isOutside } = verdict;
      if (tier <= highest[mode]) return { tier, reason, decision: "allow" };
      if (isOutside && tool.isConfined)
        return { tier, reason: `${reason} ${tool.name} only writes inside.`, decision: "deny" };
      return attended
        ? { tier, reason, decision: "ask" }
        : { tier, reason: `${reason} Nobody is there to be asked.`, decision: "deny" };
    },
  };
}
