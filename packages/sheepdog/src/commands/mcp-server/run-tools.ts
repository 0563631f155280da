import type { CommandResult } from "@sheepdog/web/contract";
import { newSessionId } from "../../compose/ids.ts";
import { DEPTH_VARIABLE, MAX_DEPTH, mcpDepth } from "../../compose/mcp/depth.ts";
import type { CommandContext } from "../../run-commands/command-context.ts";
import { resumeRun } from "../../run-commands/resume-run.ts";
import { sendCommand } from "../../run-commands/send-command.ts";
import { startRun } from "../../run-commands/start-run.ts";
import { outsideWords } from "../../sentences/outside-words.ts";
import { withinMaxRuns } from "./max-runs.ts";
import { allowedPath, mcpSessionId, ownRun, ToolRefusal, type ToolServer } from "./tool-server.ts";

/** What starts this server, as sentences have it. */
const serverCommand = "sheepdog mcp-server";

export interface StartInput {
  readonly prompt: string;
  readonly folder?: string | undefined;
  readonly goal?: string | undefined;
  readonly max_cost_usd?: number | undefined;
  readonly max_turns?: number | undefined;
}

/** Starts a run with the user's configuration. Its limits can only be lower than the user's. */
export async function startOwnRun(server: ToolServer, input: StartInput): Promise<unknown> {
  const { prompt, goal, max_cost_usd: maxCostUsd, max_turns: maxTurns } = input;
  const context = deeper(server);
  const workspace = await allowedPath(server, input.folder);
  const loaded = await context.loadConfig(workspace);
  if (!loaded.ok) throw new ToolRefusal(`The run was not started: ${loaded.problems.join("; ")}`);
  const { budget, agent } = loaded.config;
  const limitUsd = budget.per_run_limit_cents / 100;
  if (maxCostUsd !== undefined && limitUsd > 0 && maxCostUsd > limitUsd)
    throw new ToolRefusal(`The user allows $${limitUsd} a run, and max_cost_usd is $${maxCostUsd}.`);
  if (maxTurns !== undefined && agent.max_turns > 0 && maxTurns > agent.max_turns)
    throw new ToolRefusal(`The user allows ${agent.max_turns} turns a run, and max_turns is ${maxTurns}.`);
  const sessionId = mcpSessionId(newSessionId());
  const start = {
    workspace,
    prompt,
    ...(goal === undefined ? {} : { goal }),
    ...(maxCostUsd === undefined ? {} : { maxCostUsd }),
    ...(maxTurns === undefined ? {} : { maxTurns }),
  };
  const options = { sessionId, isAnswered: server.isAnswered, server: serverCommand };
  const started = await withinMaxRuns(server, () => startRun(context, server.program, start, options));
  return { run_id: done(started).runId, session_id: sessionId, text: started.text };
}

/** The agent of the run learns that the message is not from its user. */
export async function steerOwnRun(server: ToolServer, id: string, message: string): Promise<unknown> {
  const { run } = await ownRun(server, id);
  const text = `[A message of the agent that started this run over MCP, not of the user]\n${outsideWords(message)}`;
  const sent = await sendCommand(server.context, run.runId, { type: "steer", text });
  return { run_id: run.runId, text: done(sent).text };
}

export async function stopOwnRun(server: ToolServer, id: string): Promise<unknown> {
  const { run } = await ownRun(server, id);
  const sent = await sendCommand(server.context, run.runId, { type: "stop" });
  return { run_id: run.runId, text: done(sent).text };
}

/** Resumes under the same limits: only the user raises them. */
export async function resumeOwnRun(server: ToolServer, id: string): Promise<unknown> {
  const context = deeper(server);
  const { run } = await ownRun(server, id);
  const resume = { id: run.runId, maxCostUsd: undefined, raisesLimits: false, isAnswered: server.isAnswered };
  const resumed = await withinMaxRuns(server, () =>
    resumeRun(context, server.program, { ...resume, server: serverCommand }),
  );
  return { run_id: done(resumed).runId, text: done(resumed).text };
}

function done(result: CommandResult | undefined): CommandResult {
  if (result === undefined) throw new ToolRefusal("There is no such run.");
  if (!result.isDone) throw new ToolRefusal(result.text);
  return result;
}

/** Tells a started run how deep it is, and refuses to start one too deep: runs must not start runs for ever. */
function deeper({ context }: ToolServer): CommandContext {
  const depth = mcpDepth(context.env);
  if (depth >= MAX_DEPTH)
    throw new ToolRefusal(
      `Runs that start runs over MCP are limited to ${MAX_DEPTH} levels, and this is the last one.`,
    );
  return { ...context, env: { ...context.env, [DEPTH_VARIABLE]: String(depth + 1) } };
}
