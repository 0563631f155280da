import { createGate } from "../../src/gate/default-gate.ts";
import type { GateDecision } from "../../src/gate/gate.ts";
import { bashTool } from "../../src/tools/bash-tool.ts";

const gate = createGate({ attended: false });
const bash = bashTool();

/** What the gate of an unattended run decides about a command line of the bash tool. */
export function decideInWorkspace(workspace: string, command: string): Promise<GateDecision> {
  return gate.decide({ type: "call", id: "call_1", tool: bash.name, input: { command } }, bash, { workspace });
}

/** The commands that the gate allows, with whether they only read. */
export async function allowedCommands(workspace: string, commands: readonly string[]): Promise<readonly Allowed[]> {
  const decisions = await Promise.all(commands.map((command) => decideInWorkspace(workspace, command)));
  return commands.flatMap((command, index) => {
    const decision = decisions[index];
    return decision?.decision === "allow" ? [{ command, isReader: decision.tier === 0 }] : [];
  });
}

interface Allowed {
  readonly command: string;
  readonly isReader: boolean;
}
