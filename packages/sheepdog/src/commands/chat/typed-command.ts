import type { CallPart, Gate, Redact, RuntimeOptions, Tool } from "@sheepdog/agent";

/** The command in a line such as "!git status", empty if there is only the sign; undefined if the line is a prompt. */
export function typedCommand(text: string): string | undefined {
  return text.startsWith("!") ? text.slice(1).trim() : undefined;
}

/** What a command of the user runs with: the same as a call of the agent. */
export interface CommandRunner {
  readonly bash: Tool | undefined;
  readonly gate: Gate;
  readonly approve: NonNullable<RuntimeOptions["approve"]>;
  readonly redact: Redact;
  readonly workspace: string;
}

/** Runs a command that the user typed, if the gate or the user allows it. Resolves with what to show, never rejects. */
export async function runTypedCommand(command: string, runner: CommandRunner, signal: AbortSignal): Promise<string> {
  try {
    return runner.redact(await outputOf(command, runner, signal));
  } catch (error) {
    return runner.redact(`The command failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function outputOf(
  command: string,
  { bash, gate, approve, workspace }: CommandRunner,
  signal: AbortSignal,
): Promise<string> {
  if (bash === undefined) return "Not run: there is no tool for commands.";
  const call: CallPart = { type: "call", id: "typed", tool: bash.name, input: { command } };
  const input = await bash.input["~standard"].validate(call.input);
  if (input.issues !== undefined) return `Not run: ${input.issues.map(({ message }) => message).join("; ")}.`;
  const decision = await gate.decide(call, bash, { workspace, isSandboxed: bash.isSandboxed === true });
  if (decision.decision === "deny") return `Not run: ${decision.reason}`;
  if (decision.decision === "ask") {
    const approval = await approve(call, `You typed it yourself. ${decision.reason}`, signal, decision.suggestion);
    if (!approval.isAllowed) return `Not run: ${approval.reason ?? "the user said no"}.`;
  }
  const outcome = await bash.run(input.value, {
    sessionId: "",
    runId: "",
    callId: call.id,
    workspace,
    signal,
    progress: () => {},
    leavesSandbox: decision.leavesSandbox === true,
    runsNoCode: decision.tier <= 1,
  });
  return typeof outcome === "string" ? outcome : outcome.content;
}
