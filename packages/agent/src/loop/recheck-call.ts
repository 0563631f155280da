import type { GateDecision } from "../gate/gate.ts";
import type { AdmittedCall } from "./admit-calls.ts";
import type { AgentRun } from "./agent-run.ts";
import { emitDecision, gateAnswer } from "./ask-gate.ts";
import { deniedByGate } from "./refusals.ts";

/**
 * Judges a call again right before it starts, because an earlier call of the same reply may have changed where its
 * paths lead. Returns what the model reads in place of its result, if the call is not allowed any more. The user is
 * not asked in the middle of a reply: the model can make the call again. A decision that stays is not recorded twice.
 */
export async function recheckCall(
  run: AgentRun,
  { call, tool, decision: first }: AdmittedCall,
): Promise<string | undefined> {
  const second = await gateAnswer(run, { call, tool });
  if (!isStricter(second, first)) return undefined;
  const denied: GateDecision = {
    ...second,
    decision: "deny",
    reason: `An earlier call of the same reply changed what it does. ${second.reason}`,
    instead: "Make the call again in your next reply, if the task needs it.",
  };
  run.audit.denied(call, denied);
  emitDecision(run, call, denied);
  return deniedByGate(run, call, denied).content;
}

const strictness = { allow: 0, ask: 1, deny: 2 } as const satisfies Record<GateDecision["decision"], number>;

/** An approval is about the risk, the files and the place that the user was told of. */
function isStricter(second: GateDecision, first: GateDecision): boolean {
  if (second.leavesSandbox !== first.leavesSandbox) return true;
  if (second.decision === "allow") return false;
  if (strictness[second.decision] > strictness[first.decision] || second.tier > first.tier) return true;
  const knownPaths = new Set((first.paths ?? []).map(pathKey));
  return (second.paths ?? []).some((use) => use.location !== "inside" && !knownPaths.has(pathKey(use)));
}

function pathKey({ path, access, location }: NonNullable<GateDecision["paths"]>[number]): string {
  return JSON.stringify([path, access, location]);
}
