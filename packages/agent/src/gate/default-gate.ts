import type { CallPart } from "../protocol/messages.ts";
import type { Tool } from "../tools/tool.ts";
import { type CallScope, classifyCall } from "./classify-call.ts";
import type { Gate, Tier } from "./gate.ts";
import { type Risk, unclear } from "./risk.ts";

/**
 * What the gate allows without asking: `read` only reading, `edit` also editing in the workspace, `build` also building
 * and testing there and every tool that the embedding program declares.
 */
export type GateMode = "read" | "edit" | "build";

export interface GateOptions {
  /** False: there is no user to ask, so the gate denies instead of asking. Default: true. */
  readonly attended?: boolean;
  /** Default: `build`. */
  readonly mode?: GateMode;
  /** Hosts, such as `example.org` or `localhost:3000`, that reading tools may contact without asking. */
  readonly hosts?: readonly string[];
}

const highestAllowedTier = { read: 0, edit: 1, build: 2 } as const satisfies Record<GateMode, Tier>;

/**
 * Creates the default gate. It judges built-in and external tools by rules alone: by the real arguments of a call and
 * by links as they are at that moment, and it asks about everything it does not fully understand. Tools that the
 * embedding program declares itself are allowed in mode `build`. It does not replace a sandbox: it cannot see what the
 * project's own code does.
 */
export function createGate({ attended = true, mode = "build", hosts = [] }: GateOptions = {}): Gate {
  const allowedHosts = new Set(hosts);
  return {
    async decide(call, tool, { workspace }) {
      const { tier, reason, isOutside } = riskOf(call, tool, { workspace, hosts: allowedHosts });
      if (tool.origin === undefined && mode === "build")
        return { tier, decision: "allow", reason: "A tool of the embedding program." };
      if (tier <= highestAllowedTier[mode]) return { tier, decision: "allow", reason };
      if (isOutside && tool.isConfined)
        return { tier, decision: "deny", reason: `${reason} ${tool.name} only writes inside.` };
      if (!attended) return { tier, decision: "deny", reason: `${reason} There is no user to approve it.` };
      return { tier, decision: "ask", reason };
    },
  };
}

/** A call that cannot be classified has the highest risk. */
function riskOf(call: CallPart, tool: Tool, scope: CallScope): Risk {
  try {
    return classifyCall(call, tool, scope);
  } catch (error) {
    return unclear(`The call could not be classified: ${error instanceof Error ? error.message : String(error)}.`);
  }
}
