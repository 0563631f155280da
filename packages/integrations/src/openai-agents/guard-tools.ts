import type { Status } from "@sheepdog/guardian";
import { currentRun } from "./current-run.ts";
import type { UsageTotals } from "./usage-reader.ts";

/**
 * The same tools with a guard. Tools that the SDK does not call itself (hosted tools, computer, shell) stay as they
 * are. They may be shared by any number of agents and runs; outside `guard.run` they do what they did.
 */
export function guardTools<Tools extends readonly object[]>(tools: Tools): Tools {
  return tools.map((tool) => (isFunctionTool(tool) ? guardTool(tool) : tool)) as unknown as Tools; // the same types
}

/** What the guard reads of a tool of type "function". */
interface FunctionTool {
  readonly type: "function";
  readonly inputGuardrails?: readonly object[];
  readonly outputGuardrails?: readonly object[];
}

function isFunctionTool(tool: object): tool is FunctionTool {
  return "type" in tool && tool.type === "function";
}

/** A copy with one guardrail more at each side. The SDK looks things up by `invoke`, which stays the same function. */
function guardTool(tool: FunctionTool): FunctionTool {
  const { inputGuardrails = [], outputGuardrails = [] } = tool;
  if (inputGuardrails.includes(refuseCall)) return tool; // a second guard would count each call twice
  return {
    ...tool,
    inputGuardrails: [refuseCall, ...inputGuardrails],
    outputGuardrails: [...outputGuardrails, reportResult],
  };
}

interface GuardrailData {
  readonly context: { readonly usage?: UsageTotals };
  readonly toolCall: { readonly callId: string; readonly name: string; readonly arguments: string };
  readonly output?: unknown;
}

const allowed = { behavior: { type: "allow" } };

const refuseCall = {
  type: "tool_input",
  name: "sheepdog",
  async run({ context, toolCall }: GuardrailData): Promise<object> {
    const run = currentRun.getStore();
    if (run === undefined) return allowed;
    run.usage.read(context.usage);
    const { callId, name, arguments: args } = toolCall;
    if (callId === "") return allowed; // no result can be told to belong to it
    const decision = run.loop.beforeCall({ id: callId, tool: name, args });
    return decision.allow ? allowed : { behavior: { type: "rejectContent", message: decision.message } };
  },
};

const reportResult = {
  type: "tool_output",
  name: "sheepdog",
  async run({ toolCall, output }: GuardrailData): Promise<object> {
    const { callId } = toolCall;
    if (callId !== "") currentRun.getStore()?.loop.afterCall(callId, { status: statusOf(output), content: output });
    return allowed;
  },
};

/** A tool returns its errors: as these texts, or as those of its own `errorFunction`, in which the guardian looks. */
function statusOf(output: unknown): Status {
  if (typeof output !== "string") return "ok";
  if (output.startsWith("An error occurred while running the tool.")) return "error";
  return /^Tool '.*' timed out after \d+ms\.$/.test(output) ? "timeout" : "ok";
}
